/* wcscasecmp, wcsncasecmp and their locale_t forms */
#include <stdint.h>
#include <wchar.h>
#include <wctype.h>

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n != 0; n--, a++, b++) {
    wint_t x = towlower((wint_t)*a), y = towlower((wint_t)*b);
    if (x != y) return x < y ? -1 : 1;
    if (x == 0) break;
  }
  return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b) { return wcsncasecmp(a, b, SIZE_MAX); }

int wcscasecmp_l(const wchar_t *a, const wchar_t *b, locale_t locale) {
  (void)locale;
  return wcscasecmp(a, b);
}

int wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, locale_t locale) {
  (void)locale;
  return wcsncasecmp(a, b, n);
}
