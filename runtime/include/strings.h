/* <strings.h>: the string functions that POSIX took from BSD. */
#ifndef _STRINGS_H
#define _STRINGS_H

#include <bits/locale-types.h>
#include <stddef.h>

int bcmp(const void *__a, const void *__b, size_t __n);
void bcopy(const void *__from, void *__to, size_t __n);
void bzero(void *__memory, size_t __n);
void explicit_bzero(void *__memory, size_t __n);
char *index(const char *__text, int __c);
char *rindex(const char *__text, int __c);
int ffs(int __value);
int ffsl(long __value);
int ffsll(long long __value);
int strcasecmp(const char *__a, const char *__b);
int strncasecmp(const char *__a, const char *__b, size_t __n);
int strcasecmp_l(const char *__a, const char *__b, locale_t __locale);
int strncasecmp_l(const char *__a, const char *__b, size_t __n, locale_t __locale);

#endif
