/*
 * nextafter, nexttoward: the neighbour of x in the direction of y. The encodings of positive
 * numbers have the order of the numbers, so the encoding of the neighbour is one more or one
 * less.
 */
#include <errno.h>
#include <math.h>

#include "floating.h"

static double check(double result) {
  if (result == 0 || !isnormal(result)) errno = ERANGE; /* overflow or underflow */
  return result;
}

/* x and the direction are known to differ and not to be NaNs. */
static double step_double(double x, int up) {
  uint64_t bits = __rz_double_bits(x);
  if (x == 0) return check(__rz_double_from(1 | (uint64_t)!up << 63));
  return check(__rz_double_from((x > 0) == up ? bits + 1 : bits - 1));
}

static float step_float(float x, int up) {
  uint32_t bits = __rz_float_bits(x);
  float result = __rz_float_from(x == 0 ? 1 | (uint32_t)!up << 31 : (x > 0) == up ? bits + 1 : bits - 1);
  if (result == 0 || !isnormal(result)) errno = ERANGE;
  return result;
}

double nextafter(double x, double y) { return isnan(x) || isnan(y) ? x + y : x == y ? y : step_double(x, x < y); }

float nextafterf(float x, float y) { return isnan(x) || isnan(y) ? x + y : x == y ? y : step_float(x, x < y); }

long double nextafterl(long double x, long double y) {
  if (isnan(x) || isnan(y)) return x + y;
  if (x == y) return y;
  int up = x < y;
  __rz_u128 bits = __rz_quad_bits(x);
  if (x == 0) return (long double)__rz_quad_from(1 | (up ? 0 : __RZ_QUAD_SIGN));
  long double result = (long double)__rz_quad_from((x > 0) == up ? bits + 1 : bits - 1);
  if (result == 0 || !isnormal(result)) errno = ERANGE;
  return result;
}

double nexttoward(double x, long double y) { return isnan(x) || isnan(y) ? x + (double)y : x == y ? (double)y : step_double(x, x < y); }

float nexttowardf(float x, long double y) { return isnan(x) || isnan(y) ? x + (float)y : x == y ? (float)y : step_float(x, x < y); }

long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }
