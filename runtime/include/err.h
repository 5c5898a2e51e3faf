/* <err.h>: messages of the form "program: text: reason" */
#ifndef _ERR_H
#define _ERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define __rz_err_like(format, first) __attribute__((__format__(__printf__, format, first)))

_Noreturn void err(int __status, const char *__format, ...) __rz_err_like(2, 3);
_Noreturn void errx(int __status, const char *__format, ...) __rz_err_like(2, 3);
_Noreturn void verr(int __status, const char *__format, va_list __arguments) __rz_err_like(2, 0);
_Noreturn void verrx(int __status, const char *__format, va_list __arguments) __rz_err_like(2, 0);
void warn(const char *__format, ...) __rz_err_like(1, 2);
void warnx(const char *__format, ...) __rz_err_like(1, 2);
void vwarn(const char *__format, va_list __arguments) __rz_err_like(1, 0);
void vwarnx(const char *__format, va_list __arguments) __rz_err_like(1, 0);

#ifdef __cplusplus
}
#endif

#endif
