/* frexp: x = fraction * 2^exponent with the fraction in [1/2, 1). */
#include <math.h>

#include "floating.h"

double frexp(double x, int *exponent) {
  uint64_t bits = __rz_double_bits(x);
  int field = (int)(bits >> 52) & 0x7ff;
  if (field == 0x7ff || x == 0) {
    *exponent = 0;
    return x;
  }
  if (field == 0) { /* subnormal */
    double fraction = frexp(x * 0x1p54, exponent);
    *exponent -= 54;
    return fraction;
  }
  *exponent = field - 1022;
  return __rz_double_from((bits & ~((uint64_t)0x7ff << 52)) | (uint64_t)1022 << 52);
}

float frexpf(float x, int *exponent) { return (float)frexp(x, exponent); }

__rz_quad frexpl(__rz_quad x, int *exponent) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  *exponent = 0;
  if (parts.kind != __RZ_FINITE) return x;
  *exponent = parts.exponent - (__RZ_QUAD_BIAS - 1);
  return __rz_quad_pack(parts.negative, __RZ_QUAD_BIAS - 1, parts.significand << 3);
}
