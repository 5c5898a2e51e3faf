/* modf: the whole part is stored, the fraction returned; both have the sign of x. */
#include <math.h>

#define DEFINE(type, s) \
  type modf##s(type x, type *whole) { \
    *whole = trunc##s(x); \
    return copysign##s(isinf(x) ? 0 : x - *whole, x); \
  }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
