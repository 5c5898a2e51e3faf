#ifndef _ICONV_H
#define _ICONV_H 1

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void *iconv_t;

iconv_t iconv_open(const char *__to, const char *__from);
size_t iconv(iconv_t __conversion, char **__restrict __input, size_t *__restrict __input_left,
             char **__restrict __output, size_t *__restrict __output_left);
int iconv_close(iconv_t __conversion);

#ifdef __cplusplus
}
#endif

#endif
