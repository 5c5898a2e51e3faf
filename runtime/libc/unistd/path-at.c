#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fd.h"
#include "path.h"

/* Writes folder "/" path to the buffer. */
static const char *join(const char *folder, const char *path, char buffer[PATH_MAX]) {
  size_t n = strlen(folder), m = strlen(path);
  if (n + m + 2 > PATH_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  memcpy(buffer, folder, n);
  buffer[n] = '/';
  memcpy(buffer + n + 1, path, m + 1);
  return buffer;
}

const char *__rz_path_at(int folder, const char *path, char buffer[PATH_MAX]) {
  if (folder == AT_FDCWD || *path == '/') return path;
  struct __rz_open_file *file = __rz_fd_file(folder);
  if (!file) return NULL;
  if (!file->path) {
    errno = ENOTDIR;
    return NULL;
  }
  if (*path == 0) {
    errno = ENOENT;
    return NULL;
  }
  return join(file->path, path, buffer);
}

char *__rz_absolute_path(const char *path) {
  if (*path == '/') return strdup(path);
  char folder[PATH_MAX], whole[PATH_MAX];
  if (!getcwd(folder, sizeof folder) || !join(folder, path, whole)) return NULL;
  return strdup(whole);
}
