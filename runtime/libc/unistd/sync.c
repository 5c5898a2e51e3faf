#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "result.h"

int fsync(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  return file->functions ? __rz_error(EINVAL) : (int)__rz_result(__host_sync(file->handle));
}

int fdatasync(int fd) { return fsync(fd); }

int syncfs(int fd) { return __rz_fd_file(fd) ? 0 : -1; }

void sync(void) {}
