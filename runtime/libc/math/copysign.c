/* copysign, copysignf, copysignl */
#include <math.h>

#include "floating.h"

double copysign(double x, double y) { return __builtin_copysign(x, y); }

float copysignf(float x, float y) { return __builtin_copysignf(x, y); }

__rz_quad copysignl(__rz_quad x, __rz_quad y) {
  return __rz_quad_from((__rz_quad_bits(x) & ~__RZ_QUAD_SIGN) | (__rz_quad_bits(y) & __RZ_QUAD_SIGN));
}
