/* <bsd/string.h> of libbsd; see <bsd/stdlib.h>. */
#ifndef _BSD_STRING_H
#define _BSD_STRING_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

char *strnstr(const char *__text, const char *__part, size_t __n);

#ifdef __cplusplus
}
#endif

#endif
