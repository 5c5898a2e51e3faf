/* $((...)): integers, variables of the environment, + - * / %, unary + and -, parentheses. */
#include "wordexp-state.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>

struct reader {
  const char *at;
  int error;
};

static void skip_blanks(struct reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static long sum(struct reader *r);

static long variable(struct reader *r) {
  char name[128];
  size_t length = 0;
  if (*r->at == '$') r->at++;
  for (; isalnum((unsigned char)*r->at) || *r->at == '_'; r->at++) {
    if (length + 1 < sizeof name) name[length++] = *r->at;
  }
  name[length] = 0;
  const char *value = length ? getenv(name) : 0;
  if (length == 0) r->error = WRDE_SYNTAX;
  return value ? strtol(value, 0, 0) : 0;
}

static long factor(struct reader *r) {
  skip_blanks(r);
  const char c = *r->at;
  if (c == '-' || c == '+') {
    r->at++;
    const long value = factor(r);
    return c == '-' ? (long)-(unsigned long)value : value;
  }
  if (c == '(') {
    r->at++;
    const long value = sum(r);
    skip_blanks(r);
    if (*r->at == ')') r->at++;
    else r->error = WRDE_SYNTAX;
    return value;
  }
  if (!isdigit((unsigned char)c)) return variable(r);
  char *end;
  const long value = strtol(r->at, &end, 0);
  r->at = end;
  return value;
}

/* Products wrap around, as in the shell's arithmetic. */
static long product(struct reader *r) {
  long value = factor(r);
  for (skip_blanks(r); !r->error && (*r->at == '*' || *r->at == '/' || *r->at == '%'); skip_blanks(r)) {
    const char operator = *r->at++;
    const long other = factor(r);
    if (operator == '*') value = (long)((unsigned long)value * (unsigned long)other);
    else if (other == 0 || (value == LONG_MIN && other == -1)) r->error = WRDE_SYNTAX;
    else value = operator == '/' ? value / other : value % other;
  }
  return value;
}

static long sum(struct reader *r) {
  long value = product(r);
  for (skip_blanks(r); !r->error && (*r->at == '+' || *r->at == '-'); skip_blanks(r)) {
    const char operator = *r->at++;
    const unsigned long other = (unsigned long)product(r);
    value = (long)(operator == '+' ? (unsigned long)value + other : (unsigned long)value - other);
  }
  return value;
}

int __rz_wordexp_arithmetic(const char **text, long *value) {
  struct reader r = {*text, 0};
  *value = sum(&r);
  *text = r.at;
  return r.error;
}
