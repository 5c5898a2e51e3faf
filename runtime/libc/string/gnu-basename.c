/*
 * The basename that <string.h> declares under _GNU_SOURCE: it never changes its argument.
 * <libgen.h> has the other one.
 */
#include <string.h>

char *__gnu_basename(const char *path) {
  const char *slash = strrchr(path, '/');
  return (char *)(slash ? slash + 1 : path);
}
