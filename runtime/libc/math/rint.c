/*
 * rint and nearbyint: to the nearest integer, ties to even; they differ only in a flag that does
 * not exist here.
 */
#include <math.h>

double rint(double x) { return __builtin_rint(x); }

float rintf(float x) { return __builtin_rintf(x); }

/* Adding and subtracting 2^112 leaves no room for fraction bits, so the addition rounds. */
long double rintl(long double x) {
  const long double large = copysignl(0x1p112L, x);
  if (!(fabsl(x) < 0x1p112L)) return x;
  return copysignl(x + large - large, x);
}

double nearbyint(double x) { return rint(x); }

float nearbyintf(float x) { return rintf(x); }

long double nearbyintl(long double x) { return rintl(x); }
