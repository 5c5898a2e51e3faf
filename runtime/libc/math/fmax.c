/* fmax, fmin, fdim. A NaN counts as missing data: the other argument is the result. */
#include <errno.h>
#include <math.h>

#define DEFINE(type, s) \
  type fmax##s(type x, type y) { \
    if (isnan(x)) return y; \
    if (x == y) return signbit(x) ? y : x; \
    return x < y ? y : x; \
  } \
  type fmin##s(type x, type y) { \
    if (isnan(x)) return y; \
    if (x == y) return signbit(x) ? x : y; \
    return x > y ? y : x; \
  } \
  type fdim##s(type x, type y) { \
    if (isnan(x) || isnan(y)) return x + y; \
    if (x <= y) return 0; \
    type difference = x - y; \
    if (isinf(difference) && !isinf(x) && !isinf(y)) errno = ERANGE; \
    return difference; \
  }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
