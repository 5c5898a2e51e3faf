/* The locale_t forms of <wctype.h>: all locales agree. */
#include <wctype.h>

int iswalnum_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswalnum(c);
}

int iswalpha_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswalpha(c);
}

int iswblank_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswblank(c);
}

int iswcntrl_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswcntrl(c);
}

int iswdigit_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswdigit(c);
}

int iswgraph_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswgraph(c);
}

int iswlower_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswlower(c);
}

int iswprint_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswprint(c);
}

int iswpunct_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswpunct(c);
}

int iswspace_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswspace(c);
}

int iswupper_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswupper(c);
}

int iswxdigit_l(wint_t c, locale_t locale) {
  (void)locale;
  return iswxdigit(c);
}

wint_t towlower_l(wint_t c, locale_t locale) {
  (void)locale;
  return towlower(c);
}

wint_t towupper_l(wint_t c, locale_t locale) {
  (void)locale;
  return towupper(c);
}

int iswctype_l(wint_t c, wctype_t type, locale_t locale) {
  (void)locale;
  return iswctype(c, type);
}

wctype_t wctype_l(const char *name, locale_t locale) {
  (void)locale;
  return wctype(name);
}

wint_t towctrans_l(wint_t c, wctrans_t mapping, locale_t locale) {
  (void)locale;
  return towctrans(c, mapping);
}

wctrans_t wctrans_l(const char *name, locale_t locale) {
  (void)locale;
  return wctrans(name);
}
