#ifndef _REGEX_H
#define _REGEX_H 1

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  size_t re_nsub;          /* number of parenthesised groups */
  void *__program;
  int __flags;
} regex_t;

typedef int regoff_t;

typedef struct {
  regoff_t rm_so;
  regoff_t rm_eo;
} regmatch_t;

#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8

#define REG_NOTBOL 1
#define REG_NOTEOL 2
#define REG_STARTEND 4

#define RE_DUP_MAX 32767

typedef enum {
  REG_ENOSYS = -1,
  REG_NOERROR = 0,
  REG_NOMATCH,
  REG_BADPAT,
  REG_ECOLLATE,
  REG_ECTYPE,
  REG_EESCAPE,
  REG_ESUBREG,
  REG_EBRACK,
  REG_EPAREN,
  REG_EBRACE,
  REG_BADBR,
  REG_ERANGE,
  REG_ESPACE,
  REG_BADRPT,
  REG_EEND,
  REG_ESIZE,
  REG_ERPAREN
} reg_errcode_t;

int regcomp(regex_t *__restrict __regex, const char *__restrict __pattern, int __flags);
int regexec(const regex_t *__restrict __regex, const char *__restrict __text, size_t __count,
            regmatch_t *__restrict __matches, int __flags);
size_t regerror(int __code, const regex_t *__restrict __regex, char *__restrict __buffer, size_t __size);
void regfree(regex_t *__regex);

#ifdef __cplusplus
}
#endif

#endif
