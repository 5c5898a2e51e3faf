#ifndef _GLOB_H
#define _GLOB_H 1

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOESCAPE 64
#define GLOB_PERIOD 128
#define GLOB_BRACE 1024
#define GLOB_NOMAGIC 2048
#define GLOB_TILDE 4096
#define GLOB_ONLYDIR 8192
#define GLOB_TILDE_CHECK 16384

#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
#define GLOB_NOSYS 4

typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
  int gl_flags;
} glob_t;

int glob(const char *__restrict __pattern, int __flags, int (*__error)(const char *, int),
         glob_t *__restrict __result);
void globfree(glob_t *__result);

#ifdef __cplusplus
}
#endif

#endif
