/* An evaluator of expressions over N symbolic bytes: numbers of several digits, sums, products, quotients, parentheses. The value is compared at the end. */
#include <klee/klee.h>
#ifndef N
#define N 7
#endif
static const char *at;
static int failed;
static int sum(void);
static int factor(void) {
  if (*at == '(') {
    at++;
    int v = sum();
    if (*at != ')') { failed = 1; return 0; }
    at++;
    return v;
  }
  if (*at < '0' || *at > '9') { failed = 1; return 0; }
  int v = 0;
  while (*at >= '0' && *at <= '9') v = v * 10 + (*at++ - '0');
  return v;
}
static int product(void) {
  int v = factor();
  while (!failed && (*at == '*' || *at == '/')) {
    char op = *at++;
    int w = factor();
    if (failed) return 0;
    if (op == '*') v *= w;
    else { if (w == 0) { failed = 1; return 0; } v /= w; }
  }
  return v;
}
static int sum(void) {
  int v = product();
  while (!failed && (*at == '+' || *at == '-')) {
    char op = *at++;
    int w = product();
    if (failed) return 0;
    if (op == '+') v += w; else v -= w;
  }
  return v;
}
int main(void) {
  char text[N + 1];
  klee_make_symbolic(text, N, "text");
  text[N] = 0;
  at = text;
  int v = sum();
  if (failed || *at != 0) return 1;
  if (v == 42) return 2;
  return 0;
}
