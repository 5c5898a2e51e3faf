/* Putting a quad together: see floating.h for the format. */
#include "floating.h"

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
  /*
   * Adding the significand with its unit to the exponent minus one gives the encoding, subnormal or
   * not; a carry out
   *      of the rounded fraction steps to the next exponent, and from the largest one to infinity.
   */
  int rest = (int)significand & 7;
  __rz_u128 bits = ((__rz_u128)(unsigned)(exponent - 1) << 112) + (significand >> 3);
  bits += rest > 4 || (rest == 4 && (bits & 1) != 0);
  return __rz_quad_from(sign | bits);
}
