/* Division of quads: one bit of the quotient at a time, which is short, exact and rarely needed. */
#include "floating.h"

__rz_quad __divtf3(__rz_quad a, __rz_quad b) {
  __rz_unpacked x = __rz_quad_unpack(a), y = __rz_quad_unpack(b);
  int negative = x.negative != y.negative;
  __rz_u128 sign = negative ? __RZ_QUAD_SIGN : 0;
  if (x.kind == __RZ_NAN || y.kind == __RZ_NAN || (x.kind == y.kind && x.kind != __RZ_FINITE))
    return __rz_quad_from(__RZ_QUAD_NAN);
  if (x.kind == __RZ_INFINITE || y.kind == __RZ_ZERO) return __rz_quad_from(sign | __RZ_QUAD_INFINITY);
  if (x.kind == __RZ_ZERO || y.kind == __RZ_INFINITE) return __rz_quad_from(sign);

  __rz_u128 remainder = x.significand, quotient = 0;
  for (int bit = 0; bit <= __RZ_QUAD_UNIT; bit++) {
    unsigned fits = remainder >= y.significand;
    if (fits) remainder -= y.significand;
    quotient = quotient << 1 | fits;
    remainder <<= 1;
  }
  return __rz_quad_pack(negative, x.exponent - y.exponent + __RZ_QUAD_BIAS, quotient | (remainder != 0));
}
