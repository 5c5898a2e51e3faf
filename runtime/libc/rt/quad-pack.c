/* Taking quads apart and putting them together: see floating.h for the formats. */
#include "floating.h"

__rz_unpacked __rz_quad_unpack(__rz_quad x) {
  __rz_u128 bits = __rz_quad_bits(x), fraction = bits & (__RZ_QUAD_ONE_BIT - 1);
  __rz_unpacked result = {__RZ_FINITE, bits >> 127 != 0, (int)(bits >> 112) & __RZ_QUAD_MAX_EXPONENT, fraction};
  if (result.exponent == __RZ_QUAD_MAX_EXPONENT) {
    result.kind = fraction == 0 ? __RZ_INFINITE : __RZ_NAN;
  } else if (result.exponent != 0) {
    result.significand |= __RZ_QUAD_ONE_BIT;
  } else if (fraction == 0) {
    result.kind = __RZ_ZERO;
  } else {
    int shift = __rz_leading_zeros128(fraction) - 15;
    result.significand <<= shift;
    result.exponent = 1 - shift;
  }
  return result;
}

__rz_quad __rz_quad_pack(int negative, int exponent, __rz_u128 significand) {
  __rz_u128 sign = negative ? __RZ_QUAD_SIGN : 0;
  if (significand == 0) return __rz_quad_from(sign);
  int shift = __rz_leading_zeros128(significand) - (127 - __RZ_QUAD_UNIT);
  if (shift > 0) significand <<= shift;
  if (shift < 0) significand = __rz_shift_right_sticky(significand, -shift);
  exponent -= shift;
  if (exponent >= __RZ_QUAD_MAX_EXPONENT) return __rz_quad_from(sign | __RZ_QUAD_INFINITY);
  if (exponent <= 0) {
    significand = __rz_shift_right_sticky(significand, 1 - exponent);
    exponent = 1;
  }
  /* Adding the significand with its unit to the exponent minus one gives the encoding, subnormal or not; a carry out
     of the rounded fraction steps to the next exponent, and from the largest one to infinity. */
  int rest = (int)significand & 7;
  __rz_u128 bits = ((__rz_u128)(unsigned)(exponent - 1) << 112) + (significand >> 3);
  bits += rest > 4 || (rest == 4 && (bits & 1) != 0);
  return __rz_quad_from(sign | bits);
}
