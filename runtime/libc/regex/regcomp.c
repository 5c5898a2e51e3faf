#include "regex-program.h"

#include <stdlib.h>

void __rz_regex_free(struct __rz_regex *regex) {
  free(regex->nodes);
  free(regex->sets);
  free(regex->code[FORWARD].at);
  free(regex->code[BACKWARD].at);
  free(regex);
}

int regcomp(regex_t *restrict result, const char *restrict pattern, int flags) {
  *result = (regex_t){.__flags = flags};
  struct __rz_regex *regex = calloc(1, sizeof *regex);
  if (!regex) return REG_ESPACE;
  regex->flags = flags;
  int error = __rz_regex_parse(regex, pattern);
  if (!error) error = __rz_regex_compile(regex);
  if (error) {
    __rz_regex_free(regex);
    return error;
  }
  result->re_nsub = (size_t)regex->group_count;
  result->__program = regex;
  return 0;
}

void regfree(regex_t *result) {
  if (result->__program) __rz_regex_free(result->__program);
  result->__program = 0;
}
