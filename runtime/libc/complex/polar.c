/* cabs, carg */
#include <complex.h>
#include <math.h>

#define DEFINE(type, s) \
  type cabs##s(type complex z) { return hypot##s(__real__ z, __imag__ z); } \
  type carg##s(type complex z) { return atan2##s(__imag__ z, __real__ z); }

DEFINE(double, )
DEFINE(float, f)
DEFINE(long double, l)
