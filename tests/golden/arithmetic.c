// engines: check
// cases: 16
// Arithmetic that C does not define.
#include <limits.h>

#include "cases.h"

static volatile long sink;

static int int_of(long value) { return (int)opaque(value); }

static void addition(void) {
  sink = int_of(INT_MAX) + int_of(BUGGY(1, 0)); //~ ERROR signed-overflow
}

static void subtraction(void) {
  sink = int_of(INT_MIN) - int_of(BUGGY(1, 0)); //~ ERROR signed-overflow
}

static void multiplication(void) {
  sink = int_of(BUGGY(65536, 256)) * int_of(65536); //~ ERROR signed-overflow
}

static void negation(void) {
  sink = -int_of(BUGGY(INT_MIN, INT_MAX)); //~ ERROR signed-overflow
}

static void absolute_value(void) {
  sink = abs(int_of(BUGGY(INT_MIN, -INT_MAX))); //~ ERROR signed-overflow
}

static void increment(void) {
  int i = int_of(BUGGY(INT_MAX, 1));
  i++; //~ ERROR signed-overflow
  sink = i;
}

static void long_addition(void) {
  sink = opaque(LONG_MAX) + opaque(BUGGY(1, -1)); //~ ERROR signed-overflow
}

static void division(void) {
  sink = int_of(7) / int_of(BUGGY(0, 1)); //~ ERROR division-by-zero
}

static void remainder_(void) {
  sink = (unsigned long)opaque(7) % (unsigned long)opaque(BUGGY(0, 1)); //~ ERROR division-by-zero
}

static void smallest_by_minus_one(void) {
  sink = int_of(INT_MIN) / int_of(BUGGY(-1, 1)); //~ ERROR signed-overflow
}

static void shift_by_too_much(void) {
  sink = 1u << int_of(BUGGY(32, 31)); //~ ERROR shift-out-of-bounds
}

static void shift_by_a_negative_number(void) {
  sink = 1ul >> int_of(BUGGY(-1, 1)); //~ ERROR shift-out-of-bounds
}

static void shift_of_a_negative_number(void) {
  sink = int_of(BUGGY(-1, 1)) << 2; //~ ERROR shift-out-of-bounds
}

static void float_to_int(void) {
  double x = (double)opaque(BUGGY(5000000000, 5));
  sink = (int)x; //~ ERROR float-cast-overflow
}

static void not_a_number_to_int(void) {
  double zero = (double)opaque(0), x = BUGGY(zero / zero, zero);
  sink = (long)x; //~ ERROR float-cast-overflow
}

static void unreachable(void) {
  if (opaque(BUGGY(1, 0))) __builtin_unreachable(); //~ ERROR unreachable-reached
}

CASES(addition, subtraction, multiplication, negation, absolute_value, increment, long_addition, division, remainder_, smallest_by_minus_one,
      shift_by_too_much, shift_by_a_negative_number, shift_of_a_negative_number, float_to_int, not_a_number_to_int, unreachable)
