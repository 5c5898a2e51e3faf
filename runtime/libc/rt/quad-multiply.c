/* Multiplication of quads. */
#include "floating.h"

__rz_quad __multf3(__rz_quad a, __rz_quad b) {
  __rz_unpacked x = __rz_quad_unpack(a), y = __rz_quad_unpack(b);
  int negative = x.negative != y.negative;
  __rz_u128 sign = negative ? __RZ_QUAD_SIGN : 0;
  if (x.kind == __RZ_NAN || y.kind == __RZ_NAN) return __rz_quad_from(__RZ_QUAD_NAN);
  if (x.kind == __RZ_INFINITE || y.kind == __RZ_INFINITE)
    return __rz_quad_from(x.kind == __RZ_ZERO || y.kind == __RZ_ZERO ? __RZ_QUAD_NAN : sign | __RZ_QUAD_INFINITY);
  if (x.kind == __RZ_ZERO || y.kind == __RZ_ZERO) return __rz_quad_from(sign);

  /*
   * With 15 and 3 more bits the product of two 113-bit numbers has its unit at bit 243 or 242, so
   * the upper half is
   *      the significand that __rz_quad_pack requires, and the lower half is the sticky bit.
   */
  __rz_u128 p = x.significand << 15, q = y.significand << 3;
  __rz_u128 low = __rz_multiply64(__rz_low(p), __rz_low(q));
  __rz_u128 middle = __rz_multiply64(__rz_high(p), __rz_low(q)) + __rz_high(low);
  __rz_u128 cross = __rz_multiply64(__rz_low(p), __rz_high(q)) + __rz_low(middle);
  __rz_u128 high = __rz_multiply64(__rz_high(p), __rz_high(q)) + __rz_high(middle) + __rz_high(cross);
  int lost = (__rz_low(low) | __rz_low(cross)) != 0;
  return __rz_quad_pack(negative, x.exponent + y.exponent - __RZ_QUAD_BIAS + 1, high | (unsigned)lost);
}
