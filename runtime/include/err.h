/* <err.h>: messages of the form "program: text: reason" */
#ifndef _ERR_H
#define _ERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define __rz_err_like(format, first) __attribute__((__format__(__printf__, format, first)))

_Noreturn void err(int status, const char *format, ...) __rz_err_like(2, 3);
_Noreturn void errx(int status, const char *format, ...) __rz_err_like(2, 3);
_Noreturn void verr(int status, const char *format, va_list arguments) __rz_err_like(2, 0);
_Noreturn void verrx(int status, const char *format, va_list arguments) __rz_err_like(2, 0);
void warn(const char *format, ...) __rz_err_like(1, 2);
void warnx(const char *format, ...) __rz_err_like(1, 2);
void vwarn(const char *format, va_list arguments) __rz_err_like(1, 0);
void vwarnx(const char *format, va_list arguments) __rz_err_like(1, 0);

#ifdef __cplusplus
}
#endif

#endif
