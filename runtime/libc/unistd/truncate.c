#include <fcntl.h>
#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "result.h"

int ftruncate(int fd, off_t size) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  return file->functions ? __rz_error(EINVAL) : (int)__rz_result(__host_truncate(file->handle, size));
}

int truncate(const char *path, off_t size) {
  int fd = open(path, O_WRONLY);
  if (fd < 0) return -1;
  int result = ftruncate(fd, size);
  int number = errno;
  close(fd);
  errno = number;
  return result;
}
