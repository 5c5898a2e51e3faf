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
  if (!__rz_is_for(file, O_RDONLY)) return __rz_error(EBADF);
  ssize_t count = __host_write(file->handle, from, n, offset);
  if (count > 0 && __rz_file_written) __rz_file_written(file, offset, from, (size_t)count);
  return __rz_result(count);
}
