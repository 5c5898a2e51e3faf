/* <envz.h>: vectors of texts NAME=VALUE in one block, GNU. */
#ifndef _ENVZ_H
#define _ENVZ_H

#include <argz.h>

#ifdef __cplusplus
extern "C" {
#endif

char *envz_entry(const char *__restrict __envz, size_t __size, const char *__restrict __name);
char *envz_get(const char *__restrict __envz, size_t __size, const char *__restrict __name);
error_t envz_add(char **__restrict __envz, size_t *__restrict __size, const char *__restrict __name,
                 const char *__restrict __value);
error_t envz_merge(char **__restrict __envz, size_t *__restrict __size, const char *__restrict __other, size_t __other_size,
                   int __override);
void envz_remove(char **__restrict __envz, size_t *__restrict __size, const char *__restrict __name);
void envz_strip(char **__restrict __envz, size_t *__restrict __size);

#ifdef __cplusplus
}
#endif

#endif
