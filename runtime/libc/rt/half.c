/*
 * Half precision, which is a storage format: 1 sign, 5 exponent and 10 fraction bits, passed as an
 * integer.
 */
#include "floating.h"

float __extendhfsf2(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
  if (exponent == 0x1f) return __rz_float_from(sign | 0x7f800000 | fraction << 13 | (uint32_t)(fraction != 0) << 22);
  if (exponent == 0) {
    float magnitude = (float)fraction * 0x1p-24f;
    return __rz_float_from(sign | __rz_float_bits(magnitude));
  }
  return __rz_float_from(sign | (exponent + (127 - 15)) << 23 | fraction << 13);
}

uint16_t __truncdfhf2(double x) {
  uint64_t bits = __rz_double_bits(x), magnitude = bits & INT64_MAX;
  uint16_t sign = (uint16_t)(bits >> 48 & 0x8000);
  if (magnitude > (uint64_t)0x7ff << 52) return sign | 0x7e00; /* NaN */
  int exponent = (int)(magnitude >> 52) - 1023 + 15;
  if (exponent >= 0x1f) return sign | 0x7c00;
  int subnormal = exponent > 0 ? 0 : 1 - exponent;
  if (subnormal > 0) exponent = 1;
  uint64_t significand = (magnitude & 0xfffffffffffffu) | (uint64_t)1 << 52;
  uint64_t kept = (uint64_t)__rz_shift_right_sticky(significand, 40 + subnormal);
  unsigned result = ((unsigned)(exponent - 1) << 10) + (unsigned)(kept >> 2);
  result += (kept & 3) == 3 || ((kept & 3) == 2 && (result & 1) != 0);
  return sign | (uint16_t)result;
}

uint16_t __truncsfhf2(float x) { return __truncdfhf2(x); }

double __extendhfdf2(uint16_t half) { return __extendhfsf2(half); }
