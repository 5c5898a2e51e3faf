/* Wide text as UTF-8 and back, for the wide forms of printf, scanf and strtod. */
#ifndef RZ_WIDE_H
#define RZ_WIDE_H

#include <stddef.h>
#include <wchar.h>

/* The text in UTF-8, in memory from malloc; NULL with errno EILSEQ or ENOMEM. */
char *__rz_utf8_of(const wchar_t *text);

/* Makes a stream wide, if it is not decided yet. */
void __rz_orient(__rz_FILE *stream, int direction);

#endif
