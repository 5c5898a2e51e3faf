/*
 * A locale is, for each category, one of two names; they differ in nothing but the name and the
 * answer to CODESET.
 */
#ifndef RZ_LOCALE_STATE_H
#define RZ_LOCALE_STATE_H

#include <locale.h>

#define __RZ_CATEGORIES 6

struct __rz_locale {
  unsigned char is_utf8[__RZ_CATEGORIES]; /* "C.UTF-8" rather than "C" */
};

extern struct __rz_locale __rz_global_locale;

/* The locale in force: what uselocale chose, or the global one. */
const struct __rz_locale *__rz_current_locale(void);

/*
 * 0 for C and POSIX, 1 for C.UTF-8 and what the environment calls a UTF-8 locale, -1 for others. ""
 * asks the environment
 *    for the category.
 */
int __rz_parse_locale_name(int category, const char *name);

#endif
