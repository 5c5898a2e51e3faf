/* A recursive-descent parser of expressions over N symbolic bytes: sums, products, signs, parentheses, digits. It counts operators. */
#include <klee/klee.h>

#ifndef N
#define N 8
#endif

static const char *at;
static int operators;

static int sum(void);

static int factor(void) {
  if (*at >= '0' && *at <= '9') {
    at++;
    return 1;
  }
  if (*at == '-') {
    at++;
    operators++;
    return factor();
  }
  if (*at != '(') return 0;
  at++;
  if (!sum() || *at != ')') return 0;
  at++;
  return 1;
}

static int product(void) {
  if (!factor()) return 0;
  while (*at == '*' || *at == '/') {
    at++;
    operators++;
    if (!factor()) return 0;
  }
  return 1;
}

static int sum(void) {
  if (!product()) return 0;
  while (*at == '+' || *at == '-') {
    at++;
    operators++;
    if (!product()) return 0;
  }
  return 1;
}

int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, N, "text");
  text[N] = 0;
  at = text;
  if (!sum() || *at != 0) return 100;
  return operators;
}
