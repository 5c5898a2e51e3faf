/*
 * A locale is, for each category, one of two names. They differ in LC_CTYPE only: the characters of
 * "C" are those of ASCII, one byte each, and those of "C.UTF-8" are Unicode's.
 */
#ifndef RZ_LOCALE_STATE_H
#define RZ_LOCALE_STATE_H

#include <locale.h>

#define __RZ_CATEGORIES 6

struct __rz_locale {
  unsigned char is_utf8[__RZ_CATEGORIES]; /* "C.UTF-8" rather than "C" */
};

extern struct __rz_locale __rz_global_locale;

/* The current locale: that of uselocale, or the global one. */
const struct __rz_locale *__rz_current_locale(void);

/* Whether multibyte text of the current locale is UTF-8. Otherwise it is ASCII. */
int __rz_is_utf8(void);

/*
 * Returns 0 for C and POSIX, 1 for C.UTF-8 and for UTF-8 locales of the environment, -1 for others.
 * The name "" stands for the environment's locale of the
 * category.
 */
int __rz_parse_locale_name(int category, const char *name);

#endif
