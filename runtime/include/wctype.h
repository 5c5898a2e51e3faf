/* <wctype.h>: classes of wide characters. */
#ifndef _WCTYPE_H
#define _WCTYPE_H

#include <bits/locale-types.h>
#include <bits/wchar-types.h>

int iswalnum(wint_t __c);
int iswalpha(wint_t __c);
int iswblank(wint_t __c);
int iswcntrl(wint_t __c);
int iswdigit(wint_t __c);
int iswgraph(wint_t __c);
int iswlower(wint_t __c);
int iswprint(wint_t __c);
int iswpunct(wint_t __c);
int iswspace(wint_t __c);
int iswupper(wint_t __c);
int iswxdigit(wint_t __c);
int iswctype(wint_t __c, wctype_t __type);
wctype_t wctype(const char *__name);
wint_t towlower(wint_t __c);
wint_t towupper(wint_t __c);
wint_t towctrans(wint_t __c, wctrans_t __mapping);
wctrans_t wctrans(const char *__name);

int iswalnum_l(wint_t __c, locale_t __locale);
int iswalpha_l(wint_t __c, locale_t __locale);
int iswblank_l(wint_t __c, locale_t __locale);
int iswcntrl_l(wint_t __c, locale_t __locale);
int iswdigit_l(wint_t __c, locale_t __locale);
int iswgraph_l(wint_t __c, locale_t __locale);
int iswlower_l(wint_t __c, locale_t __locale);
int iswprint_l(wint_t __c, locale_t __locale);
int iswpunct_l(wint_t __c, locale_t __locale);
int iswspace_l(wint_t __c, locale_t __locale);
int iswupper_l(wint_t __c, locale_t __locale);
int iswxdigit_l(wint_t __c, locale_t __locale);
int iswctype_l(wint_t __c, wctype_t __type, locale_t __locale);
wctype_t wctype_l(const char *__name, locale_t __locale);
wint_t towlower_l(wint_t __c, locale_t __locale);
wint_t towupper_l(wint_t __c, locale_t __locale);
wint_t towctrans_l(wint_t __c, wctrans_t __mapping, locale_t __locale);
wctrans_t wctrans_l(const char *__name, locale_t __locale);

#endif
