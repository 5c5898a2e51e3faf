/* strncpy, stpncpy: copy at most n bytes and fill with zeros up to n. */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"

/* Whether the monitor has nothing to report about a copy of `length` bytes and zeros up to n. */
static inline __attribute__((always_inline)) int is_valid(char *to, const char *from, size_t length, size_t n) {
  if (!__rz_raw_are_apart(to, from, length)) return 0;
  return __rz_range_is_written(from, length + (length < n)) && __rz_range_takes_write(to, n);
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
  if (n != 0 && __rz_range_is_written(from, 1)) {
    size_t length = __rz_raw_strnlen(from, n);
    if (is_valid(to, from, length, n)) {
      __rz_raw_memmove(to, from, length);
      __rz_raw_memset(to + length, 0, n - length);
      return to + length;
    }
  }
  size_t length = strnlen(from, n);
  memcpy(to, from, length);
  memset(to + length, 0, n - length);
  return to + length;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
  stpncpy(to, from, n);
  return to;
}
