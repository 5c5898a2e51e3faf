/* strcasecmp, strncasecmp and their locale_t forms */
#include <ctype.h>
#include <stdint.h>
#include <strings.h>

int strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = tolower((unsigned char)a[i]), y = tolower((unsigned char)b[i]);
    if (x != y || x == 0) return x - y;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) { return strncasecmp(a, b, SIZE_MAX); }

int strcasecmp_l(const char *a, const char *b, locale_t locale) {
  (void)locale;
  return strcasecmp(a, b);
}

int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale) {
  (void)locale;
  return strncasecmp(a, b, n);
}
