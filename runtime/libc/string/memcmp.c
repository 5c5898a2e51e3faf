/* memcmp, bcmp */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

size_t __rz_raw_mismatch(const void *a, const void *b, size_t n) {
  const char *x = a, *y = b;
  size_t i = 0;
  for (; n - i >= 8; i += 8) {
    uint64_t difference = __rz_raw_load64(x + i) ^ __rz_raw_load64(y + i);
    if (difference != 0) return i + __rz_first_byte(difference);
  }
  while (i < n && x[i] == y[i]) i++;
  return i;
}

/*
 * Both ranges are checked whole: the standard requires n readable bytes of each, even if they
 * differ early. The bytes up to the first difference determine the result.
 */
int memcmp(const void *a, const void *b, size_t n) {
  int is_settled = __rz_range_is_written(a, n) && __rz_range_is_written(b, n);
  if (!is_settled) __rz_range_read(a, n), __rz_range_read(b, n);
  size_t i = __rz_raw_mismatch(a, b, n);
  if (!is_settled) __rz_range_output(a, i + (i < n)), __rz_range_output(b, i + (i < n));
  return i == n ? 0 : ((const unsigned char *)a)[i] - ((const unsigned char *)b)[i];
}
