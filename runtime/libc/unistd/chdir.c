#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine.h"
#include "fd.h"
#include "host.h"
#include "result.h"

int chdir(const char *path) { return (int)__rz_result(__host_chdir(path, strlen(path))); }

int fchdir(int fd) {
  struct __rz_open_file *file = __rz_fd_file(fd);
  if (!file) return -1;
  return file->path ? chdir(file->path) : __rz_error(ENOTDIR);
}

char *getcwd(char *to, size_t size) {
  char path[PATH_MAX];
  int64_t length = __host_getcwd(path, sizeof path - 1);
  if (length < 0 || length >= (int64_t)sizeof path) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  __rz_range_write(path, (size_t)length);
  path[length] = 0;
  if (!to && size == 0) return strdup(path);
  if (size <= (size_t)length) {
    errno = size == 0 ? EINVAL : ERANGE;
    return NULL;
  }
  if (!to) to = malloc(size);
  return to ? memcpy(to, path, (size_t)length + 1) : NULL;
}

char *getwd(char *to) { return getcwd(to, PATH_MAX); }

char *get_current_dir_name(void) { return getcwd(NULL, 0); }
