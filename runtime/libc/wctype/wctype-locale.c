/* The locale_t forms of <wctype.h>: the other forms while that locale is in use. */
#include <locale.h>
#include <wctype.h>

int iswalnum_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswalnum(c);
  uselocale(before);
  return result;
}

int iswalpha_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswalpha(c);
  uselocale(before);
  return result;
}

int iswblank_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswblank(c);
  uselocale(before);
  return result;
}

int iswcntrl_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswcntrl(c);
  uselocale(before);
  return result;
}

int iswdigit_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswdigit(c);
  uselocale(before);
  return result;
}

int iswgraph_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswgraph(c);
  uselocale(before);
  return result;
}

int iswlower_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswlower(c);
  uselocale(before);
  return result;
}

int iswprint_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswprint(c);
  uselocale(before);
  return result;
}

int iswpunct_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswpunct(c);
  uselocale(before);
  return result;
}

int iswspace_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswspace(c);
  uselocale(before);
  return result;
}

int iswupper_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswupper(c);
  uselocale(before);
  return result;
}

int iswxdigit_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswxdigit(c);
  uselocale(before);
  return result;
}

wint_t towlower_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  wint_t result = towlower(c);
  uselocale(before);
  return result;
}

wint_t towupper_l(wint_t c, locale_t locale) {
  locale_t before = uselocale(locale);
  wint_t result = towupper(c);
  uselocale(before);
  return result;
}

int iswctype_l(wint_t c, wctype_t type, locale_t locale) {
  locale_t before = uselocale(locale);
  int result = iswctype(c, type);
  uselocale(before);
  return result;
}

wctype_t wctype_l(const char *name, locale_t locale) {
  (void)locale;
  return wctype(name);
}

wint_t towctrans_l(wint_t c, wctrans_t mapping, locale_t locale) {
  locale_t before = uselocale(locale);
  wint_t result = towctrans(c, mapping);
  uselocale(before);
  return result;
}

wctrans_t wctrans_l(const char *name, locale_t locale) {
  (void)locale;
  return wctrans(name);
}
