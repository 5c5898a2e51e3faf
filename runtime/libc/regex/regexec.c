#include "regex-program.h"

#include <stdlib.h>
#include <string.h>

/* The match and all its groups, even if the caller does not request them. */
static int match_all(const struct __rz_regex *regex, const struct __rz_regex_text *text, size_t wanted,
                     regmatch_t *matches) {
  if (regex->has_backrefs) return __rz_regex_backtrack(regex, text, matches);
  const int error = __rz_regex_search(regex, text, matches);
  if (error || wanted <= 1 || regex->group_count == 0) return error;
  return __rz_regex_submatches(regex, text, matches);
}

int regexec(const regex_t *restrict compiled, const char *restrict string, size_t count, regmatch_t *restrict matches,
            int flags) {
  const struct __rz_regex *regex = compiled->__program;
  struct __rz_regex_text text = {.bytes = (const unsigned char *)string, .flags = flags};
  if (flags & REG_STARTEND) {
    text.begin = (size_t)matches[0].rm_so;
    text.end = (size_t)matches[0].rm_eo;
  } else {
    text.end = strlen(string);
  }
  const size_t wanted = regex->flags & REG_NOSUB ? 0 : count;
  const size_t found = (size_t)regex->group_count + 1;
  regmatch_t *all = malloc(found * sizeof *all);
  if (!all) return REG_ESPACE;
  const int error = match_all(regex, &text, wanted, all);
  for (size_t i = 0; i < wanted && !error; i++) matches[i] = i < found ? all[i] : (regmatch_t){-1, -1};
  free(all);
  return error;
}
