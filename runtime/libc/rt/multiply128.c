/* Multiplication of 128-bit integers modulo 2^128. */
#include "int128.h"

__rz_i128 __multi3(__rz_i128 a, __rz_i128 b) {
  uint64_t a0 = __rz_low((__rz_u128)a), a1 = __rz_high((__rz_u128)a);
  uint64_t b0 = __rz_low((__rz_u128)b), b1 = __rz_high((__rz_u128)b);
  __rz_u128 low = __rz_multiply64(a0, b0);
  return (__rz_i128)__rz_join(__rz_high(low) + a0 * b1 + a1 * b0, __rz_low(low));
}
