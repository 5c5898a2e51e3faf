/* <stdio_ext.h>: looking inside a stream */
#ifndef _STDIO_EXT_H
#define _STDIO_EXT_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FSETLOCKING_QUERY 0
#define FSETLOCKING_INTERNAL 1
#define FSETLOCKING_BYCALLER 2

size_t __fbufsize(FILE *stream);
size_t __fpending(FILE *stream);
int __freading(FILE *stream);
int __fwriting(FILE *stream);
int __freadable(FILE *stream);
int __fwritable(FILE *stream);
int __flbf(FILE *stream);
void __fpurge(FILE *stream);
void _flushlbf(void);
int __fsetlocking(FILE *stream, int type);

#ifdef __cplusplus
}
#endif

#endif
