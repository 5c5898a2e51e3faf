/* Extended attributes: no file has any, as on a file system that does not support them. */
#include <sys/xattr.h>

#include <errno.h>
#include <sys/stat.h>

#include "given.h"
#include "result.h"

static int at_path(const char *path, int follows) {
  struct stat stat_buffer;
  if ((follows ? stat : lstat)(path, &stat_buffer) < 0) return -1;
  return __rz_error(ENOTSUP);
}

static int at_fd(int fd) {
  struct stat stat_buffer;
  return fstat(fd, &stat_buffer) < 0 ? -1 : __rz_error(ENOTSUP);
}

ssize_t getxattr(const char *path, const char *name, void *value, size_t size) {
  (void)value, (void)size;
  __rz_given_text(name);
  return at_path(path, 1);
}

ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size) {
  (void)value, (void)size;
  __rz_given_text(name);
  return at_path(path, 0);
}

ssize_t fgetxattr(int fd, const char *name, void *value, size_t size) {
  (void)value, (void)size;
  __rz_given_text(name);
  return at_fd(fd);
}

ssize_t listxattr(const char *path, char *list, size_t size) {
  (void)list, (void)size;
  return at_path(path, 1);
}

ssize_t llistxattr(const char *path, char *list, size_t size) {
  (void)list, (void)size;
  return at_path(path, 0);
}

ssize_t flistxattr(int fd, char *list, size_t size) {
  (void)list, (void)size;
  return at_fd(fd);
}

int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  (void)flags;
  __rz_given_text(name);
  __rz_given_object(value, size);
  return at_path(path, 1);
}

int lsetxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
  (void)flags;
  __rz_given_text(name);
  __rz_given_object(value, size);
  return at_path(path, 0);
}

int fsetxattr(int fd, const char *name, const void *value, size_t size, int flags) {
  (void)flags;
  __rz_given_text(name);
  __rz_given_object(value, size);
  return at_fd(fd);
}

int removexattr(const char *path, const char *name) {
  __rz_given_text(name);
  return at_path(path, 1);
}

int lremovexattr(const char *path, const char *name) {
  __rz_given_text(name);
  return at_path(path, 0);
}

int fremovexattr(int fd, const char *name) {
  __rz_given_text(name);
  return at_fd(fd);
}
