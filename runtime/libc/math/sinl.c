/*
 * sin, cos, tan, sincos for long double, to its full 113 bits.
 *
 * x = n pi/2 + r. The three parts of pi/2 are so short that n times each of the first two is exact
 * for n up to 2^53; larger arguments go another way (reduce-large.c). The sine and cosine of r, |r|
 * <= pi/4, are Taylor series.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

#define HALF_PI_1 0xc90fdaa22168c23p-59L
#define HALF_PI_2 0x9898cc51701b839p-120L
#define HALF_PI_3 0x5129024e088a67cc74020bbea63bp-231L

void __rz_sincos_reduced(long double r, long double *sine, long double *cosine) {
  long double square = r * r, s = 1, c = 1;
  for (int k = 28; k >= 2; k -= 2) {
    c = 1 - square / ((k - 1) * k) * c;
    s = 1 - square / (k * (k + 1)) * s;
  }
  *sine = r * s;
  *cosine = c;
}

void sincosl(long double x, long double *sine, long double *cosine) {
  if (!isfinite(x)) {
    if (isinf(x)) errno = EDOM;
    *sine = *cosine = NAN;
    return;
  }
  long double r, s, c;
  int quarter;
  if (fabsl(x) >= 0x1p52L) {
    quarter = __rz_reduce_large(x, &r);
  } else {
    long double n = rintl(x * M_2_PIl);
    r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3;
    quarter = (int)fmodl(n, 4) & 3;
  }
  __rz_sincos_reduced(r, &s, &c);
  switch (quarter) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s; break;
  }
  if (x == 0) *sine = x;
}

long double sinl(long double x) {
  long double s, c;
  sincosl(x, &s, &c);
  return s;
}

long double cosl(long double x) {
  long double s, c;
  sincosl(x, &s, &c);
  return c;
}

long double tanl(long double x) {
  long double s, c;
  sincosl(x, &s, &c);
  return s / c;
}

long double __rz_sin_pi(long double x) {
  long double n = rintl(2 * x), s, c;
  __rz_sincos_reduced((x - n / 2) * M_PIl, &s, &c);
  switch ((int)fmodl(n, 4) & 3) {
    case 0: return s;
    case 1: return c;
    case 2: return -s;
    default: return -c;
  }
}
