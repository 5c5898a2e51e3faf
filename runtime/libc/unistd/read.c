#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"
#include "timers.h"

ssize_t read(int fd, void *to, size_t n) {
  __rz_send_of_timers();
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (file->functions) {
    if (!file->functions->read) return __rz_error(EBADF);
    return file->functions->read(file, to, n);
  }
  if (!__rz_is_for(file, O_WRONLY)) return __rz_error(EBADF);
  ssize_t count = __host_read(file->handle, to, n, __HOST_CURRENT);
  if (count > 0) __rz_range_write(to, (size_t)count);
  return __rz_result(count);
}
