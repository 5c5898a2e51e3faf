/* 128-bit integers to double and float, rounded to nearest, ties to even. */
#include "floating.h"

/*
 * The bits of the number whose value is `magnitude`, in the format with these fraction bits and
 * this exponent bias.
 */
static uint64_t encode(__rz_u128 magnitude, int fraction_bits, int bias) {
  if (magnitude == 0) return 0;
  int exponent = 127 - __rz_leading_zeros128(magnitude), excess = exponent - fraction_bits - 2;
  uint64_t kept = __rz_low(excess > 0 ? __rz_shift_right_sticky(magnitude, excess) : magnitude << -excess);
  uint64_t bits = ((uint64_t)(exponent + bias - 1) << fraction_bits) + (kept >> 2);
  return bits + ((kept & 3) == 3 || ((kept & 3) == 2 && (bits & 1) != 0));
}

static __rz_u128 magnitude(__rz_i128 x) { return x < 0 ? 0 - (__rz_u128)x : (__rz_u128)x; }

double __floatuntidf(__rz_u128 x) { return __rz_double_from(encode(x, 52, 1023)); }

double __floattidf(__rz_i128 x) {
  return __rz_double_from(encode(magnitude(x), 52, 1023) | (uint64_t)(x < 0) << 63);
}

/*
 * The largest 128-bit numbers round to 2^128, which as a float is infinity: the encoding carries
 * into it.
 */
float __floatuntisf(__rz_u128 x) { return __rz_float_from((uint32_t)encode(x, 23, 127)); }

float __floattisf(__rz_i128 x) {
  return __rz_float_from((uint32_t)encode(magnitude(x), 23, 127) | (uint32_t)(x < 0) << 31);
}
