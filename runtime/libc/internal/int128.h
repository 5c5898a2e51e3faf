/*
 * 128-bit integers as two 64-bit halves.
 *
 * The compiler turns `a * b`, `a / b` and `a << n` of 128-bit values into calls of the functions in
 * rt/, so those functions themselves work on halves. Shifts by the constant 64 are only renaming
 * and need no call.
 */
#ifndef RZ_INT128_H
#define RZ_INT128_H

#include <stdint.h>

typedef __int128 __rz_i128;
typedef unsigned __int128 __rz_u128;

static inline uint64_t __rz_low(__rz_u128 x) { return (uint64_t)x; }

static inline uint64_t __rz_high(__rz_u128 x) { return (uint64_t)(x >> 64); }

static inline __rz_u128 __rz_join(uint64_t high, uint64_t low) { return (__rz_u128)high << 64 | low; }

/* The full product of two 64-bit numbers, by schoolbook multiplication of 32-bit digits. */
static inline __rz_u128 __rz_multiply64(uint64_t a, uint64_t b) {
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0;
  uint64_t middle = a1 * b0 + (low >> 32); /* cannot overflow: (2^32-1)^2 + 2^32-1 < 2^64 */
  uint64_t cross = a0 * b1 + (uint32_t)middle;
  return __rz_join(a1 * b1 + (middle >> 32) + (cross >> 32), cross << 32 | (uint32_t)low);
}

/* Quotient and remainder; the divisor is not 0. */
__rz_u128 __rz_divide128(__rz_u128 dividend, __rz_u128 divisor, __rz_u128 *remainder);

static inline int __rz_leading_zeros128(__rz_u128 x) {
  return __rz_high(x) != 0 ? __builtin_clzll(__rz_high(x)) : 64 + __builtin_clzll(__rz_low(x));
}

#endif
