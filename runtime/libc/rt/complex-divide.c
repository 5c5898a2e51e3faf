/*
 * Complex division. (a + bi)/(c + di) = ((ac + bd) + (bc - ad)i) / (c² + d²), with the divisor scaled by a power of two so
 * that its square neither overflows nor vanishes; then the special cases of C11 Annex G.
 */
#include <math.h>

#define DEFINE_DIVIDE(name, type, s, infinity) \
  static type name##_box(type x) { return copysign##s(__builtin_isinf(x) ? 1 : 0, x); } \
  type _Complex name(type a, type b, type c, type d) { \
    int scale = 0; \
    type order = logb##s(fmax##s(fabs##s(c), fabs##s(d))); \
    if (__builtin_isfinite(order)) { \
      scale = (int)order; \
      c = scalbn##s(c, -scale), d = scalbn##s(d, -scale); \
    } \
    type denominator = c * c + d * d; \
    type real = scalbn##s((a * c + b * d) / denominator, -scale); \
    type imaginary = scalbn##s((b * c - a * d) / denominator, -scale); \
    if (__builtin_isnan(real) && __builtin_isnan(imaginary)) { \
      if (denominator == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) { \
        real = copysign##s(infinity, c) * a; \
        imaginary = copysign##s(infinity, c) * b; \
      } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
        a = name##_box(a), b = name##_box(b); \
        real = infinity * (a * c + b * d); \
        imaginary = infinity * (b * c - a * d); \
      } else if (__builtin_isinf(order) && order > 0 && __builtin_isfinite(a) && __builtin_isfinite(b)) { \
        c = name##_box(c), d = name##_box(d); \
        real = 0 * (a * c + b * d); \
        imaginary = 0 * (b * c - a * d); \
      } \
    } \
    type _Complex result; \
    __real__ result = real; \
    __imag__ result = imaginary; \
    return result; \
  }

DEFINE_DIVIDE(__divsc3, float, f, __builtin_inff())
DEFINE_DIVIDE(__divdc3, double, , __builtin_inf())
DEFINE_DIVIDE(__divtc3, long double, l, __builtin_infl())
