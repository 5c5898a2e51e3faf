#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "temporary.h"

/* Replaces the last six characters by random letters until no file has that name. */
static void make_unused(char *path) {
  char *place = path + strlen(path) - 6;
  struct stat ignored;
  int number = errno;
  do __rz_random_name(place);
  while (lstat(path, &ignored) == 0);
  errno = number;
}

char *tmpnam(char *buffer) {
  static char own[L_tmpnam];
  char *path = buffer ? buffer : own;
  strcpy(path, P_tmpdir "/fileXXXXXX");
  make_unused(path);
  return path;
}

char *tempnam(const char *folder, const char *prefix) {
  const char *named = getenv("TMPDIR");
  if (named && *named) folder = named;
  if (!folder) folder = P_tmpdir;
  if (!prefix) prefix = "file";
  char *path;
  if (asprintf(&path, "%s/%.5sXXXXXX", folder, prefix) < 0) return NULL;
  make_unused(path);
  return path;
}
