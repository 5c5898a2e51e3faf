/* Quad to double and float, rounded to nearest, ties to even. */
#include "floating.h"

/* The bits of the narrower number without its sign. */
static uint64_t narrow(__rz_unpacked x, int fraction_bits, int exponent_mask) {
  uint64_t infinity = (uint64_t)exponent_mask << fraction_bits;
  if (x.kind == __RZ_NAN) return infinity | (uint64_t)1 << (fraction_bits - 1);
  if (x.kind == __RZ_INFINITE) return infinity;
  if (x.kind == __RZ_ZERO) return 0;
  int exponent = x.exponent - __RZ_QUAD_BIAS + (exponent_mask >> 1);
  if (exponent >= exponent_mask) return infinity;
  int subnormal = exponent > 0 ? 0 : 1 - exponent;
  if (subnormal > 0) exponent = 1;
  /* Two bits more than the format holds: half a unit, and whether anything is below it. */
  uint64_t kept = __rz_low(__rz_shift_right_sticky(x.significand, 112 - fraction_bits - 2 + subnormal));
  uint64_t bits = ((uint64_t)(exponent - 1) << fraction_bits) + (kept >> 2);
  return bits + ((kept & 3) == 3 || ((kept & 3) == 2 && (bits & 1) != 0));
}

double __trunctfdf2(__rz_quad x) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  return __rz_double_from(narrow(parts, 52, 0x7ff) | (uint64_t)parts.negative << 63);
}

float __trunctfsf2(__rz_quad x) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  return __rz_float_from((uint32_t)narrow(parts, 23, 0xff) | (uint32_t)parts.negative << 31);
}
