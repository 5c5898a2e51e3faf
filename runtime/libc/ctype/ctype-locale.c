/* The locale_t forms of <ctype.h>: all locales agree on single bytes. */
#include <ctype.h>

int isalnum_l(int c, locale_t locale) {
  (void)locale;
  return isalnum(c);
}

int isalpha_l(int c, locale_t locale) {
  (void)locale;
  return isalpha(c);
}

int isblank_l(int c, locale_t locale) {
  (void)locale;
  return isblank(c);
}

int iscntrl_l(int c, locale_t locale) {
  (void)locale;
  return iscntrl(c);
}

int isdigit_l(int c, locale_t locale) {
  (void)locale;
  return isdigit(c);
}

int isgraph_l(int c, locale_t locale) {
  (void)locale;
  return isgraph(c);
}

int islower_l(int c, locale_t locale) {
  (void)locale;
  return islower(c);
}

int isprint_l(int c, locale_t locale) {
  (void)locale;
  return isprint(c);
}

int ispunct_l(int c, locale_t locale) {
  (void)locale;
  return ispunct(c);
}

int isspace_l(int c, locale_t locale) {
  (void)locale;
  return isspace(c);
}

int isupper_l(int c, locale_t locale) {
  (void)locale;
  return isupper(c);
}

int isxdigit_l(int c, locale_t locale) {
  (void)locale;
  return isxdigit(c);
}

int tolower_l(int c, locale_t locale) {
  (void)locale;
  return tolower(c);
}

int toupper_l(int c, locale_t locale) {
  (void)locale;
  return toupper(c);
}
