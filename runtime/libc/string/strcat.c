/* strncat */
#include <string.h>

#include "engine.h"
#include "raw.h"

char *strncat(char *restrict to, const char *restrict from, size_t n) {
  size_t used = __rz_raw_strlen(to), valid = __rz_range_scan(to, used + 1);
  char *end = to + (valid > used ? used : valid);
  size_t length = __rz_raw_strnlen(from, n), seen = __rz_range_scan(from, length + (length < n));
  if (length > seen) length = seen;
  __rz_range_copy(end, from, length, 0);
  __rz_raw_memmove(end, from, length);
  end[length] = 0;
  return to;
}
