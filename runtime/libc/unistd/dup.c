#include <fcntl.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

int dup(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  return file ? __rz_fd_install(file, 0, 0) : -1;
}

static int dup_to(int fd, int target, int close_on_exec) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  if (target < 0 || target >= FD_MAX) return __rz_error(EBADF);
  int saved = errno;
  if (__rz_fd_file(target)) close(target);
  errno = saved;
  __rz_fd_set(target, file, close_on_exec);
  return target;
}

int dup2(int fd, int target) {
  if (fd == target) return __rz_fd_file(fd) ? fd : -1;
  return dup_to(fd, target, 0);
}

int dup3(int fd, int target, int flags) {
  if (fd == target || (flags & ~O_CLOEXEC)) return __rz_error(EINVAL);
  return dup_to(fd, target, (flags & O_CLOEXEC) != 0);
}
