/* trunc, truncf, truncl */
#include <math.h>

#include "floating.h"

double trunc(double x) { return __builtin_trunc(x); }

float truncf(float x) { return __builtin_truncf(x); }

__rz_quad truncl(__rz_quad x) {
  __rz_u128 bits = __rz_quad_bits(x);
  int exponent = ((int)(bits >> 112) & __RZ_QUAD_MAX_EXPONENT) - __RZ_QUAD_BIAS;
  if (exponent >= 112) return x;
  if (exponent < 0) return __rz_quad_from(bits & __RZ_QUAD_SIGN);
  return __rz_quad_from(bits & ~(((__rz_u128)1 << (112 - exponent)) - 1));
}
