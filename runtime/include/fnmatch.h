#ifndef _FNMATCH_H
#define _FNMATCH_H 1

#ifdef __cplusplus
extern "C" {
#endif

#define FNM_PATHNAME 1
#define FNM_FILE_NAME FNM_PATHNAME
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_LEADING_DIR 8
#define FNM_CASEFOLD 16
#define FNM_EXTMATCH 32

#define FNM_NOMATCH 1
#define FNM_NOSYS (-1)

int fnmatch(const char *__pattern, const char *__text, int __flags);

#ifdef __cplusplus
}
#endif

#endif
