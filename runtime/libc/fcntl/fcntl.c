/* fcntl. There is one process, so every lock succeeds; SQLite and LMDB request locks. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

#define CHANGEABLE (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME)

static int duplicate(struct __rz_open_file *file, int lowest, int close_on_exec) {
  if (lowest < 0 || lowest >= FD_MAX) return __rz_error(EINVAL);
  return __rz_fd_install(file, lowest, close_on_exec);
}

int fcntl(int fd, int command, ...) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  va_list arguments;
  va_start(arguments, command);
  int result = 0;
  switch (command) {
    case F_DUPFD: result = duplicate(file, va_arg(arguments, int), 0); break;
    case F_DUPFD_CLOEXEC: result = duplicate(file, va_arg(arguments, int), 1); break;
    case F_GETFD: result = *__rz_fd_close_on_exec(fd) ? FD_CLOEXEC : 0; break;
    case F_SETFD: *__rz_fd_close_on_exec(fd) = (va_arg(arguments, int) & FD_CLOEXEC) != 0; break;
    case F_GETFL: result = file->flags; break;
    case F_SETFL: file->flags = (file->flags & ~CHANGEABLE) | (va_arg(arguments, int) & CHANGEABLE); break;
    case F_GETLK: case F_OFD_GETLK: va_arg(arguments, struct flock *)->l_type = F_UNLCK; break;
    case F_SETLK: case F_SETLKW: case F_OFD_SETLK: case F_OFD_SETLKW: break;
    case F_GETOWN: result = 0; break;
    case F_SETOWN: break;
    default: result = __rz_error(EINVAL);
  }
  va_end(arguments);
  return result;
}
