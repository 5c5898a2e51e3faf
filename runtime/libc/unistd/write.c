#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"

ssize_t write(int fd, const void *from, size_t n) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  __rz_range_output(from, n);
  if (file->functions) {
    if (!file->functions->write) return __rz_error(EBADF);
    return file->functions->write(file, from, n);
  }
  return __rz_result(__host_write(file->handle, from, n, __HOST_CURRENT));
}
