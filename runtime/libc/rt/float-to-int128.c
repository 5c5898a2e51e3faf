/*
 * Converts double and float to 128-bit integers. Values are truncated towards zero, and a value
 * that does not fit becomes the nearest limit. A float is converted to double first, which is
 * exact.
 */
#include "floating.h"

static __rz_u128 magnitude(double x, __rz_u128 limit) {
  uint64_t bits = __rz_double_bits(x), significand = (bits & 0xfffffffffffffu) | (uint64_t)1 << 52;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  if (exponent < 0 || x != x) return 0;
  if (exponent > 127) return limit;
  __rz_u128 value = exponent < 52 ? significand >> (52 - exponent) : (__rz_u128)significand << (exponent - 52);
  return value < limit ? value : limit;
}

__rz_i128 __fixdfti(double x) {
  __rz_u128 limit = __RZ_QUAD_SIGN - !(x < 0), value = magnitude(x, limit);
  return (__rz_i128)(x < 0 ? 0 - value : value);
}

__rz_u128 __fixunsdfti(double x) { return x < 0 ? 0 : magnitude(x, ~(__rz_u128)0); }

__rz_i128 __fixsfti(float x) { return __fixdfti(x); }

__rz_u128 __fixunssfti(float x) { return __fixunsdfti(x); }
