/*
 * powl. Small whole powers are taken by squaring, so that exact results are exact; others are e^(y
 * log x).
 *
 * A relative error of log x is magnified by y log x, up to 11356: the logarithm needs 14 bits more
 * than a long double has, and comes as the sum of two. With x = 2^k m and n the whole number
 * nearest to 2^21 log m,
 *
 *   log x = k log 2 + n / 2^21 + log(1 + g)        1 + g = m e^(-n / 2^21)
 *
 * where the first two are exact and |g| < 2^-20, so that its logarithm is a short series. The
 * exponential is what needs care: it is computed in fixed point, whose steps are a product and a
 * quotient by small whole numbers.
 *
 *   limb        7       6 ... 0                           of 32 bits each, little-endian
 *               whole   224 bits after the point
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "floating.h"
#include "quad-math.h"

#define LARGEST_BY_SQUARING 48
#define BEYOND_ALL_POWERS 12000 /* e to more than this is infinite, to less than its negative 0 */
#define GRID_BITS 21
#define LIMBS 8
#define SERIES_TERMS 32
#define FACTOR_BITS 113 /* after the point of a factor of 128 bits */
#define FACTOR_LIMBS 4

/* e^(-n / 2^21) for |n| < 2^20, as 1 - t/1 (1 - t/2 (1 - t/3 (…))) with t = n / 2^21. */
static void fixed_exp(long n, uint32_t result[LIMBS]) {
  const uint32_t size = (uint32_t)(n < 0 ? -n : n);
  for (int i = 0; i < LIMBS; i++) result[i] = i == LIMBS - 1;
  for (uint32_t term = SERIES_TERMS; term > 0; term--) {
    const uint64_t divisor = (uint64_t)term << GRID_BITS;
    uint64_t carry = 0, rest = 0;
    for (int i = 0; i < LIMBS; i++) {
      carry += (uint64_t)result[i] * size;
      result[i] = (uint32_t)carry;
      carry >>= 32;
    }
    rest = carry;
    for (int i = LIMBS - 1; i >= 0; i--) {
      rest = rest << 32 | result[i];
      result[i] = (uint32_t)(rest / divisor);
      rest %= divisor;
    }
    int64_t borrow = 0; /* 1 + result or 1 - result */
    for (int i = 0; i < LIMBS; i++) {
      borrow += (int64_t)(i == LIMBS - 1) + (n < 0 ? (int64_t)result[i] : -(int64_t)result[i]);
      result[i] = (uint32_t)borrow;
      borrow >>= 32;
    }
  }
}

/* m e^(-n / 2^21) - 1 in two parts, for 0.5 <= m < 2. */
static void reduced_factor(long double m, long n, long double *high, long double *low) {
  uint32_t e[LIMBS], product[LIMBS + FACTOR_LIMBS] = {0};
  fixed_exp(n, e);
  const __rz_unpacked parts = __rz_quad_unpack(m);
  const __rz_u128 factor = parts.significand << (parts.exponent - __RZ_QUAD_BIAS + 1); /* m 2^113 */
  for (int i = 0; i < FACTOR_LIMBS; i++) {
    const uint64_t digit = (uint32_t)(factor >> 32 * i);
    uint64_t carry = 0;
    for (int j = 0; j < LIMBS; j++) {
      carry += product[i + j] + digit * e[j];
      product[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    product[i + LIMBS] = (uint32_t)carry;
  }
  /*
   * The unit is bit 17 of the highest limb but one: 113 + 224 = 32 · 10 + 17. Below it stands the
   * complement of a negative g.
   */
  const int unit_limb = (FACTOR_BITS + 32 * (LIMBS - 1)) / 32, unit_bit = FACTOR_BITS % 32;
  const int is_negative = !(product[unit_limb] >> unit_bit);
  product[unit_limb] &= ((uint32_t)1 << unit_bit) - 1;
  if (is_negative) { /* 1 - product */
    int64_t borrow = 0;
    for (int i = 0; i <= unit_limb; i++) {
      borrow += (int64_t)(i == unit_limb) << unit_bit;
      borrow -= product[i];
      product[i] = (uint32_t)borrow;
      borrow >>= 32;
    }
  }
  int top = unit_limb;
  while (top > 6 && product[top] == 0) top--;
  *high = *low = 0;
  for (int i = 0; i < 3; i++) *high += scalbnl(product[top - i], 32 * (top - i) - FACTOR_BITS - 32 * (LIMBS - 1));
  for (int i = 3; i <= 6; i++) *low += scalbnl(product[top - i], 32 * (top - i) - FACTOR_BITS - 32 * (LIMBS - 1));
  if (is_negative) *high = -*high, *low = -*low;
}

/* log x = high + low for a finite x > 0, with |low| below the last bit of high. */
static void log_in_two(long double x, long double *high, long double *low) {
  int k;
  long double m = frexpl(x, &k);
  if (m < M_SQRT1_2l) {
    m *= 2;
    k--;
  }
  const long n = lrint(scalbn(log((double)m), GRID_BITS));
  long double g, rest;
  reduced_factor(m, n, &g, &rest);
  const long double whole = g + rest;
  long double series = 0;
  for (int i = 7; i >= 2; i--) series = whole * (((i & 1) ? 1 : -1) / (long double)i + series);
  rest += whole * series + k * __RZ_LN2_LOW;
  const long double known = k * __RZ_LN2_HIGH + scalbnl(n, -GRID_BITS), sum = known + g, part = sum - known;
  rest += (known - (sum - part)) + (g - part); /* what the sum lost */
  *high = sum + rest;
  *low = rest - (*high - sum);
}

/* x^y for a finite x > 0. */
static long double power(long double x, long double y) {
  long double high, low;
  log_in_two(x, &high, &low);
  const long double exponent = y * high;
  if (!(fabsl(exponent) < BEYOND_ALL_POWERS)) return expl(exponent);
  const long double rest = fmal(y, high, -exponent) + y * low, result = expl(exponent);
  return isfinite(result) ? result + result * rest : result;
}

/* As __powitf2, which belongs to the compiler and is not part of what explore interprets. */
static long double by_squaring(long double x, unsigned power) {
  long double result = 1;
  for (; power != 0; power >>= 1, x *= x)
    if (power & 1) result *= x;
  return result;
}

static int is_whole(long double y) { return truncl(y) == y; }

static int is_odd(long double y) { return is_whole(y) && fmodl(y, 2) != 0; }

static long double checked(long double result, long double x) {
  if (isinf(result) || (result == 0 && x != 0)) errno = ERANGE;
  return result;
}

long double powl(long double x, long double y) {
  if (x == 1 || y == 0 || (x == -1 && isinf(y))) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (isinf(y)) return (fabsl(x) > 1) == (y > 0) ? INFINITY : 0;
  if (isinf(x) || x == 0) {
    long double sign = is_odd(y) && signbit(x) ? -1 : 1;
    if ((x == 0) == (y > 0)) return sign * 0;
    if (x == 0) errno = ERANGE;
    return sign * (long double)INFINITY;
  }
  if (is_whole(y) && fabsl(y) <= LARGEST_BY_SQUARING) {
    long double result = by_squaring(x, (unsigned)fabsl(y));
    if (y > 0) return checked(result, x);
    if (isfinite(result) && result != 0) return checked(1 / result, x);
  }
  if (x < 0 && !is_whole(y)) {
    errno = EDOM;
    return NAN;
  }
  long double size = power(fabsl(x), y);
  return checked(x < 0 && is_odd(y) ? -size : size, x);
}
