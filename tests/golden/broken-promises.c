// engines: check explore
// cases: 12
// Values that their types do not have, builtins without a result, and null where an attribute promises that there is none.
#include "cases.h"

#include <stdbool.h>

#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif

static volatile long sink;
static unsigned char byte = BUGGY(123, 1);

static void bool_of_a_byte(void) {
  sink = *(bool *)&byte ? 1 : 0; //~ ERROR unreachable-reached
}

struct options {
  bool quiet, verbose;
};

static void bool_member(void) {
  unsigned char bytes[2] = {1, BUGGY(2, 0)};
  struct options options;
  memcpy(&options, bytes, sizeof options);
  if (options.quiet) sink = 1;
  if (options.verbose) sink = 2; //~ ERROR unreachable-reached
}

static void bool_never_written(void) {
  bool *flag = malloc(sizeof *flag);
  BUGGY(, *flag = true);
  if (*flag) sink = 1; //~ ERROR uninitialized-read
  free(flag);
}

static void trailing_zeros(void) {
  unsigned n = (unsigned)opaque(BUGGY(0, 8));
  sink = __builtin_ctz(n); //~ ERROR unreachable-reached
}

static void leading_zeros(void) {
  unsigned long n = (unsigned long)opaque(BUGGY(0, 8));
  sink = __builtin_clzl(n); //~ ERROR unreachable-reached
}

static void trailing_zeros_of_long_long(void) {
  unsigned long long n = (unsigned long long)opaque(BUGGY(0, 8));
  sink = __builtin_ctzll(n); //~ ERROR unreachable-reached
}

static void other_counts(void) {
  sink = __builtin_popcount((unsigned)opaque(0)) + __builtin_ffs((int)opaque(0)) + __builtin_parity((unsigned)opaque(0));
  int array[1] = {0};
  sink = array[opaque(BUGGY(1, 0))]; //~ ERROR stack-buffer-overflow
}

__attribute__((returns_nonnull, noinline)) static char *same(char *p) {
  return p; //~ ERROR null-dereference
}

static void null_result(void) {
  char text[] = "text";
  sink = same(opaque(BUGGY(1, 0)) ? NULL : text) == text;
}

__attribute__((nonnull(2), noinline)) static int first(const char *other, const char *text) {
  return text == other;
}

static void null_argument(void) {
  char text[] = "text";
  sink = first(NULL, opaque(BUGGY(1, 0)) ? NULL : text); //~ ERROR null-dereference
}

__attribute__((nonnull, noinline)) static int all(const char *one, const char *other) { return one == other; }

static void any_null_argument(void) {
  char text[] = "text";
  sink = all(text, opaque(BUGGY(1, 0)) ? NULL : text); //~ ERROR null-dereference
}

static void false_assumption(void) {
  long n = opaque(BUGGY(3, 8));
  __builtin_assume(n > 5); //~ ERROR unreachable-reached
  sink = n;
}

static void bool_argument(void) {
  bool flags[2] = {true, false};
  ((unsigned char *)flags)[1] = (unsigned char)opaque(BUGGY(4, 1));
  sink = abs(flags[1]); //~ ERROR unreachable-reached
}

CASES(bool_of_a_byte, bool_member, bool_never_written, trailing_zeros, leading_zeros, trailing_zeros_of_long_long, other_counts,
      null_result, null_argument, any_null_argument, false_assumption, bool_argument)
