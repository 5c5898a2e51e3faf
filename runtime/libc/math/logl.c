/*
 * The logarithms for long double, to its full 113 bits: the host's logarithm y of the argument cut
 * to double is improved by one step of Halley's method on e^y - m, which triples its 53 good bits.
 * Near 1 both e^y and m are taken minus 1, so that nothing cancels.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

long double __rz_log1p_reduced(long double x) {
  long double y = log1p((double)x), p = __rz_expm1_reduced(y);
  return y + 2 * (x - p) / (2 + x + p);
}

/*
 * x = (1 + *fraction) 2^*exponent with 1 + fraction between 0.75 and 1.5; whether x is such a
 * number.
 */
static int split(long double x, long double *fraction, int *exponent, long double *special) {
  if (x > 0 && !isinf(x)) {
    long double m = frexpl(x, exponent);
    if (m < 0.75L) {
      m *= 2;
      --*exponent;
    }
    *fraction = m - 1;
    return 1;
  }
  *special = isnan(x) || x > 0 ? x : x == 0 ? -(long double)INFINITY : (long double)NAN;
  if (x <= 0) errno = x == 0 ? ERANGE : EDOM;
  return 0;
}

/* The argument of __rz_log1p_reduced must stay small: beyond 0.3 its root is taken first. */
static long double log_of_fraction(long double fraction) {
  if (fraction <= 0.3L) return __rz_log1p_reduced(fraction);
  return 2 * __rz_log1p_reduced(sqrtl(1 + fraction) - 1);
}

long double logl(long double x) {
  long double fraction, special;
  int exponent;
  if (!split(x, &fraction, &exponent, &special)) return special;
  long double y = log_of_fraction(fraction);
  return exponent * __RZ_LN2_HIGH + (exponent * __RZ_LN2_LOW + y);
}

long double log2l(long double x) {
  long double fraction, special;
  int exponent;
  if (!split(x, &fraction, &exponent, &special)) return special;
  return exponent + log_of_fraction(fraction) * M_LOG2El;
}

long double log10l(long double x) {
  long double fraction, special;
  int exponent;
  if (!split(x, &fraction, &exponent, &special)) return special;
  long double y = log_of_fraction(fraction) * M_LOG10El;
  return exponent * __RZ_LOG10_2_HIGH + (exponent * __RZ_LOG10_2_LOW + y);
}

long double log1pl(long double x) {
  if (x == 0 || isnan(x)) return x;
  return fabsl(x) <= 0.3L ? __rz_log1p_reduced(x) : logl(1 + x);
}
