#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fd.h"
#include "host.h"
#include "path.h"
#include "result.h"

static mode_t mask = 022;

mode_t umask(mode_t new_mask) {
  mode_t old = mask;
  mask = new_mask & 0777;
  return old;
}

/* A folder remembers where it is; the host knows only the handle. */
static int remember_folder(struct __rz_open_file *file, const char *path) {
  struct __host_stat stat = {0};
  if ((file->flags & O_ACCMODE) != O_RDONLY || __host_fstat(file->handle, &stat) < 0) return 0;
  if ((stat.mode & S_IFMT) != S_IFDIR) return 0;
  file->path = __rz_absolute_path(path);
  return file->path ? 0 : -1;
}

static int open_path(const char *path, int flags, mode_t mode) {
  int handle = __host_open(path, strlen(path), flags, mode & ~mask);
  if (handle < 0) return __rz_error(-handle);
  struct __rz_open_file *file = __rz_new_open_file(handle, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC));
  if (!file) {
    __host_close(handle);
    return -1;
  }
  file->host_appends = (flags & O_APPEND) != 0;
  int fd = remember_folder(file, path) < 0 ? -1 : __rz_fd_install(file, 0, (flags & O_CLOEXEC) != 0);
  return fd;
}

static int takes_mode(int flags) { return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE; }

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (takes_mode(flags)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return open_path(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  mode_t mode = 0;
  if (takes_mode(flags)) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? open_path(path, flags, mode) : -1;
}

int creat(const char *path, mode_t mode) { return open_path(path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

int mkdir(const char *path, mode_t mode) { return (int)__rz_result(__host_mkdir(path, strlen(path), mode & ~mask)); }
