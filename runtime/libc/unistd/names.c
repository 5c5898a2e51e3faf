/* Directory entries: remove, link, rename, make folders. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine.h"
#include "host.h"
#include "path.h"
#include "result.h"

int unlink(const char *path) { return (int)__rz_result(__host_unlink(path, strlen(path))); }

int rmdir(const char *path) { return (int)__rz_result(__host_rmdir(path, strlen(path))); }

int rename(const char *from, const char *to) {
  return (int)__rz_result(__host_rename(from, strlen(from), to, strlen(to)));
}

int link(const char *from, const char *to) { return (int)__rz_result(__host_link(from, strlen(from), to, strlen(to))); }

int symlink(const char *text, const char *path) {
  return (int)__rz_result(__host_symlink(text, strlen(text), path, strlen(path)));
}

ssize_t readlink(const char *restrict path, char *restrict to, size_t size) {
  ssize_t length = __host_readlink(path, strlen(path), to, size);
  if (length > (ssize_t)size) length = (ssize_t)size;
  if (length > 0) __rz_range_write(to, (size_t)length);
  return __rz_result(length);
}
