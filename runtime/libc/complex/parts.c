/* creal, cimag, conj, cproj */
#include <complex.h>
#include <math.h>

#define DEFINE(type, s, make) \
  type creal##s(type complex z) { return __real__ z; } \
  type cimag##s(type complex z) { return __imag__ z; } \
  type complex conj##s(type complex z) { return make(__real__ z, -__imag__ z); } \
  type complex cproj##s(type complex z) { \
    int infinite = isinf(__real__ z) || isinf(__imag__ z); \
    return infinite ? make(INFINITY, copysign##s(0, __imag__ z)) : z; \
  }

DEFINE(double, , CMPLX)
DEFINE(float, f, CMPLXF)
DEFINE(long double, l, CMPLXL)
