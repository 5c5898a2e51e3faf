/* ceil, ceilf, ceill. The sign of x is kept: the ceiling of -0.5 is -0. */
#include <math.h>

double ceil(double x) { return __builtin_ceil(x); }

float ceilf(float x) { return __builtin_ceilf(x); }

long double ceill(long double x) {
  long double whole = truncl(x);
  return whole < x ? whole + 1 : whole;
}
