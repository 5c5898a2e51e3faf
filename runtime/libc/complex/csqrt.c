/*
 * csqrt: for x >= 0, sqrt(x + iy) = t + i y / (2t) with t = sqrt((|x| + |z|) / 2); for x < 0 the
 * parts change places. The argument is halved or doubled where the sum would overflow or lose bits.
 */
#include <complex.h>
#include <math.h>

#define DEFINE(type, s, make, large, small) \
  type complex csqrt##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (x == 0 && y == 0) return make(0, y); \
    if (isinf(y)) return make(INFINITY, y); \
    if (isnan(x)) return make(x, x); \
    if (isinf(x)) { \
      type other = isnan(y) ? y : 0; \
      return x > 0 ? make(x, isnan(y) ? y : copysign##s(0, y)) : make(fabs##s(other), copysign##s(x, y)); \
    } \
    if (isnan(y)) return make(y, y); \
    type size = fmax##s(fabs##s(x), fabs##s(y)), scale = 1; \
    if (size > large) { \
      x /= 4, y /= 4, scale = 2; \
    } else if (size < small) { \
      x /= small * small, y /= small * small, scale = small; \
    } \
    type t = sqrt##s((fabs##s(x) + hypot##s(x, y)) / 2), other = y / (2 * t); \
    if (x >= 0) return make(t * scale, other * scale); \
    return make(fabs##s(other) * scale, copysign##s(t, y) * scale); \
  }

DEFINE(double, , CMPLX, 0x1p1020, 0x1p-100)
DEFINE(float, f, CMPLXF, 0x1p120f, 0x1p-20f)
DEFINE(long double, l, CMPLXL, 0x1p16000L, 0x1p-200L)
