#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"

ssize_t pread(int fd, void *to, size_t n, off_t offset) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (file->functions) return __rz_error(ESPIPE);
  if (offset < 0) return __rz_error(EINVAL);
  if (!__rz_is_for(file, O_WRONLY)) return __rz_error(EBADF);
  ssize_t count = __host_read(file->handle, to, n, offset);
  if (count > 0) __rz_range_write(to, (size_t)count);
  return __rz_result(count);
}
