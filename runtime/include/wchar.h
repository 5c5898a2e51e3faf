/* <wchar.h>: wide characters are Unicode code points, multibyte text is UTF-8. */
#ifndef _WCHAR_H
#define _WCHAR_H

#include <bits/locale-types.h>
#include <bits/types.h>
#include <bits/wchar-types.h>
#include <stdarg.h>
#include <stddef.h>

#ifndef WCHAR_MAX
#define WCHAR_MIN (-2147483647 - 1)
#define WCHAR_MAX 2147483647
#endif

struct tm;
typedef __rz_FILE FILE;

/* Conversion. */
wint_t btowc(int __byte);
int wctob(wint_t __c);
int mbsinit(const mbstate_t *__state);
size_t mbrlen(const char *__restrict __text, size_t __n, mbstate_t *__restrict __state);
size_t mbrtowc(wchar_t *__restrict __wide, const char *__restrict __text, size_t __n, mbstate_t *__restrict __state);
size_t wcrtomb(char *__restrict __text, wchar_t __wide, mbstate_t *__restrict __state);
size_t mbsrtowcs(wchar_t *__restrict __wide, const char **__restrict __text, size_t __n, mbstate_t *__restrict __state);
size_t wcsrtombs(char *__restrict __text, const wchar_t **__restrict __wide, size_t __n, mbstate_t *__restrict __state);
size_t mbsnrtowcs(wchar_t *__restrict __wide, const char **__restrict __text, size_t __bytes, size_t __n, mbstate_t *__restrict __state);
size_t wcsnrtombs(char *__restrict __text, const wchar_t **__restrict __wide, size_t __wides, size_t __n, mbstate_t *__restrict __state);

/* Strings and memory. */
size_t wcslen(const wchar_t *__text);
size_t wcsnlen(const wchar_t *__text, size_t __n);
wchar_t *wcscpy(wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcsncpy(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
wchar_t *wcpcpy(wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcpncpy(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
wchar_t *wcscat(wchar_t *__restrict __to, const wchar_t *__restrict __from);
wchar_t *wcsncat(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
size_t wcslcpy(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __size);
size_t wcslcat(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __size);
wchar_t *wcsdup(const wchar_t *__text);
int wcscmp(const wchar_t *__a, const wchar_t *__b);
int wcsncmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
int wcscasecmp(const wchar_t *__a, const wchar_t *__b);
int wcsncasecmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
int wcscoll(const wchar_t *__a, const wchar_t *__b);
size_t wcsxfrm(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
wchar_t *wcschr(const wchar_t *__text, wchar_t __c);
wchar_t *wcsrchr(const wchar_t *__text, wchar_t __c);
wchar_t *wcschrnul(const wchar_t *__text, wchar_t __c);
size_t wcscspn(const wchar_t *__text, const wchar_t *__reject);
size_t wcsspn(const wchar_t *__text, const wchar_t *__accept);
wchar_t *wcspbrk(const wchar_t *__text, const wchar_t *__accept);
wchar_t *wcsstr(const wchar_t *__text, const wchar_t *__part);
wchar_t *wcswcs(const wchar_t *__text, const wchar_t *__part);
wchar_t *wcstok(wchar_t *__restrict __text, const wchar_t *__restrict __delimiters, wchar_t **__restrict __state);
wchar_t *wmemchr(const wchar_t *__memory, wchar_t __c, size_t __n);
int wmemcmp(const wchar_t *__a, const wchar_t *__b, size_t __n);
wchar_t *wmemcpy(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
wchar_t *wmemmove(wchar_t *__to, const wchar_t *__from, size_t __n);
wchar_t *wmempcpy(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n);
wchar_t *wmemset(wchar_t *__memory, wchar_t __c, size_t __n);
int wcwidth(wchar_t __c);
int wcswidth(const wchar_t *__text, size_t __n);
int wcscasecmp_l(const wchar_t *__a, const wchar_t *__b, locale_t __locale);
int wcsncasecmp_l(const wchar_t *__a, const wchar_t *__b, size_t __n, locale_t __locale);
int wcscoll_l(const wchar_t *__a, const wchar_t *__b, locale_t __locale);
size_t wcsxfrm_l(wchar_t *__restrict __to, const wchar_t *__restrict __from, size_t __n, locale_t __locale);

/* Numbers and dates. */
long wcstol(const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
unsigned long wcstoul(const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
long long wcstoll(const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
unsigned long long wcstoull(const wchar_t *__restrict __text, wchar_t **__restrict __end, int __base);
double wcstod(const wchar_t *__restrict __text, wchar_t **__restrict __end);
float wcstof(const wchar_t *__restrict __text, wchar_t **__restrict __end);
long double wcstold(const wchar_t *__restrict __text, wchar_t **__restrict __end);
size_t wcsftime(wchar_t *__restrict __text, size_t __size, const wchar_t *__restrict __format, const struct tm *__restrict __broken_down);

/* Streams. */
wint_t fgetwc(FILE *__stream);
wint_t getwc(FILE *__stream);
wint_t getwchar(void);
wchar_t *fgetws(wchar_t *__restrict __text, int __size, FILE *__restrict __stream);
wint_t fputwc(wchar_t __c, FILE *__stream);
wint_t putwc(wchar_t __c, FILE *__stream);
wint_t putwchar(wchar_t __c);
int fputws(const wchar_t *__restrict __text, FILE *__restrict __stream);
wint_t ungetwc(wint_t __c, FILE *__stream);
int fwide(FILE *__stream, int __mode);
FILE *open_wmemstream(wchar_t **__text, size_t *__length);
int wprintf(const wchar_t *__restrict __format, ...);
int fwprintf(FILE *__restrict __stream, const wchar_t *__restrict __format, ...);
int swprintf(wchar_t *__restrict __text, size_t __size, const wchar_t *__restrict __format, ...);
int vwprintf(const wchar_t *__restrict __format, va_list __arguments);
int vfwprintf(FILE *__restrict __stream, const wchar_t *__restrict __format, va_list __arguments);
int vswprintf(wchar_t *__restrict __text, size_t __size, const wchar_t *__restrict __format, va_list __arguments);
int wscanf(const wchar_t *__restrict __format, ...);
int fwscanf(FILE *__restrict __stream, const wchar_t *__restrict __format, ...);
int swscanf(const wchar_t *__restrict __text, const wchar_t *__restrict __format, ...);
int vwscanf(const wchar_t *__restrict __format, va_list __arguments);
int vfwscanf(FILE *__restrict __stream, const wchar_t *__restrict __format, va_list __arguments);
int vswscanf(const wchar_t *__restrict __text, const wchar_t *__restrict __format, va_list __arguments);

#endif
