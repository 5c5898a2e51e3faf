/* strcoll, strxfrm and their locale_t forms: every locale orders strings by their bytes. */
#include <string.h>

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

int strcoll_l(const char *a, const char *b, locale_t locale) {
  (void)locale;
  return strcmp(a, b);
}

size_t strxfrm(char *restrict to, const char *restrict from, size_t n) { return strlcpy(to, from, n); }

size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t locale) {
  (void)locale;
  return strlcpy(to, from, n);
}
