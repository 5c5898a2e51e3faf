/* <monetary.h>: strfmon */
#ifndef _MONETARY_H
#define _MONETARY_H

#include <bits/locale-types.h>
#include <bits/types.h>
#include <stddef.h>

typedef __rz_ssize_t ssize_t;

ssize_t strfmon(char *__restrict __text, size_t __n, const char *__restrict __format, ...)
    __attribute__((__format__(__strfmon__, 3, 4)));
ssize_t strfmon_l(char *__restrict __text, size_t __n, locale_t __locale, const char *__restrict __format, ...)
    __attribute__((__format__(__strfmon__, 4, 5)));

#endif
