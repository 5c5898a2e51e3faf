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

size_t __fbufsize(FILE *__stream);
size_t __fpending(FILE *__stream);
int __freading(FILE *__stream);
int __fwriting(FILE *__stream);
int __freadable(FILE *__stream);
int __fwritable(FILE *__stream);
int __flbf(FILE *__stream);
void __fpurge(FILE *__stream);
void _flushlbf(void);
int __fsetlocking(FILE *__stream, int __type);

#ifdef __cplusplus
}
#endif

#endif
