/*
 * The hyperbolic functions and their inverses for long double, from expm1l and log1pl so that small
 * arguments keep their bits.
 */
#include <errno.h>
#include <math.h>

#define HALVED 11350 /* beyond, e^x itself may overflow where half of it does not */

long double sinhl(long double x) {
  long double a = fabsl(x), size;
  if (!(a <= HALVED)) {
    long double root = expl(a / 2);
    size = root / 2 * root;
  } else {
    long double e = expm1l(a);
    size = (e + e / (e + 1)) / 2;
  }
  return copysignl(size, x);
}

long double coshl(long double x) {
  long double a = fabsl(x);
  if (!(a <= HALVED)) {
    long double root = expl(a / 2);
    return root / 2 * root;
  }
  long double e = expl(a);
  return (e + 1 / e) / 2;
}

long double tanhl(long double x) {
  long double a = fabsl(x);
  if (a > 50) return copysignl(1, x);
  long double e = expm1l(2 * a);
  return copysignl(e / (e + 2), x);
}

long double asinhl(long double x) {
  long double a = fabsl(x);
  if (!isfinite(x) || x == 0) return x;
  if (a > 0x1p60L) return copysignl(logl(a) + M_LN2l, x);
  return copysignl(log1pl(a + a * a / (1 + sqrtl(a * a + 1))), x);
}

long double acoshl(long double x) {
  if (x > 0x1p60L) return isinf(x) ? x : logl(x) + M_LN2l;
  if (!(x >= 1)) {
    if (!isnan(x)) errno = EDOM;
    return NAN;
  }
  long double t = x - 1;
  return log1pl(t + sqrtl(2 * t + t * t));
}

long double atanhl(long double x) {
  long double a = fabsl(x);
  if (!(a < 1)) {
    if (!isnan(x)) errno = a == 1 ? ERANGE : EDOM;
    return a == 1 ? copysignl(INFINITY, x) : (long double)NAN;
  }
  return copysignl(log1pl(2 * a / (1 - a)) / 2, x);
}
