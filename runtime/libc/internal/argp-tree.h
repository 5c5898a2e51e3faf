/* What the parser of <argp.h> and the writer of its messages share; see argp-parse.c. */
#ifndef RZ_ARGP_TREE_H
#define RZ_ARGP_TREE_H

#include <argp.h>

/* The input of the parser of this argp in the running parse, for its help_filter; or null. */
void *__rz_argp_input(const struct argp *argp, const struct argp_state *state);

static inline int __rz_argp_is_end(const struct argp_option *option) {
  return !option->key && !option->name && !option->doc && !option->group;
}

static inline int __rz_argp_is_short(const struct argp_option *option) {
  return !(option->flags & OPTION_DOC) && option->key > 0 && option->key <= UCHAR_MAX && isprint(option->key);
}

#endif
