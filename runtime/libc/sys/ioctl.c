#include <sys/ioctl.h>

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fd.h"
#include "result.h"

/* FIONREAD: how many bytes of a file are left. */
static int bytes_ready(int fd, int *out) {
  struct stat stat;
  off_t position = lseek(fd, 0, SEEK_CUR);
  if (position < 0 || fstat(fd, &stat) < 0) return __rz_error(ENOTTY);
  *out = stat.st_size > position ? (int)(stat.st_size - position) : 0;
  return 0;
}

int ioctl(int fd, unsigned long request, ...) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  va_list arguments;
  va_start(arguments, request);
  int *value = va_arg(arguments, int *);
  va_end(arguments);
  switch (request) {
    case FIONREAD: return bytes_ready(fd, value);
    case FIONBIO: file->flags = *value ? file->flags | O_NONBLOCK : file->flags & ~O_NONBLOCK; return 0;
    case FIOCLEX: *__rz_fd_close_on_exec(fd) = 1; return 0;
    case FIONCLEX: *__rz_fd_close_on_exec(fd) = 0; return 0;
    default: return __rz_error(ENOTTY);
  }
}
