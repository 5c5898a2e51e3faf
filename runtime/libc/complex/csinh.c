/*
 * The hyperbolic functions: sinh(x + iy) = sinh x cos y + i cosh x sin y, and so on. The
 * trigonometric ones rotate the plane: sin z = -i sinh(iz), cos z = cosh(iz), tan z = -i tanh(iz).
 * With y = 0 (or x = 0) one part is exactly 0, whatever the other. If sinh x overflows but its
 * product with a small sine does not, the factor e^|x| / 2 is applied in two steps.
 */
#include <complex.h>
#include <math.h>

/*
 * Beyond `large`, tanh is +-1, though sin 2y may still make its imaginary part; beyond `huge`, sinh
 * is about to overflow.
 */
#define DEFINE(type, s, make, large, huge) \
  static type product##s(type scale, type factor) { \
    return (factor == 0 ? copysign##s(1, scale) : scale) * factor; \
  } \
  static type complex scaled##s(type x, type real, type imaginary) { \
    type first = exp##s(fabs##s(x) - huge) / 2, second = exp##s(huge); \
    return make(first * real * second, first * imaginary * second); \
  } \
  type complex csinh##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (y == 0) return make(sinh##s(x), y); \
    if (isnan(y) || isinf(y)) return isinf(x) || x == 0 ? make(isinf(x) ? fabs##s(x) : x, y - y) : make(y - y, y - y); \
    if (fabs##s(x) > huge) return scaled##s(x, copysign##s(1, x) * cos##s(y), sin##s(y)); \
    return make(product##s(sinh##s(x), cos##s(y)), cosh##s(x) * sin##s(y)); \
  } \
  type complex ccosh##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (y == 0) return make(cosh##s(x), x < 0 || signbit(x) ? -y : y); \
    if (isnan(y) || isinf(y)) return isinf(x) ? make(fabs##s(x), y - y) : make(y - y, x == 0 ? 0 : y - y); \
    if (fabs##s(x) > huge) return scaled##s(x, cos##s(y), copysign##s(1, x) * sin##s(y)); \
    return make(cosh##s(x) * cos##s(y), product##s(sin##s(y), sinh##s(x))); \
  } \
  type complex ctanh##s(type complex z) { \
    type x = __real__ z, y = __imag__ z; \
    if (y == 0) return make(tanh##s(x), y); \
    if (isinf(x)) return make(copysign##s(1, x), copysign##s(0, isfinite(y) ? sin##s(2 * y) : y)); \
    if (!isfinite(y)) return make(x == 0 ? x : y - y, y - y); \
    if (isnan(x)) return make(x, x); \
    if (fabs##s(x) > large) { \
      type decay = exp##s(-fabs##s(x)); \
      return make(copysign##s(1, x), 4 * sin##s(y) * cos##s(y) * decay * decay); \
    } \
    type sine = sinh##s(x), tangent = tan##s(y), grown = 1 + tangent * tangent, denominator = 1 + grown * sine * sine; \
    if (isinf(tangent)) return make(cosh##s(x) / sine, 1 / tangent); \
    return make(grown * cosh##s(x) * sine / denominator, tangent / denominator); \
  } \
  type complex csin##s(type complex z) { \
    type complex w = csinh##s(make(-__imag__ z, __real__ z)); \
    return make(__imag__ w, -__real__ w); \
  } \
  type complex ccos##s(type complex z) { return ccosh##s(make(-__imag__ z, __real__ z)); } \
  type complex ctan##s(type complex z) { \
    type complex w = ctanh##s(make(-__imag__ z, __real__ z)); \
    return make(__imag__ w, -__real__ w); \
  }

DEFINE(double, , CMPLX, 22, 700)
DEFINE(float, f, CMPLXF, 11, 80)
DEFINE(long double, l, CMPLXL, 45, 11000)
