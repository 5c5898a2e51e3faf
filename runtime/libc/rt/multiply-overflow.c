/*
 * Multiplication that checks whether the result fits: __builtin_mul_overflow calls it for wide
 * integers.
 */
#include "int128.h"

__rz_i128 __muloti4(__rz_i128 a, __rz_i128 b, int *overflow) {
  const __rz_u128 sign_bit = __rz_join((uint64_t)1 << 63, 0);
  int negative = (a < 0) != (b < 0);
  __rz_u128 x = a < 0 ? 0 - (__rz_u128)a : (__rz_u128)a, y = b < 0 ? 0 - (__rz_u128)b : (__rz_u128)b;
  uint64_t x1 = __rz_high(x), y1 = __rz_high(y);

  /*
   * x * y = x1 y1 2^128 + (x1 y0 + x0 y1) 2^64 + x0 y0: the first must be 0, so one of the middle
   * products is too.
   */
  __rz_u128 low = __rz_multiply64(__rz_low(x), __rz_low(y));
  __rz_u128 middle = __rz_multiply64(x1, __rz_low(y)) + __rz_multiply64(__rz_low(x), y1);
  __rz_u128 magnitude = low + __rz_join(__rz_low(middle), 0);
  __rz_u128 limit = negative ? sign_bit : sign_bit - 1;
  *overflow = (x1 != 0 && y1 != 0) || __rz_high(middle) != 0 || magnitude < low || magnitude > limit;
  return (__rz_i128)(negative ? 0 - magnitude : magnitude);
}

int64_t __mulodi4(int64_t a, int64_t b, int *overflow) {
  int negative = (a < 0) != (b < 0);
  uint64_t x = a < 0 ? 0 - (uint64_t)a : (uint64_t)a, y = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
  __rz_u128 product = __rz_multiply64(x, y);
  uint64_t limit = (uint64_t)INT64_MAX + (unsigned)negative;
  *overflow = __rz_high(product) != 0 || __rz_low(product) > limit;
  uint64_t magnitude = __rz_low(product);
  return (int64_t)(negative ? 0 - magnitude : magnitude);
}
