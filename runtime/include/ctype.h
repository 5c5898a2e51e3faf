/*
 * <ctype.h>: classes of bytes. The locale is always ASCII for single bytes, so bytes above 127 are
 * in no class.
 */
#ifndef _CTYPE_H
#define _CTYPE_H

#include <bits/locale-types.h>

int isalnum(int __c);
int isalpha(int __c);
int isblank(int __c);
int iscntrl(int __c);
int isdigit(int __c);
int isgraph(int __c);
int islower(int __c);
int isprint(int __c);
int ispunct(int __c);
int isspace(int __c);
int isupper(int __c);
int isxdigit(int __c);
int tolower(int __c);
int toupper(int __c);

int isascii(int __c);
int toascii(int __c);
#define _tolower(c) ((c) | 0x20)
#define _toupper(c) ((c) & 0x5f)

int isalnum_l(int __c, locale_t __locale);
int isalpha_l(int __c, locale_t __locale);
int isblank_l(int __c, locale_t __locale);
int iscntrl_l(int __c, locale_t __locale);
int isdigit_l(int __c, locale_t __locale);
int isgraph_l(int __c, locale_t __locale);
int islower_l(int __c, locale_t __locale);
int isprint_l(int __c, locale_t __locale);
int ispunct_l(int __c, locale_t __locale);
int isspace_l(int __c, locale_t __locale);
int isupper_l(int __c, locale_t __locale);
int isxdigit_l(int __c, locale_t __locale);
int tolower_l(int __c, locale_t __locale);
int toupper_l(int __c, locale_t __locale);

#endif
