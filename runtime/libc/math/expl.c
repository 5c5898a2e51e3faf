/*
 * The exponential functions for long double, to its full 113 bits, which no host offers.
 *
 * e^x = 2^k e^r with |r| <= ln 2 / 2. For e^r - 1 the argument is divided by 2^8, where a short
 * Taylor series suffices, and the result p is carried back by eight steps of (1 + p)² - 1 = p (p +
 * 2), which loses nothing when p is small.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

#define LARGEST 11356.523406294143949491931077970765L
#define SMALLEST -11433.46274333627846L
#define DOUBLINGS 8

long double __rz_expm1_reduced(long double r) {
  long double t = scalbnl(r, -DOUBLINGS), p = 0;
  static const long double reciprocals[] = {1, 1 / 2.0L, 1 / 3.0L, 1 / 4.0L, 1 / 5.0L, 1 / 6.0L, 1 / 7.0L, 1 / 8.0L,
                                            1 / 9.0L, 1 / 10.0L, 1 / 11.0L, 1 / 12.0L, 1 / 13.0L};
  for (int i = 12; i >= 0; i--) p = t * reciprocals[i] * (1 + p);
  for (int i = 0; i < DOUBLINGS; i++) p *= p + 2;
  return p;
}

/* 2^k e^r, with errno if it does not fit. */
static long double scaled(long double r, long double k) { return scalbnl(1 + __rz_expm1_reduced(r), (int)k); }

static int is_extreme(long double x, long double smallest, long double largest, long double *result) {
  if (x >= smallest && x <= largest) return 0;
  *result = isnan(x) ? x : x > 0 ? INFINITY : 0;
  if (isfinite(x)) errno = ERANGE;
  return 1;
}

long double expl(long double x) {
  long double result;
  if (is_extreme(x, SMALLEST, LARGEST, &result)) return result;
  long double k = rintl(x * M_LOG2El);
  return scaled(x - k * __RZ_LN2_HIGH - k * __RZ_LN2_LOW, k);
}

long double exp2l(long double x) {
  long double result;
  if (is_extreme(x, -16495, 16384, &result)) return result;
  long double k = rintl(x);
  return scaled((x - k) * M_LN2l, k);
}

long double exp10l(long double x) {
  long double result;
  if (is_extreme(x, -4966, 4933, &result)) return result;
  long double k = rintl(x * (M_LN10l / M_LN2l));
  return scaled((x - k * __RZ_LOG10_2_HIGH - k * __RZ_LOG10_2_LOW) * M_LN10l, k);
}

long double expm1l(long double x) {
  if (fabsl(x) < 0.35L) return x == 0 ? x : __rz_expm1_reduced(x);
  if (x < -100) return isnan(x) ? x : -1;
  return expl(x) - 1;
}
