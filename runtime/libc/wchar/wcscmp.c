/* wcscmp, wcsncmp, and wcscoll, wcsxfrm: every locale orders strings by code points. */
#include <stdint.h>
#include <wchar.h>

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
  for (; n != 0; n--, a++, b++) {
    if (*a != *b) return *a < *b ? -1 : 1;
    if (*a == 0) break;
  }
  return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, SIZE_MAX); }

int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

int wcscoll_l(const wchar_t *a, const wchar_t *b, locale_t locale) {
  (void)locale;
  return wcscmp(a, b);
}

size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n) { return wcslcpy(to, from, n); }

size_t wcsxfrm_l(wchar_t *restrict to, const wchar_t *restrict from, size_t n, locale_t locale) {
  (void)locale;
  return wcslcpy(to, from, n);
}
