/* strcmp, strncmp */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"

size_t __rz_raw_string_mismatch(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i] && a[i] != 0) i++;
  return i;
}

int strncmp(const char *a, const char *b, size_t n) {
  size_t i = __rz_raw_string_mismatch(a, b, n);
  __rz_range_read(a, i + (i < n));
  __rz_range_read(b, i + (i < n));
  return i == n ? 0 : (unsigned char)a[i] - (unsigned char)b[i];
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }
