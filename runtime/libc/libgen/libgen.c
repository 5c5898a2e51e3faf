/*
 * The parts of a path, POSIX's way: the argument may be written to, and trailing slashes do not
 * count.
 */
#include <libgen.h>
#include <string.h>

static char dot[] = ".";

/* The length without trailing slashes; a path of nothing but slashes keeps one. */
static size_t trimmed_length(const char *path, size_t length) {
  while (length > 1 && path[length - 1] == '/') length--;
  return length;
}

char *__xpg_basename(char *path) {
  if (!path || !*path) return dot;
  const size_t length = trimmed_length(path, strlen(path));
  path[length] = 0;
  if (length == 1 && path[0] == '/') return path;
  char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *dirname(char *path) {
  if (!path || !*path) return dot;
  size_t length = trimmed_length(path, strlen(path));
  while (length > 0 && path[length - 1] != '/') length--;
  if (length == 0) return dot;
  length = trimmed_length(path, length);
  path[length] = 0;
  return path;
}
