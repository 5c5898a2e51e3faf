/* strcpy, stpcpy */
#include <string.h>

#include "engine.h"
#include "raw.h"

char *stpcpy(char *restrict to, const char *restrict from) {
  size_t size = __rz_raw_strlen(from) + 1, seen = __rz_range_scan(from, size);
  __rz_range_copy(to, from, seen, 0);
  __rz_raw_memmove(to, from, seen);
  if (seen == size) return to + size - 1;
  to[seen] = 0;
  return to + seen;
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}
