/*
 * cexp, clog, cpow.
 *
 * e^(x + iy) = e^x (cos y + i sin y). With y = 0 the result is real, which keeps 0 * infinity out.
 * Where e^x alone overflows the scale is applied in two steps.
 */
#include <complex.h>
#include <math.h>

#define DEFINE(type, s, make, limit) \
  type complex cexp##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (y == 0) return make(exp##s(x), y); \
    if (!isfinite(y)) { \
      if (!isinf(x)) return make(y - y, y - y); \
      return x > 0 ? make(x, y - y) : make(0, copysign##s(0, y)); \
    } \
    if (isinf(x) && x < 0) return make(copysign##s(0, cos##s(y)), copysign##s(0, sin##s(y))); \
    type half = x > limit ? limit : 0, scale = exp##s(x - half); \
    type complex result = make(scale * cos##s(y), scale * sin##s(y)); \
    if (half == 0) return result; \
    scale = exp##s(half); \
    return make(__real__ result * scale, __imag__ result * scale); \
  } \
  /* Near |z| = 1 the logarithm of the modulus is log1p of |z|² - 1 = (a - 1)(a + 1) + b², */ \
  /* where a is the larger part. */ \
  type complex clog##s(type complex z) { \
    type x = fabs##s(__real__ z), y = fabs##s(__imag__ z); \
    type larger = fmax##s(x, y), smaller = fmin##s(x, y), modulus = hypot##s(x, y); \
    int near_one = modulus > (type)0.5 && modulus < 2; \
    type real = near_one ? log1p##s((larger - 1) * (larger + 1) + smaller * smaller) / 2 : log##s(modulus); \
    return make(real, carg##s(z)); \
  } \
  type complex cpow##s(type complex x, type complex y) { \
    if (y == 0) return 1; \
    return cexp##s(y * clog##s(x)); \
  }

DEFINE(double, , CMPLX, 700)
DEFINE(float, f, CMPLXF, 80)
DEFINE(long double, l, CMPLXL, 11000)
