/* <uchar.h>: UTF-16 and UTF-32 characters. */
#ifndef _UCHAR_H
#define _UCHAR_H

#include <bits/wchar-types.h>
#include <stddef.h>

#ifndef __cplusplus
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#endif

size_t mbrtoc16(char16_t *__restrict __unit, const char *__restrict __text, size_t __n, mbstate_t *__restrict __state);
size_t c16rtomb(char *__restrict __text, char16_t __unit, mbstate_t *__restrict __state);
size_t mbrtoc32(char32_t *__restrict __unit, const char *__restrict __text, size_t __n, mbstate_t *__restrict __state);
size_t c32rtomb(char *__restrict __text, char32_t __unit, mbstate_t *__restrict __state);

#endif
