/* <uchar.h>: UTF-16 and UTF-32 characters. */
#ifndef _UCHAR_H
#define _UCHAR_H

#include <bits/wchar-types.h>
#include <stddef.h>

#ifndef __cplusplus
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#endif

size_t mbrtoc16(char16_t *restrict unit, const char *restrict text, size_t n, mbstate_t *restrict state);
size_t c16rtomb(char *restrict text, char16_t unit, mbstate_t *restrict state);
size_t mbrtoc32(char32_t *restrict unit, const char *restrict text, size_t n, mbstate_t *restrict state);
size_t c32rtomb(char *restrict text, char32_t unit, mbstate_t *restrict state);

#endif
