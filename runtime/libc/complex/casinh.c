/*
 * The inverse functions, after Kahan, "Branch cuts for complex elementary functions" (1987). With
 * real square roots of complex numbers the cuts and the signs of zeros come out by themselves:
 *
 *   acos z:  real 2 atan(Re sqrt(1 - z) / Re sqrt(1 + z)),   imaginary asinh(Im(conj(sqrt(1 + z)) sqrt(1 - z)))
 *   asin z:  real atan(x / Re(sqrt(1 - z) sqrt(1 + z))),     imaginary asinh(Im(conj(sqrt(1 - z)) sqrt(1 + z)))
 *   acosh z: real asinh(Re(conj(sqrt(z - 1)) sqrt(z + 1))),  imaginary 2 atan(Im sqrt(z - 1) / Re sqrt(z + 1))
 *   atanh z: real log(|1 + z| / |1 - z|) / 2 as log1p(4x / ((1 - x)² + y²)) / 4, imaginary half the angle between them
 *
 * asinh and atan turn the plane: asinh z = -i asin(iz), atan z = -i atanh(iz).
 */
#include <complex.h>
#include <math.h>

/*
 * Beyond the reciprocals of these, z² swallows 1 and may overflow; below them, a square may vanish.
 */
static const double tiny = 0x1p-100;
static const float tinyf = 0x1p-50f;
static const long double tinyl = 0x1p-200L;

#define DEFINE(type, s, make) \
  /* 1 + z and 1 - z with the imaginary zero of z and of -z, which a complex sum would lose */ \
  static type complex root_plus##s(type complex z) { return csqrt##s(make(1 + __real__ z, __imag__ z)); } \
  static type complex root_minus##s(type complex z) { return csqrt##s(make(1 - __real__ z, -__imag__ z)); } \
  static int is_large##s(type complex z) { return fmax##s(fabs##s(__real__ z), fabs##s(__imag__ z)) > 1 / tiny##s; } \
  type complex cacos##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (!isfinite(x) || !isfinite(y) || is_large##s(z)) { \
      if (isnan(x) && isnan(y)) return make(x, y); \
      if (isnan(x)) return isinf(y) ? make(x, -y) : make(x, x); \
      if (isnan(y) && !isinf(x)) return x == 0 ? make((type)M_PI_2l, y) : make(y, y); \
      if (isnan(y)) return make(y, -INFINITY); \
      return make(carg##s(make(x, fabs##s(y))), copysign##s(log##s(hypot##s(x / 2, y / 2)) + 2 * (type)M_LN2l, -y)); \
    } \
    type complex m = root_minus##s(z), p = root_plus##s(z); \
    type imaginary = __real__ p * __imag__ m - __imag__ p * __real__ m; \
    return make(2 * atan2##s(__real__ m, __real__ p), asinh##s(imaginary)); \
  } \
  type complex casin##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (!isfinite(x) || !isfinite(y) || is_large##s(z)) { \
      if (isnan(x) || isnan(y)) { \
        if (isinf(y)) return make(x, y); \
        if (isinf(x)) return make(y, fabs##s(x)); \
        if (x == 0) return make(x, y); \
        return make(x + y, x + y); \
      } \
      type angle = carg##s(make(fabs##s(x), fabs##s(y))); \
      return make(copysign##s((type)M_PI_2l - angle, x), copysign##s(log##s(hypot##s(x / 2, y / 2)) + 2 * (type)M_LN2l, y)); \
    } \
    type complex m = root_minus##s(z), p = root_plus##s(z); \
    type imaginary = __real__ m * __imag__ p - __imag__ m * __real__ p; \
    return make(atan2##s(x, __real__ m * __real__ p - __imag__ m * __imag__ p), asinh##s(imaginary)); \
  } \
  type complex cacosh##s(type complex z) { \
    type complex w = cacos##s(z); /* acosh z = i acos z or -i acos z, whichever has a real part that is not negative */ \
    if (isnan(__real__ w) && isnan(__imag__ w)) return w; \
    int below = signbit(__imag__ z); \
    return make(fabs##s(__imag__ w), isnan(__real__ w) ? __real__ w : copysign##s(__real__ w, below ? -1 : 1)); \
  } \
  type complex casinh##s(type complex z) { \
    type complex w = casin##s(make(-__imag__ z, __real__ z)); \
    return make(__imag__ w, -__real__ w); \
  } \
  type complex catanh##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (isinf(x) || isinf(y)) { \
      if (isnan(y)) return make(copysign##s(0, x), y); \
      return make(copysign##s(0, x), copysign##s((type)M_PI_2l, y)); \
    } \
    if (isnan(x) || isnan(y)) return x == 0 ? make(x, y) : make(x + y, x + y); \
    if (is_large##s(z)) { /* 1 / z, without squares that overflow */ \
      type size = hypot##s(x, y); \
      return make(x / size / size, copysign##s((type)M_PI_2l, y)); \
    } \
    type a = fabs##s(x), distance = hypot##s(1 - a, y); /* from the pole at 1 */ \
    type real = distance < tiny##s ? ((type)M_LN2l - log##s(distance)) / 2 : log1p##s(4 * a / (distance * distance)) / 4; \
    type imaginary = atan2##s(2 * y, (1 - a) * (1 + a) - y * y) / 2; \
    return make(copysign##s(real, x), imaginary); \
  } \
  type complex catan##s(type complex z) { \
    type complex w = catanh##s(make(-__imag__ z, __real__ z)); \
    return make(__imag__ w, -__real__ w); \
  }

DEFINE(double, , CMPLX)
DEFINE(float, f, CMPLXF)
DEFINE(long double, l, CMPLXL)
