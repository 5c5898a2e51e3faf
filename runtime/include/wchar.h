/* <wchar.h>: wide characters are Unicode code points, multibyte text is UTF-8. */
#ifndef _WCHAR_H
#define _WCHAR_H

#include <bits/locale-types.h>
#include <bits/wchar-types.h>
#include <stdarg.h>
#include <stddef.h>

#ifndef WCHAR_MAX
#define WCHAR_MIN (-2147483647 - 1)
#define WCHAR_MAX 2147483647
#endif

struct tm;
typedef struct __rz_file FILE;

/* Conversion. */
wint_t btowc(int byte);
int wctob(wint_t c);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *restrict text, size_t n, mbstate_t *restrict state);
size_t mbrtowc(wchar_t *restrict wide, const char *restrict text, size_t n, mbstate_t *restrict state);
size_t wcrtomb(char *restrict text, wchar_t wide, mbstate_t *restrict state);
size_t mbsrtowcs(wchar_t *restrict wide, const char **restrict text, size_t n, mbstate_t *restrict state);
size_t wcsrtombs(char *restrict text, const wchar_t **restrict wide, size_t n, mbstate_t *restrict state);
size_t mbsnrtowcs(wchar_t *restrict wide, const char **restrict text, size_t bytes, size_t n, mbstate_t *restrict state);
size_t wcsnrtombs(char *restrict text, const wchar_t **restrict wide, size_t wides, size_t n, mbstate_t *restrict state);

/* Strings and memory. */
size_t wcslen(const wchar_t *text);
size_t wcsnlen(const wchar_t *text, size_t n);
wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcpncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from);
wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
size_t wcslcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t size);
size_t wcslcat(wchar_t *restrict to, const wchar_t *restrict from, size_t size);
wchar_t *wcsdup(const wchar_t *text);
int wcscmp(const wchar_t *a, const wchar_t *b);
int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n);
int wcscasecmp(const wchar_t *a, const wchar_t *b);
int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n);
int wcscoll(const wchar_t *a, const wchar_t *b);
size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
wchar_t *wcschrnul(const wchar_t *text, wchar_t c);
size_t wcscspn(const wchar_t *text, const wchar_t *reject);
size_t wcsspn(const wchar_t *text, const wchar_t *accept);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wcswcs(const wchar_t *text, const wchar_t *part);
wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict delimiters, wchar_t **restrict state);
wchar_t *wmemchr(const wchar_t *memory, wchar_t c, size_t n);
int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n);
wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n);
wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n);
wchar_t *wmemset(wchar_t *memory, wchar_t c, size_t n);
int wcwidth(wchar_t c);
int wcswidth(const wchar_t *text, size_t n);
int wcscasecmp_l(const wchar_t *a, const wchar_t *b, locale_t locale);
int wcsncasecmp_l(const wchar_t *a, const wchar_t *b, size_t n, locale_t locale);
int wcscoll_l(const wchar_t *a, const wchar_t *b, locale_t locale);
size_t wcsxfrm_l(wchar_t *restrict to, const wchar_t *restrict from, size_t n, locale_t locale);

/* Numbers and dates. */
long wcstol(const wchar_t *restrict text, wchar_t **restrict end, int base);
unsigned long wcstoul(const wchar_t *restrict text, wchar_t **restrict end, int base);
long long wcstoll(const wchar_t *restrict text, wchar_t **restrict end, int base);
unsigned long long wcstoull(const wchar_t *restrict text, wchar_t **restrict end, int base);
double wcstod(const wchar_t *restrict text, wchar_t **restrict end);
float wcstof(const wchar_t *restrict text, wchar_t **restrict end);
long double wcstold(const wchar_t *restrict text, wchar_t **restrict end);
size_t wcsftime(wchar_t *restrict text, size_t size, const wchar_t *restrict format, const struct tm *restrict broken_down);

/* Streams. */
wint_t fgetwc(FILE *stream);
wint_t getwc(FILE *stream);
wint_t getwchar(void);
wchar_t *fgetws(wchar_t *restrict text, int size, FILE *restrict stream);
wint_t fputwc(wchar_t c, FILE *stream);
wint_t putwc(wchar_t c, FILE *stream);
wint_t putwchar(wchar_t c);
int fputws(const wchar_t *restrict text, FILE *restrict stream);
wint_t ungetwc(wint_t c, FILE *stream);
int fwide(FILE *stream, int mode);
FILE *open_wmemstream(wchar_t **text, size_t *length);
int wprintf(const wchar_t *restrict format, ...);
int fwprintf(FILE *restrict stream, const wchar_t *restrict format, ...);
int swprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, ...);
int vwprintf(const wchar_t *restrict format, va_list arguments);
int vfwprintf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments);
int vswprintf(wchar_t *restrict text, size_t size, const wchar_t *restrict format, va_list arguments);
int wscanf(const wchar_t *restrict format, ...);
int fwscanf(FILE *restrict stream, const wchar_t *restrict format, ...);
int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...);
int vwscanf(const wchar_t *restrict format, va_list arguments);
int vfwscanf(FILE *restrict stream, const wchar_t *restrict format, va_list arguments);
int vswscanf(const wchar_t *restrict text, const wchar_t *restrict format, va_list arguments);

#endif
