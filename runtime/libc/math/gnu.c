/* The functions of <math.h> that are not in the standard: significand, scalb, finite, pow10. */
#include <math.h>

#define DEFINE(type, s) \
  int finite##s(type x) { return isfinite(x); } \
  type significand##s(type x) { return x == 0 || !isfinite(x) ? x : scalbn##s(x, -ilogb##s(x)); } \
  type pow10##s(type x) { return exp10##s(x); } \
  type scalb##s(type x, type exponent) { \
    if (isnan(x) || isnan(exponent)) return x + exponent; \
    if (isinf(exponent)) return exponent > 0 ? x * exponent : x / -exponent; \
    if (rint##s(exponent) != exponent) return NAN; \
    return scalbn##s(x, exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent); \
  }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
