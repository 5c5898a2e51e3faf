#ifndef _LIBGEN_H
#define _LIBGEN_H 1

#ifdef __cplusplus
extern "C" {
#endif

char *dirname(char *__path);
char *__xpg_basename(char *__path);
/* As in glibc: with this header basename is POSIX's, which may write to its argument. */
#define basename __xpg_basename

#ifdef __cplusplus
}
#endif

#endif
