/*
 * tgamma, lgamma and their relatives, by way of Stirling's series in long double:
 *
 *   log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum of B(2k) / (2k (2k - 1) x^(2k - 1))
 *
 * for x >= 32, where 15 terms give 110 bits; a smaller x is moved up by Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)),
 * a negative one is reflected by Gamma(x) Gamma(1 - x) = pi / sin(pi x). Long double is made of integers here and slow, but
 * cancellation near the zeros of the logarithm costs half of all bits, and what is left is still exact for double.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

#define SERIES_START 32
#define HALF_LOG_2_PI 0.918938533204672741780329736405617639861L

int signgam;

/* B(2k) / (2k (2k - 1)) for k = 1, 2, ... */
static const long double terms[] = {
    1 / 12.0L,          -1 / 360.0L,          1 / 1260.0L,          -1 / 1680.0L,
    1 / 1188.0L,        -691 / 360360.0L,     1 / 156.0L,           -3617 / 122400.0L,
    43867 / 244188.0L,  -174611 / 125400.0L,  77683 / 5796.0L,      -236364091 / 1506960.0L,
    657931 / 300.0L,    -3392780147 / 93960.0L, 1723168255201 / 2492028.0L,
};

/* log Gamma(x) for x > 0 */
static long double positive_log_gamma(long double x) {
  long double product = 1;
  int moved = 0;
  for (; x < SERIES_START; x += 1) {
    product *= x;
    moved = 1;
  }
  long double reciprocal = 1 / x, square = reciprocal * reciprocal, sum = 0;
  for (int k = (int)(sizeof terms / sizeof *terms); k-- > 0;) sum = sum * square + terms[k];
  long double result = (x - 0.5L) * logl(x) - x + HALF_LOG_2_PI + sum * reciprocal;
  return moved ? result - logl(product) : result;
}

static int is_pole(long double x) { return x <= 0 && truncl(x) == x; }

long double lgammal_r(long double x, int *sign) {
  *sign = 1;
  if (isnan(x) || isinf(x)) return x * x;
  if (is_pole(x)) {
    if (x == 0 && signbit(x)) *sign = -1;
    errno = ERANGE;
    return INFINITY;
  }
  if (x == 1 || x == 2) return 0;
  if (x > 0) return positive_log_gamma(x);
  if (x > -0x1p-60L) { /* Gamma(x) is 1 / x there */
    *sign = -1;
    return -logl(-x);
  }
  long double s = __rz_sin_pi(x);
  if (s < 0) *sign = -1;
  return logl(M_PIl / fabsl(s)) - positive_log_gamma(1 - x);
}

long double tgammal(long double x) {
  if (isnan(x) || (isinf(x) && x > 0)) return x;
  if (x == 0) {
    errno = ERANGE;
    return copysignl(INFINITY, x);
  }
  if (is_pole(x) || isinf(x)) {
    errno = EDOM;
    return NAN;
  }
  if (x > 0 && x <= SERIES_START && truncl(x) == x) { /* factorials: exact */
    long double product = 1;
    for (long double factor = 2; factor < x; factor += 1) product *= factor;
    return product;
  }
  int sign;
  long double size = expl(lgammal_r(x, &sign));
  return sign < 0 ? -size : size;
}

static double checked(long double result, double x) {
  double rounded = (double)result;
  if (isfinite(x) && (isinf(rounded) || rounded == 0)) errno = ERANGE;
  return rounded;
}

double tgamma(double x) {
  double result = (double)tgammal(x);
  if (isfinite(x) && truncl(x) != x && (isinf(result) || result == 0)) errno = ERANGE;
  if (isfinite(x) && x > 0 && isinf(result)) errno = ERANGE;
  return result;
}

float tgammaf(float x) {
  float result = (float)tgamma(x);
  if (isfinite(x) && x > 0 && isinf(result)) errno = ERANGE;
  return result;
}

double lgamma_r(double x, int *sign) {
  long double result = lgammal_r(x, sign);
  return result == 0 ? 0 : checked(result, x);
}

float lgammaf_r(float x, int *sign) { return (float)lgamma_r(x, sign); }

double lgamma(double x) { return lgamma_r(x, &signgam); }

float lgammaf(float x) { return lgammaf_r(x, &signgam); }

long double lgammal(long double x) { return lgammal_r(x, &signgam); }

double gamma(double x) { return lgamma(x); }

float gammaf(float x) { return lgammaf(x); }

long double gammal(long double x) { return lgammal(x); }
