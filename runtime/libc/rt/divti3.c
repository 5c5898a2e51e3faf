/*
 * Signed 128-bit division and remainder: the quotient is cut towards zero, the remainder has the
 * dividend's sign.
 */
#include "int128.h"

static __rz_u128 magnitude(__rz_i128 x) { return x < 0 ? 0 - (__rz_u128)x : (__rz_u128)x; }

static __rz_i128 with_sign(__rz_u128 magnitude, int negative) {
  return (__rz_i128)(negative ? 0 - magnitude : magnitude);
}

__rz_i128 __divti3(__rz_i128 a, __rz_i128 b) {
  __rz_u128 remainder;
  return with_sign(__rz_divide128(magnitude(a), magnitude(b), &remainder), (a < 0) != (b < 0));
}

__rz_i128 __modti3(__rz_i128 a, __rz_i128 b) {
  __rz_u128 remainder;
  __rz_divide128(magnitude(a), magnitude(b), &remainder);
  return with_sign(remainder, a < 0);
}
