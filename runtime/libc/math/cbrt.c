/* cbrt, cbrtf, cbrtl */
#include <math.h>

#include "host.h"

double cbrt(double x) { return __host_math_cbrt(x); }

float cbrtf(float x) { return (float)cbrt(x); }

/* One step of Halley's method triples the 53 good bits of a root of the host. */
long double cbrtl(long double x) {
  if (x == 0 || !isfinite(x)) return x;
  int exponent;
  long double m = frexpl(x, &exponent);
  int third = exponent / 3;
  m = ldexpl(m, exponent - 3 * third);
  long double root = cbrt((double)m), cube = root * root * root;
  root *= (cube + 2 * m) / (2 * cube + m);
  return ldexpl(root, third);
}
