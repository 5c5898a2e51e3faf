/* strcpy, stpcpy, strcat */
#include <string.h>

#include "engine.h"
#include "raw.h"

/* Returns the end of the copy. */
static inline __attribute__((always_inline)) char *copy(char *restrict to, const char *restrict from) {
  size_t size = __rz_raw_strlen(from) + 1;
  if (__rz_raw_are_apart(to, from, size) && __rz_range_is_written(from, size) && __rz_range_takes_write(to, size)) {
    __rz_raw_memmove(to, from, size);
    return to + size - 1;
  }
  size_t seen = __rz_range_scan(from, size);
  __rz_range_copy(to, from, seen, 0);
  __rz_raw_memmove(to, from, seen);
  if (seen == size) return to + size - 1;
  to[seen] = 0;
  return to + seen;
}

char *stpcpy(char *restrict to, const char *restrict from) { return copy(to, from); }

char *strcpy(char *restrict to, const char *restrict from) {
  copy(to, from);
  return to;
}

char *strcat(char *restrict to, const char *restrict from) {
  size_t length = __rz_raw_strlen(to), seen = __rz_range_scan(to, length + 1);
  copy(to + (seen > length ? length : seen), from);
  return to;
}
