/* <argz.h>: vectors of texts, one after the other in one block, GNU. */
#ifndef _ARGZ_H
#define _ARGZ_H

#include <errno.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int error_t;

error_t argz_create(char *const __arguments[], char **__restrict __argz, size_t *__restrict __size);
error_t argz_create_sep(const char *__restrict __text, int __separator, char **__restrict __argz, size_t *__restrict __size);
size_t argz_count(const char *__argz, size_t __size);
void argz_extract(const char *__restrict __argz, size_t __size, char **__restrict __arguments);
void argz_stringify(char *__argz, size_t __size, int __separator);
error_t argz_append(char **__restrict __argz, size_t *__restrict __size, const char *__restrict __texts, size_t __more);
error_t argz_add(char **__restrict __argz, size_t *__restrict __size, const char *__restrict __text);
error_t argz_add_sep(char **__restrict __argz, size_t *__restrict __size, const char *__restrict __text, int __separator);
void argz_delete(char **__restrict __argz, size_t *__restrict __size, char *__restrict __entry);
error_t argz_insert(char **__restrict __argz, size_t *__restrict __size, char *__restrict __before,
                    const char *__restrict __entry);
error_t argz_replace(char **__restrict __argz, size_t *__restrict __size, const char *__restrict __text,
                     const char *__restrict __with, unsigned int *__restrict __count);
char *argz_next(const char *__restrict __argz, size_t __size, const char *__restrict __entry);

#ifdef __cplusplus
}
#endif

#endif
