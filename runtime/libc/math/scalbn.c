/* scalbn, scalbln, ldexp: x * 2^exponent, rounded once. */
#include <errno.h>
#include <math.h>

#include "floating.h"

static int clip(long value, int limit) { return value > limit ? limit : value < -limit ? -limit : (int)value; }

static double power_of_two(int exponent) { return __rz_double_from((uint64_t)(exponent + 1023) << 52); }

/*
 * Each multiplication is exact unless its result is subnormal. Going down, at least 2^-53 is left
 * after a step: if that step had to round, the final result is 0 anyway. So no result that is not 0
 * is rounded twice, which could err.
 */
static double scale(double x, int exponent) {
  exponent = clip(exponent, 2200);
  while (exponent > 1023) {
    x *= 0x1p1023;
    exponent -= 1023;
  }
  while (exponent < -1022) {
    x *= 0x1p-969;
    exponent += 969;
  }
  return x * power_of_two(exponent);
}

static double check(double result, double x) {
  if (isfinite(x) && x != 0 && (result == 0 || isinf(result))) errno = ERANGE;
  return result;
}

double scalbn(double x, int exponent) { return check(scale(x, exponent), x); }

double ldexp(double x, int exponent) { return scalbn(x, exponent); }

double scalbln(double x, long exponent) { return scalbn(x, clip(exponent, 100000)); }

/*
 * In double the scaled value of a float is exact, or so small or large that it becomes 0 or
 * infinity anyway.
 */
float scalbnf(float x, int exponent) { return (float)check((float)((double)x * power_of_two(clip(exponent, 400))), x); }

float ldexpf(float x, int exponent) { return scalbnf(x, exponent); }

float scalblnf(float x, long exponent) { return scalbnf(x, clip(exponent, 100000)); }

__rz_quad scalbnl(__rz_quad x, int exponent) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  if (parts.kind != __RZ_FINITE) return x;
  __rz_quad result = __rz_quad_pack(parts.negative, parts.exponent + clip(exponent, 50000), parts.significand << 3);
  __rz_kind kind = __rz_quad_unpack(result).kind;
  if (kind == __RZ_ZERO || kind == __RZ_INFINITE) errno = ERANGE;
  return result;
}

__rz_quad ldexpl(__rz_quad x, int exponent) { return scalbnl(x, exponent); }

__rz_quad scalblnl(__rz_quad x, long exponent) { return scalbnl(x, clip(exponent, 100000)); }
