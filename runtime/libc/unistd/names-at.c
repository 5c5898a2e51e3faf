/* The functions of names.c with paths relative to an open folder. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "path.h"
#include "result.h"

int unlinkat(int folder, const char *path, int flags) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  if (!path) return -1;
  return flags & AT_REMOVEDIR ? rmdir(path) : unlink(path);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  from = __rz_path_at(from_folder, from, from_buffer);
  to = __rz_path_at(to_folder, to, to_buffer);
  return from && to ? rename(from, to) : -1;
}

/* A file system may lack each of the flags: programs continue without. */
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  struct stat existing;
  if (flags & ~(unsigned)RENAME_NOREPLACE) return __rz_error(EINVAL);
  if (flags && fstatat(to_folder, to, &existing, AT_SYMLINK_NOFOLLOW) == 0) return __rz_error(EEXIST);
  return renameat(from_folder, from, to_folder, to);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  char from_buffer[PATH_MAX], to_buffer[PATH_MAX];
  (void)flags;
  from = __rz_path_at(from_folder, from, from_buffer);
  to = __rz_path_at(to_folder, to, to_buffer);
  return from && to ? link(from, to) : -1;
}

int symlinkat(const char *text, int folder, const char *path) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? symlink(text, path) : -1;
}

ssize_t readlinkat(int folder, const char *restrict path, char *restrict to, size_t size) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? readlink(path, to, size) : -1;
}

int mkdirat(int folder, const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  path = __rz_path_at(folder, path, buffer);
  return path ? mkdir(path, mode) : -1;
}
