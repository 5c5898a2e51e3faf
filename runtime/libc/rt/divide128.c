/*
 * Division of 128-bit integers.
 *
 * Everything rests on dividing a 128-bit number by a 64-bit one with a 64-bit quotient: two steps
 * of Knuth's Algorithm D (The Art of Computer Programming 4.3.1) with 32-bit digits. A divisor
 * above 64 bits leaves a quotient below 64 bits, which is estimated from the leading 64 bits of the
 * divisor; the estimate is at most one too large.
 */
#include "int128.h"

/*
 * One 32-bit digit of the quotient: (high * 2^32 + next) / divisor. Needs high < divisor, and the
 * divisor's top bit set.
 */
static uint64_t quotient_digit(uint64_t high, uint32_t next, uint64_t divisor, uint64_t *remainder) {
  uint64_t d1 = divisor >> 32, d0 = (uint32_t)divisor;
  uint64_t digit = high / d1, rest = high % d1;
  while (digit >> 32 != 0 || digit * d0 > (rest << 32 | next)) {
    digit--;
    rest += d1;
    if (rest >> 32 != 0) break;
  }
  *remainder = (high << 32 | next) - digit * divisor; /* modulo 2^64: the true value fits */
  return digit;
}

/* (high * 2^64 + low) / divisor. Needs high < divisor. */
static uint64_t divide_by_64(uint64_t high, uint64_t low, uint64_t divisor, uint64_t *remainder) {
  int shift = __builtin_clzll(divisor);
  if (shift != 0) {
    divisor <<= shift;
    high = high << shift | low >> (64 - shift);
    low <<= shift;
  }
  uint64_t upper = quotient_digit(high, (uint32_t)(low >> 32), divisor, &high);
  uint64_t lower = quotient_digit(high, (uint32_t)low, divisor, &high);
  *remainder = high >> shift;
  return upper << 32 | lower;
}

__rz_u128 __rz_divide128(__rz_u128 dividend, __rz_u128 divisor, __rz_u128 *remainder) {
  uint64_t n1 = __rz_high(dividend), n0 = __rz_low(dividend), d1 = __rz_high(divisor), d0 = __rz_low(divisor);
  if (d1 == 0) {
    uint64_t rest = n1 % d0;
    uint64_t low = divide_by_64(rest, n0, d0, &rest);
    *remainder = rest;
    return __rz_join(n1 / d0, low);
  }
  int shift = __builtin_clzll(d1);
  uint64_t leading = shift == 0 ? d1 : d1 << shift | d0 >> (64 - shift), ignored;
  __rz_u128 half = dividend >> 1; /* so that its upper half is below `leading` */
  uint64_t quotient = divide_by_64(__rz_high(half), __rz_low(half), leading, &ignored) >> (63 - shift);
  if (quotient != 0) quotient--;
  __rz_u128 rest = dividend - (__rz_multiply64(quotient, d0) + __rz_join(quotient * d1, 0));
  if (rest >= divisor) {
    quotient++;
    rest -= divisor;
  }
  *remainder = rest;
  return quotient;
}
