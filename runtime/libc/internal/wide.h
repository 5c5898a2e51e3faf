/* Wide text as UTF-8 and back, for the wide forms of printf, scanf and strtod. */
#ifndef RZ_WIDE_H
#define RZ_WIDE_H

#include <stddef.h>
#include <wchar.h>

/*
 * mbrtowc with a text and a state, and wcrtomb with a text, as in a locale of UTF-8 whatever the
 * locale is.
 */
size_t __rz_utf8_decode(wchar_t *wide, const char *text, size_t n, mbstate_t *state);
size_t __rz_utf8_encode(char *text, wchar_t wide);

/* The text in UTF-8, in memory from malloc; NULL with errno EILSEQ or ENOMEM. */
char *__rz_utf8_of(const wchar_t *text);

/* Stores at most `room` characters of UTF-8 and a zero; their number, or -1 if it is more. */
long __rz_wide_of(wchar_t *wide, size_t room, const char *text);

/* Makes a stream wide, in the encoding of the locale, if it is not decided yet. */
void __rz_orient(__rz_FILE *stream, int direction);

#endif
