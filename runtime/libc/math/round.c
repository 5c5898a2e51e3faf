/* round: to the nearest integer, ties away from zero. x - trunc(x) is exact. */
#include <math.h>

double round(double x) {
  double whole = trunc(x);
  return fabs(x - whole) >= 0.5 ? whole + copysign(1, x) : whole;
}

float roundf(float x) {
  float whole = truncf(x);
  return fabsf(x - whole) >= 0.5f ? whole + copysignf(1, x) : whole;
}

long double roundl(long double x) {
  long double whole = truncl(x);
  return fabsl(x - whole) >= 0.5L ? whole + copysignl(1, x) : whole;
}
