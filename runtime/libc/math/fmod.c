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

/* |x| mod |y| for finite x and y != 0, and the low bits of the quotient. */
static double divide(double x, double y, unsigned *quotient) {
  int e, f;
  uint64_t m = (uint64_t)(frexp(fabs(x), &e) * 0x1p53), n = (uint64_t)(frexp(fabs(y), &f) * 0x1p53);
  *quotient = 0;
  if (m == 0 || e < f) return fabs(x);
  *quotient = (unsigned)(m / n);
  m %= n;
  for (int left = e - f, shift; left > 0; left -= shift) {
    shift = left < 11 ? left : 11;
    m <<= shift;
    *quotient = *quotient << shift | (unsigned)(m / n);
    m %= n;
  }
  return ldexp((double)m, f - 53);
}

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

/*
 * The special cases come first: for them the result is (x * y) / (x * y), which is a NaN, or x
 * itself.
 */
#define DEFINE(type, s, divide) \
  static int is_special##s(type x, type y, type *result) { \
    if (isnan(x) || isnan(y)) { \
      *result = x + y; \
    } else if (isinf(x) || y == 0) { \
      errno = EDOM; \
      *result = NAN; \
    } else if (isinf(y) || x == 0) { \
      *result = x; \
    } else { \
      return 0; \
    } \
    return 1; \
  } \
  type fmod##s(type x, type y) { \
    type result; \
    unsigned quotient; \
    if (is_special##s(x, y, &result)) return result; \
    return copysign##s((type)divide(x, y, &quotient), x); \
  } \
  /* The quotient is rounded to nearest, ties to even: the remainder is at most half of y. */ \
  type remquo##s(type x, type y, int *quotient) { \
    type result; \
    *quotient = 0; \
    if (is_special##s(x, y, &result)) return result; \
    unsigned count; \
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

DEFINE(double, , divide)
DEFINE(float, f, divide)
DEFINE(long double, l, divide_quads)
