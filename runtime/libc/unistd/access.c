#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "result.h"

int access(const char *path, int mode) {
  struct stat found;
  if (mode & ~(R_OK | W_OK | X_OK)) return __rz_error(EINVAL);
  if (stat(path, &found) < 0) return -1;
  int allowed = (int)(found.st_mode >> 6) & 7; /* the owner's bits have the values of R_OK, W_OK, X_OK */
  return (allowed & mode) == mode ? 0 : __rz_error(EACCES);
}

int faccessat(int folder, const char *path, int mode, int flags) {
  char buffer[PATH_MAX];
  (void)flags;
  path = __rz_path_at(folder, path, buffer);
  return path ? access(path, mode) : -1;
}

int eaccess(const char *path, int mode) { return access(path, mode); }
int euidaccess(const char *path, int mode) { return access(path, mode); }
