#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"

ssize_t pwrite(int fd, const void *from, size_t n, off_t offset) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (file->functions) return __rz_error(ESPIPE);
  if (offset < 0) return __rz_error(EINVAL);
  __rz_range_output(from, n);
  return __rz_result(__host_write(file->handle, from, n, offset));
}
