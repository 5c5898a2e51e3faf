/* strcmp, strncmp */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

/* Whether the 8 bytes at p lie within one page of WebAssembly's memory and so are readable. */
static int __rz_raw_word_is_readable(const char *p) { return (uintptr_t)p % 65536 <= 65536 - 8; }

size_t __rz_raw_string_mismatch(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    if (__rz_raw_word_is_readable(a + i) && __rz_raw_word_is_readable(b + i)) {
      uint64_t x = __rz_raw_load64(a + i), stops = (x ^ __rz_raw_load64(b + i)) | __rz_zero_bytes(x);
      if (stops != 0) {
        i += __rz_first_byte(stops);
        break;
      }
      i += 8;
    } else if (a[i] != b[i] || a[i] == 0) {
      break;
    } else {
      i++;
    }
  }
  return i < n ? i : n;
}

static int __rz_raw_difference(const char *a, const char *b) { return (unsigned char)*a - (unsigned char)*b; }

/* b is checked only as far as a is readable. */
static inline __attribute__((always_inline)) int compare(const char *a, const char *b, size_t n) {
  size_t i = __rz_raw_string_mismatch(a, b, n), size = i + (i < n);
  size_t seen = __rz_range_scan(b, __rz_range_scan(a, size));
  return i == n || seen != size ? 0 : __rz_raw_difference(a + i, b + i);
}

int strncmp(const char *a, const char *b, size_t n) { return compare(a, b, n); }
int strcmp(const char *a, const char *b) { return compare(a, b, SIZE_MAX); }
