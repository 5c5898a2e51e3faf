/*
 * Decoded binary floating point, for the functions of rt/ and math/ that compute on the bits.
 *
 *            float  double  quad (long double)
 *   sign        1       1      1
 *   exponent    8      11     15     stored with a bias of 127, 1023, 16383; all ones: infinity or NaN
 *   fraction   23      52    112     a leading 1 is implied unless the exponent field is 0
 *
 * All arithmetic on quads ends in __rz_quad_pack, which alone rounds. Its argument is a significand
 * whose unit is bit 115:
 *
 *   bit   127 ......... 116 | 115 | 114 .................. 3 | 2 1 | 0
 *         0 (room for carry)| one |     112 fraction bits    | more | sticky: some lower bit was 1
 */
#ifndef RZ_FLOATING_H
#define RZ_FLOATING_H

#include <stdint.h>

#include "int128.h"

/*
 * On the machine that runs native tests long double is another format, but __float128 is this one.
 */
#if __LDBL_MANT_DIG__ == 113
typedef long double __rz_quad;
#else
typedef __float128 __rz_quad;
#endif

static inline uint32_t __rz_float_bits(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline float __rz_float_from(uint32_t bits) {
  float x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static inline uint64_t __rz_double_bits(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double __rz_double_from(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

static inline __rz_u128 __rz_quad_bits(__rz_quad x) {
  __rz_u128 bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline __rz_quad __rz_quad_from(__rz_u128 bits) {
  __rz_quad x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

#define __RZ_QUAD_BIAS 16383
#define __RZ_QUAD_MAX_EXPONENT 0x7fff
#define __RZ_QUAD_UNIT 115

#define __RZ_QUAD_SIGN __rz_join((uint64_t)1 << 63, 0)
#define __RZ_QUAD_ONE_BIT __rz_join((uint64_t)1 << 48, 0) /* the implied 1 */
#define __RZ_QUAD_INFINITY __rz_join((uint64_t)0x7fff << 48, 0)
#define __RZ_QUAD_NAN __rz_join((uint64_t)0xffff << 47, 0)

typedef enum { __RZ_ZERO, __RZ_FINITE, __RZ_INFINITE, __RZ_NAN } __rz_kind;

/*
 * value = significand / 2^112 * 2^(exponent - bias), with bit 112 of the significand set when the
 * kind is finite.
 */
typedef struct {
  __rz_kind kind;
  int negative;
  int exponent;
  __rz_u128 significand;
} __rz_unpacked;

/*
 * Inline, because rt/ is not instrumented: an engine would not see the writes to the structure
 * there.
 */
static inline __rz_unpacked __rz_quad_unpack(__rz_quad x) {
  __rz_u128 bits = __rz_quad_bits(x), fraction = bits & (__RZ_QUAD_ONE_BIT - 1);
  __rz_unpacked result = {__RZ_FINITE, bits >> 127 != 0, (int)(bits >> 112) & __RZ_QUAD_MAX_EXPONENT, fraction};
  if (result.exponent == __RZ_QUAD_MAX_EXPONENT) {
    result.kind = fraction == 0 ? __RZ_INFINITE : __RZ_NAN;
  } else if (result.exponent != 0) {
    result.significand |= __RZ_QUAD_ONE_BIT;
  } else if (fraction == 0) {
    result.kind = __RZ_ZERO;
  } else {
    int shift = __rz_leading_zeros128(fraction) - 15;
    result.significand <<= shift;
    result.exponent = 1 - shift;
  }
  return result;
}

/* (-1)^negative * significand / 2^115 * 2^(exponent - bias), rounded to nearest, ties to even. */
__rz_quad __rz_quad_pack(int negative, int exponent, __rz_u128 significand);

/* The shifted value; bit 0 is set when any bit was lost. */
static inline __rz_u128 __rz_shift_right_sticky(__rz_u128 x, int n) {
  if (n >= 128) return x != 0;
  if (n == 0) return x;
  return x >> n | (x << (128 - n) != 0);
}

#endif
