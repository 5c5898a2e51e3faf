/* <string.h>: C11, POSIX, and the GNU and BSD functions in common use. */
#ifndef _STRING_H
#define _STRING_H

#include <bits/locale-types.h>
#include <stddef.h>
#include <strings.h>

void *memcpy(void *__restrict __to, const void *__restrict __from, size_t __n);
void *memmove(void *__to, const void *__from, size_t __n);
void *memset(void *__memory, int __byte, size_t __n);
int memcmp(const void *__a, const void *__b, size_t __n);
void *memchr(const void *__memory, int __byte, size_t __n);

char *strcpy(char *__restrict __to, const char *__restrict __from);
char *strncpy(char *__restrict __to, const char *__restrict __from, size_t __n);
char *strcat(char *__restrict __to, const char *__restrict __from);
char *strncat(char *__restrict __to, const char *__restrict __from, size_t __n);
int strcmp(const char *__a, const char *__b);
int strncmp(const char *__a, const char *__b, size_t __n);
int strcoll(const char *__a, const char *__b);
size_t strxfrm(char *__restrict __to, const char *__restrict __from, size_t __n);
char *strchr(const char *__text, int __c);
char *strrchr(const char *__text, int __c);
size_t strcspn(const char *__text, const char *__reject);
size_t strspn(const char *__text, const char *__accept);
char *strpbrk(const char *__text, const char *__accept);
char *strstr(const char *__text, const char *__part);
char *strtok(char *__restrict __text, const char *__restrict __delimiters);
size_t strlen(const char *__text);
char *strerror(int __error);

char *strtok_r(char *__restrict __text, const char *__restrict __delimiters, char **__restrict __state);
char *stpcpy(char *__restrict __to, const char *__restrict __from);
char *stpncpy(char *__restrict __to, const char *__restrict __from, size_t __n);
char *strdup(const char *__text);
char *strndup(const char *__text, size_t __n);
size_t strnlen(const char *__text, size_t __n);
char *strsignal(int __signal);
void *memccpy(void *__restrict __to, const void *__restrict __from, int __byte, size_t __n);
char *strerror_l(int __error, locale_t __locale);
int strcoll_l(const char *__a, const char *__b, locale_t __locale);
size_t strxfrm_l(char *__restrict __to, const char *__restrict __from, size_t __n, locale_t __locale);

void *mempcpy(void *__restrict __to, const void *__restrict __from, size_t __n);
void *memmem(const void *__memory, size_t __n, const void *__part, size_t __part_length);
void *memrchr(const void *__memory, int __byte, size_t __n);
void *rawmemchr(const void *__memory, int __byte);
void *memset_explicit(void *__memory, int __byte, size_t __n);
char *strchrnul(const char *__text, int __c);
char *strcasestr(const char *__text, const char *__part);
void *memfrob(void *__memory, size_t __n);
char *strsep(char **__restrict __text, const char *__restrict __delimiters);
size_t strlcpy(char *__restrict __to, const char *__restrict __from, size_t __size);
size_t strlcat(char *__restrict __to, const char *__restrict __from, size_t __size);
int strverscmp(const char *__a, const char *__b);
const char *strerrorname_np(int __error);
const char *strerrordesc_np(int __error);
const char *sigabbrev_np(int __signal);
const char *sigdescr_np(int __signal);

#define strdupa(text) \
  (__extension__({ \
    const char *__text = (text); \
    size_t __size = strlen(__text) + 1; \
    (char *)memcpy(__builtin_alloca(__size), __text, __size); \
  }))
#define strndupa(text, most) \
  (__extension__({ \
    const char *__text = (text); \
    size_t __length = strnlen(__text, most); \
    char *__copy = (char *)__builtin_alloca(__length + 1); \
    __copy[__length] = 0; \
    (char *)memcpy(__copy, __text, __length); \
  }))

/*
 * Two functions have one name: POSIX's fills the buffer and returns an error number; GNU's returns
 * the text.
 */
#ifdef _GNU_SOURCE
char *strerror_r(int __error, char *__buffer, size_t __size) __asm__("__gnu_strerror_r");
#ifndef basename
char *basename(const char *__path) __asm__("__gnu_basename");
#endif
#else
int strerror_r(int __error, char *__buffer, size_t __size);
#endif

#endif
