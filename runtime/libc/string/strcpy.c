/* strcpy, stpcpy */
#include <string.h>

#include "engine.h"
#include "raw.h"

char *stpcpy(char *restrict to, const char *restrict from) {
  size_t length = __rz_raw_strlen(from);
  __rz_range_output(from, length + 1); /* its bytes decide where it ends */
  __rz_range_copy(to, from, length + 1, 0);
  __rz_raw_memmove(to, from, length + 1);
  return to + length;
}

char *strcpy(char *restrict to, const char *restrict from) {
  stpcpy(to, from);
  return to;
}
