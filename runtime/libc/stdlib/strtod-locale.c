/* The locale_t forms of strtod, strtof and strtold. */
#include <stdlib.h>

double strtod_l(const char *restrict text, char **restrict end, locale_t locale) {
  (void)locale;
  return strtod(text, end);
}

float strtof_l(const char *restrict text, char **restrict end, locale_t locale) {
  (void)locale;
  return strtof(text, end);
}

long double strtold_l(const char *restrict text, char **restrict end, locale_t locale) {
  (void)locale;
  return strtold(text, end);
}
