/* <string.h>: C11, POSIX, and the GNU and BSD functions in common use. */
#ifndef _STRING_H
#define _STRING_H

#include <bits/locale-types.h>
#include <stddef.h>
#include <strings.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *memory, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *memory, int byte, size_t n);

char *strcpy(char *restrict to, const char *restrict from);
char *strncpy(char *restrict to, const char *restrict from, size_t n);
char *strcat(char *restrict to, const char *restrict from);
char *strncat(char *restrict to, const char *restrict from, size_t n);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int strcoll(const char *a, const char *b);
size_t strxfrm(char *restrict to, const char *restrict from, size_t n);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
size_t strcspn(const char *text, const char *reject);
size_t strspn(const char *text, const char *accept);
char *strpbrk(const char *text, const char *accept);
char *strstr(const char *text, const char *part);
char *strtok(char *restrict text, const char *restrict delimiters);
size_t strlen(const char *text);
char *strerror(int error);

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state);
char *stpcpy(char *restrict to, const char *restrict from);
char *stpncpy(char *restrict to, const char *restrict from, size_t n);
char *strdup(const char *text);
char *strndup(const char *text, size_t n);
size_t strnlen(const char *text, size_t n);
char *strsignal(int signal);
void *memccpy(void *restrict to, const void *restrict from, int byte, size_t n);
char *strerror_l(int error, locale_t locale);
int strcoll_l(const char *a, const char *b, locale_t locale);
size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t locale);

void *mempcpy(void *restrict to, const void *restrict from, size_t n);
void *memmem(const void *memory, size_t n, const void *part, size_t part_length);
void *memrchr(const void *memory, int byte, size_t n);
void *rawmemchr(const void *memory, int byte);
void *memset_explicit(void *memory, int byte, size_t n);
char *strchrnul(const char *text, int c);
char *strcasestr(const char *text, const char *part);
char *strnstr(const char *text, const char *part, size_t n);
char *strsep(char **restrict text, const char *restrict delimiters);
size_t strlcpy(char *restrict to, const char *restrict from, size_t size);
size_t strlcat(char *restrict to, const char *restrict from, size_t size);
int strverscmp(const char *a, const char *b);
const char *strerrorname_np(int error);
const char *strerrordesc_np(int error);
const char *sigabbrev_np(int signal);
const char *sigdescr_np(int signal);

#define strdupa(text) \
  (__extension__({ \
    const char *__text = (text); \
    size_t __size = strlen(__text) + 1; \
    (char *)memcpy(__builtin_alloca(__size), __text, __size); \
  }))

/* Two functions have one name: POSIX's fills the buffer and returns an error number; GNU's returns the text. */
#ifdef _GNU_SOURCE
char *strerror_r(int error, char *buffer, size_t size) __asm__("__gnu_strerror_r");
#ifndef basename
char *basename(const char *path) __asm__("__gnu_basename");
#endif
#else
int strerror_r(int error, char *buffer, size_t size);
#endif

#endif
