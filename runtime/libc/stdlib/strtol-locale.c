/* The locale_t forms of the conversions from text: all locales use the same format. */
#include <stdlib.h>

long strtol_l(const char *restrict text, char **restrict end, int base, locale_t locale) {
  (void)locale;
  return strtol(text, end, base);
}

unsigned long strtoul_l(const char *restrict text, char **restrict end, int base, locale_t locale) {
  (void)locale;
  return strtoul(text, end, base);
}

long long strtoll_l(const char *restrict text, char **restrict end, int base, locale_t locale) {
  (void)locale;
  return strtoll(text, end, base);
}

unsigned long long strtoull_l(const char *restrict text, char **restrict end, int base, locale_t locale) {
  (void)locale;
  return strtoull(text, end, base);
}
