/* <strings.h>: the string functions that POSIX took from BSD. */
#ifndef _STRINGS_H
#define _STRINGS_H

#include <bits/locale-types.h>
#include <stddef.h>

int bcmp(const void *a, const void *b, size_t n);
void bcopy(const void *from, void *to, size_t n);
void bzero(void *memory, size_t n);
void explicit_bzero(void *memory, size_t n);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t n);
int strcasecmp_l(const char *a, const char *b, locale_t locale);
int strncasecmp_l(const char *a, const char *b, size_t n, locale_t locale);

#endif
