/*
 * fmod, remainder, remquo: exact, by long division of the significands.
 *
 * x = m * 2^e and y = n * 2^f with e >= f: the remainder of x is (m * 2^(e - f) mod n) * 2^f. The
 * significand of a double leaves 11 bits free in a 64-bit word, that of a quad 15 in a 128-bit one,
 * so that many doublings share a division.
 */
#include <errno.h>
#include <math.h>

#include "floating.h"
#include "raw.h"

RZ_RAW_BEGIN

static inline uint64_t bits_of(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double from_bits(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/* The 53 bits of a finite x != 0, of which the first is 1; their unit is 2^(exponent - 1075). */
static inline uint64_t significand_of(double x, int *exponent) {
  uint64_t bits = bits_of(x) & INT64_MAX, implied = (uint64_t)1 << 52;
  *exponent = (int)(bits >> 52);
  if (*exponent != 0) return (bits & (implied - 1)) | implied;
  int shift = __builtin_clzll(bits) - 11;
  *exponent = 1 - shift;
  return bits << shift;
}

/* The value of m < 2^53 with this unit, which is exact. */
static inline double value_of(uint64_t m, int exponent) {
  if (m == 0) return 0;
  int shift = __builtin_clzll(m) - 11;
  if (shift >= exponent) return from_bits(exponent > 0 ? m << (exponent - 1) : m >> (1 - exponent));
  return from_bits((m << shift) + ((uint64_t)(exponent - shift - 1) << 52));
}

/* |x| mod |y| for finite x != 0 and y != 0, and the low bits of the quotient. */
RZ_RAW_ENTRY static double divide(double x, double y, unsigned *quotient) {
  int e, f;
  uint64_t m = significand_of(x, &e), n = significand_of(y, &f);
  *quotient = 0;
  if (e < f) return value_of(m, e);
  *quotient = (unsigned)(m / n);
  m %= n;
  for (int left = e - f, shift; left > 0; left -= shift) {
    shift = left < 11 ? left : 11;
    m <<= shift;
    *quotient = *quotient << shift | (unsigned)(m / n);
    m %= n;
  }
  return value_of(m, f);
}

/* The same with the sign of x, without a local that the monitor has to follow. */
RZ_RAW_ENTRY static double rest_of(double x, double y) {
  unsigned quotient;
  return __builtin_copysign(divide(x, y, &quotient), x);
}

RZ_RAW_END

static long double divide_quads(long double x, long double y, unsigned *quotient) {
  __rz_unpacked a = __rz_quad_unpack(x), b = __rz_quad_unpack(y);
  *quotient = 0;
  if (a.kind == __RZ_ZERO || a.exponent < b.exponent) return fabsl(x);
  __rz_u128 m = a.significand, n = b.significand;
  *quotient = (unsigned)(m / n);
  m %= n;
  for (int left = a.exponent - b.exponent, shift; left > 0; left -= shift) {
    shift = left < 15 ? left : 15;
    m <<= shift;
    *quotient = *quotient << shift | (unsigned)(m / n);
    m %= n;
  }
  return (long double)__rz_quad_pack(0, b.exponent, m << 3);
}

static long double rest_of_quads(long double x, long double y) {
  unsigned quotient;
  return copysignl(divide_quads(x, y, &quotient), x);
}

/*
 * The special cases come first: for them the result is (x * y) / (x * y), which is a NaN, or x
 * itself.
 */
#define IS_SPECIAL(x, y) (!isfinite(x) || !isfinite(y) || (x) == 0 || (y) == 0)
#define DEFINE(type, s, divide, rest_of) \
  static type special##s(type x, type y) { \
    if (isnan(x) || isnan(y)) return x + y; \
    if (!isinf(x) && y != 0) return x; \
    errno = EDOM; \
    return NAN; \
  } \
  type fmod##s(type x, type y) { return IS_SPECIAL(x, y) ? special##s(x, y) : (type)rest_of(x, y); } \
  /* The quotient is rounded to nearest, ties to even: the remainder is at most half of y. */ \
  type remquo##s(type x, type y, int *quotient) { \
    *quotient = 0; \
    if (IS_SPECIAL(x, y)) return special##s(x, y); \
    unsigned count = 0; \
    type rest = (type)divide(x, y, &count), size = fabs##s(y); \
    type other = size - rest; /* exact unless rest is far below it */ \
    int above = rest > other || (rest == other && (count & 1) != 0); \
    if (above) { \
      rest -= size; \
      count++; \
    } \
    int low = (int)(count & 0x7fffffff); \
    *quotient = signbit(x) != signbit(y) ? -low : low; \
    return signbit(x) ? -rest : rest; \
  } \
  type remainder##s(type x, type y) { \
    int quotient; \
    return remquo##s(x, y, &quotient); \
  } \
  type drem##s(type x, type y) { return remainder##s(x, y); }

DEFINE(double, , divide, rest_of)
DEFINE(float, f, divide, rest_of)
DEFINE(long double, l, divide_quads, rest_of_quads)
