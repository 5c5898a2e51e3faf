/*
 * atan, atan2, asin, acos for long double, to its full 113 bits: the host's angle a of the argument
 * cut to double is off by an angle whose tangent t is (x cos a - sin a) / (cos a + x sin a); t is
 * so small that it is that angle.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

long double atanl(long double x) {
  if (x == 0 || isnan(x)) return x;
  if (isinf(x)) return copysignl(M_PI_2l, x);
  long double a = atan((double)x), s, c;
  if (a == 0) return x; /* below the range of double the angle is its tangent */
  sincosl(a, &s, &c);
  return a + (x * c - s) / (c + x * s);
}

long double atan2l(long double y, long double x) {
  if (isnan(x) || isnan(y)) return x + y;
  long double angle; /* between the positive half axis and (|x|, |y|) */
  if (isinf(x) || isinf(y))
    angle = isinf(x) && isinf(y) ? M_PI_4l : isinf(y) ? M_PI_2l : 0;
  else if (x == 0 || y == 0)
    angle = y == 0 ? 0 : M_PI_2l;
  else if (fabsl(y) <= fabsl(x))
    angle = atanl(fabsl(y) / fabsl(x));
  else
    angle = M_PI_2l - (atanl(fabsl(x) / fabsl(y)) - __RZ_PI_LOW / 2);
  if (signbit(x)) angle = M_PIl - (angle - __RZ_PI_LOW);
  return copysignl(angle, y);
}

static long double domain_error(long double x) {
  if (!isnan(x)) errno = EDOM;
  return NAN;
}

long double asinl(long double x) {
  if (!(fabsl(x) <= 1)) return domain_error(x);
  return x == 0 ? x : atan2l(x, sqrtl((1 - x) * (1 + x)));
}

long double acosl(long double x) {
  if (!(fabsl(x) <= 1)) return domain_error(x);
  return atan2l(sqrtl((1 - x) * (1 + x)), x);
}
