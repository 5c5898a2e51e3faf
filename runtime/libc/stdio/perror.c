#include <errno.h>
#include <stdio.h>
#include <string.h>

void perror(const char *prefix) {
  const char *reason = strerror(errno);
  if (prefix && *prefix) fprintf(stderr, "%s: %s\n", prefix, reason);
  else fprintf(stderr, "%s\n", reason);
}
