/* mkstemp, mkdtemp and similar functions: the pattern ends in XXXXXX and an optional suffix. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "temporary.h"

/* Returns the address of the six X, or NULL with errno EINVAL. */
static char *place_in(char *pattern, int suffix_length) {
  size_t n = strlen(pattern);
  if (suffix_length >= 0 && n >= 6 + (size_t)suffix_length) {
    char *place = pattern + n - 6 - suffix_length;
    if (memcmp(place, "XXXXXX", 6) == 0) return place;
  }
  errno = EINVAL;
  return NULL;
}

int mkostemps(char *pattern, int suffix_length, int flags) {
  char *place = place_in(pattern, suffix_length);
  if (!place) return -1;
  for (int i = 0; i < __RZ_NAME_TRIES; i++) {
    __rz_random_name(place);
    int fd = open(pattern, (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

int mkstemps(char *pattern, int suffix_length) { return mkostemps(pattern, suffix_length, 0); }
int mkostemp(char *pattern, int flags) { return mkostemps(pattern, 0, flags); }
int mkstemp(char *pattern) { return mkostemps(pattern, 0, 0); }

char *mkdtemp(char *pattern) {
  char *place = place_in(pattern, 0);
  if (!place) return NULL;
  for (int i = 0; i < __RZ_NAME_TRIES; i++) {
    __rz_random_name(place);
    if (mkdir(pattern, 0700) == 0) return pattern;
    if (errno != EEXIST) break;
  }
  return NULL;
}

char *mktemp(char *pattern) {
  char *place = place_in(pattern, 0);
  struct stat ignored;
  if (place) {
    int number = errno;
    do __rz_random_name(place);
    while (lstat(pattern, &ignored) == 0);
    errno = number;
  } else {
    *pattern = 0;
  }
  return pattern;
}
