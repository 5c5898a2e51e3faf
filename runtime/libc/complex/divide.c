/*
 * Complex division. (a + bi)/(c + di) = ((ac + bd) + (bc - ad)i) / (c² + d²), with the divisor
 * scaled by a power of two so that its square neither overflows nor vanishes; then the special
 * cases of C11 Annex G.
 */
#include "floating.h"

/* A power of two that brings x near 1, as far as the format has one; 1 for infinities and NaNs. */

static float scale_float(float x) {
  int exponent = (int)(__rz_float_bits(x) >> 23 & 0xff);
  return exponent == 0xff ? 1 : __rz_float_from((uint32_t)(exponent == 254 ? 1 : 254 - exponent) << 23);
}

static double scale_double(double x) {
  int exponent = (int)(__rz_double_bits(x) >> 52 & 0x7ff);
  return exponent == 0x7ff ? 1 : __rz_double_from((uint64_t)(exponent == 2046 ? 1 : 2046 - exponent) << 52);
}

static long double scale_quad(long double x) {
  int exponent = (int)(__rz_quad_bits(x) >> 112) & __RZ_QUAD_MAX_EXPONENT;
  if (exponent == __RZ_QUAD_MAX_EXPONENT) return 1;
  return __rz_quad_from((__rz_u128)(unsigned)(exponent == 32766 ? 1 : 32766 - exponent) << 112);
}

#define DEFINE_DIVIDE(name, type, copysign_type, fabs_type, scale_of, infinity) \
  static type name##_box(type x) { return copysign_type(__builtin_isinf(x) ? 1 : 0, x); } \
  type _Complex name(type a, type b, type c, type d) { \
    type larger = fabs_type(c) > fabs_type(d) ? c : d, scale = scale_of(larger); \
    c *= scale, d *= scale; \
    type denominator = c * c + d * d; \
    type real = (a * c + b * d) / denominator * scale; \
    type imaginary = (b * c - a * d) / denominator * scale; \
    if (__builtin_isnan(real) && __builtin_isnan(imaginary)) { \
      if (denominator == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) { \
        real = copysign_type(infinity, c) * a; \
        imaginary = copysign_type(infinity, c) * b; \
      } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) { \
        a = name##_box(a), b = name##_box(b); \
        real = infinity * (a * c + b * d); \
        imaginary = infinity * (b * c - a * d); \
      } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) { \
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

DEFINE_DIVIDE(__divsc3, float, __builtin_copysignf, __builtin_fabsf, scale_float, __builtin_inff())
DEFINE_DIVIDE(__divdc3, double, __builtin_copysign, __builtin_fabs, scale_double, __builtin_inf())
DEFINE_DIVIDE(__divtc3, long double, __builtin_copysignl, __builtin_fabsl, scale_quad, __builtin_infl())
