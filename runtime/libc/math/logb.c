/* logb, ilogb: the exponent of x, as if subnormal numbers had one of their own. */
#include <errno.h>
#include <limits.h>
#include <math.h>

#define DEFINE(type, s) \
  int ilogb##s(type x) { \
    if (x == 0 || isnan(x) || isinf(x)) { \
      errno = EDOM; \
      return x == 0 ? FP_ILOGB0 : isnan(x) ? FP_ILOGBNAN : INT_MAX; \
    } \
    int exponent; \
    frexp##s(x, &exponent); \
    return exponent - 1; \
  } \
  type logb##s(type x) { \
    if (isnan(x) || isinf(x)) return x * x; \
    if (x == 0) { \
      errno = ERANGE; \
      return -(type)INFINITY; \
    } \
    int exponent; \
    frexp##s(x, &exponent); \
    return (type)(exponent - 1); \
  }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
