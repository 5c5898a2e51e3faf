/* strcasecmp, strncasecmp and their locale_t forms */
#include <stdint.h>
#include <strings.h>

#include "engine.h"
#include "raw.h"

/* Without a branch, which an engine that explores paths would follow both ways. */
static int __rz_raw_lower(char c) { return (unsigned char)c | ((unsigned char)c - 'A' + 0u < 26u) << 5; }

size_t __rz_raw_case_mismatch(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] != 0 && __rz_raw_lower(a[i]) == __rz_raw_lower(b[i])) i++;
  return i;
}

static int __rz_raw_case_difference(const char *a, const char *b) { return __rz_raw_lower(*a) - __rz_raw_lower(*b); }

/* b is checked only as far as a is readable. */
static inline __attribute__((always_inline)) int compare(const char *a, const char *b, size_t n) {
  size_t i = __rz_raw_case_mismatch(a, b, n), size = i + (i < n);
  size_t seen = __rz_range_scan(b, __rz_range_scan(a, size));
  return i == n || seen != size ? 0 : __rz_raw_case_difference(a + i, b + i);
}

int strncasecmp(const char *a, const char *b, size_t n) { return compare(a, b, n); }

int strcasecmp(const char *a, const char *b) { return compare(a, b, SIZE_MAX); }

int strcasecmp_l(const char *a, const char *b, locale_t locale) {
  (void)locale;
  return compare(a, b, SIZE_MAX);
}

int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale) {
  (void)locale;
  return compare(a, b, n);
}
