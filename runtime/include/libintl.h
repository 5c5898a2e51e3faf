#ifndef _LIBINTL_H
#define _LIBINTL_H 1

#include <features.h>
#include <locale.h>

#ifdef __cplusplus
extern "C" {
#endif

/* There are no catalogues: every message is its own translation. */
char *gettext(const char *message) __attribute__((__format_arg__(1)));
char *dgettext(const char *domain, const char *message) __attribute__((__format_arg__(2)));
char *dcgettext(const char *domain, const char *message, int category) __attribute__((__format_arg__(2)));
char *ngettext(const char *one, const char *many, unsigned long count) __attribute__((__format_arg__(1), __format_arg__(2)));
char *dngettext(const char *domain, const char *one, const char *many, unsigned long count)
    __attribute__((__format_arg__(2), __format_arg__(3)));
char *dcngettext(const char *domain, const char *one, const char *many, unsigned long count, int category)
    __attribute__((__format_arg__(2), __format_arg__(3)));
char *textdomain(const char *domain);
char *bindtextdomain(const char *domain, const char *folder);
char *bind_textdomain_codeset(const char *domain, const char *codeset);

#ifdef __cplusplus
}
#endif

#endif
