/*
 * Complex multiplication. (a + bi)(c + di) = (ac - bd) + (ad + bc)i; when both parts come out as
 * NaN although an operand is infinite, C11 Annex G requires an infinity: infinite operands become
 * +-1 and the rest to +-0, and the product of the boxes, times infinity, gives the direction.
 *
 * Clang calls these functions in the IR already, with a structure for the result, so they are
 * members like any other; the rest of what it calls is in rt/ and appears only in the final code.
 */
#define DEFINE_MULTIPLY(name, type, copysign_type, infinity) \
  static type name##_box(type x) { return copysign_type(__builtin_isinf(x) ? 1 : 0, x); } \
  static type name##_clear(type x) { return __builtin_isnan(x) ? copysign_type(0, x) : x; } \
  type _Complex name(type a, type b, type c, type d) { \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
    type real = ac - bd, imaginary = ad + bc; \
    if (__builtin_isnan(real) && __builtin_isnan(imaginary)) { \
      int recompute = 0; \
      if (__builtin_isinf(a) || __builtin_isinf(b)) { \
        a = name##_box(a), b = name##_box(b); \
        c = name##_clear(c), d = name##_clear(d); \
        recompute = 1; \
      } \
      if (__builtin_isinf(c) || __builtin_isinf(d)) { \
        c = name##_box(c), d = name##_box(d); \
        a = name##_clear(a), b = name##_clear(b); \
        recompute = 1; \
      } \
      if (!recompute && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) { \
        a = name##_clear(a), b = name##_clear(b); \
        c = name##_clear(c), d = name##_clear(d); \
        recompute = 1; \
      } \
      if (recompute) { \
        real = infinity * (a * c - b * d); \
        imaginary = infinity * (a * d + b * c); \
      } \
    } \
    type _Complex result; \
    __real__ result = real; \
    __imag__ result = imaginary; \
    return result; \
  }

DEFINE_MULTIPLY(__mulsc3, float, __builtin_copysignf, __builtin_inff())
DEFINE_MULTIPLY(__muldc3, double, __builtin_copysign, __builtin_inf())
DEFINE_MULTIPLY(__multc3, long double, __builtin_copysignl, __builtin_infl())
