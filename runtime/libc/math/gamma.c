/*
 * tgamma, lgamma and their relatives, in long double; those of double round once.
 *
 *   near 2     log Gamma(2 + z) = (1 - C) z + sum of (-1)^k (zeta(k) - 1) z^k / k for |z| <= 1/2, with C Euler's constant
 *   below 32   Gamma(x + 1) = x Gamma(x) leads there; all factors are exact and the logarithms have one sign, so that nothing cancels
 *   from 32    Stirling's series, log Gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum of B(2k) / (2k (2k - 1) x^(2k - 1)); Gamma itself
 *              takes x^(x - 1/2) from powl, in two halves, since the exponential would magnify the error of its logarithm
 *   negative   Gamma(x) Gamma(-x) = -pi / (x sin(pi x))
 *
 * Long double is made of integers here and slow (tens of microseconds). Next to a zero of the
 * logarithm at a negative x its absolute error is that of 1.
 */
#include <errno.h>
#include <math.h>

#include "quad-math.h"

#define SERIES_START 32
#define LARGEST_FACTOR 1750 /* Gamma of this is finite */
#define ALWAYS_ZERO 1800    /* Gamma of less than its negative is 0 */
#define HALF_LOG_2_PI 0.918938533204672741780329736405617639861L
#define SQRT_2_PI 2.506628274631000502415765284811045253L
#define ONE_MINUS_EULER 0.4227843350984671393934879099175975690L

int signgam;

/* B(2k) / (2k (2k - 1)) for k = 1, 2, ... */
static const long double stirling[] = {
    1 / 12.0L,          -1 / 360.0L,          1 / 1260.0L,          -1 / 1680.0L,
    1 / 1188.0L,        -691 / 360360.0L,     1 / 156.0L,           -3617 / 122400.0L,
    43867 / 244188.0L,  -174611 / 125400.0L,  77683 / 5796.0L,      -236364091 / 1506960.0L,
    657931 / 300.0L,    -3392780147 / 93960.0L, 1723168255201 / 2492028.0L,
};

/* (-1)^k (zeta(k) - 1) / k for k = 2, 3, ... */
static const long double zetas[] = {
    0.3224670334241132182362075833230125946L, -0.06735230105319809513324605383714999692L,
    0.02058080842778454787900092413529197569L, -7.385551028673985266273097291406833611e-3L,
    2.890510330741523285752988298486754650e-3L, -1.192753911703260977113935692828108514e-3L,
    5.096695247430424223356548135815581574e-4L, -2.231547584535793797614188036013400540e-4L,
    9.945751278180853371459589003190170060e-5L, -4.492623673813314170020750240635786078e-5L,
    2.050721277567069155316650397830591337e-5L, -9.439488275268395903987425104415054944e-6L,
    4.374866789907487804181793223952410534e-6L, -2.039215753801366236781900709670839175e-6L,
    9.551412130407419832857179772951264523e-7L, -4.492469198764566043294290331193654758e-7L,
    2.120718480555466586923135901077628030e-7L, -1.004322482396809960872083050053343820e-7L,
    4.769810169363980565760193417246729719e-8L, -2.271109460894316491031998116062123650e-8L,
    1.083865921489695409107491757968158796e-8L, -5.183475041970046655121248647057669011e-9L,
    2.483674543802478317185008663991717813e-9L, -1.192140140586091207442548202774640474e-9L,
    5.731367241678862013330194857961011102e-10L, -2.759522885124233145178149692816340539e-10L,
    1.330476437424448948149715720858008297e-10L, -6.422964563838100022082448087644648489e-11L,
    3.104424774732227276239215783404066045e-11L, -1.502138408075414217093301048780668085e-11L,
    7.275974480239079662504549924814046953e-12L, -3.527742476575915083615072228655483383e-12L,
    1.711991790559617908601084114443031005e-12L, -8.315385841420284819798357793954418316e-13L,
    4.042200525289440065536008957032894718e-13L, -1.966475631096616490411045679010286288e-13L,
    9.573630387838555763782200936508614507e-14L, -4.664076026428374224576492565974577002e-14L,
    2.273736960065972320633279596737271885e-14L, -1.109139947083452201658320007192334229e-14L,
    5.413659156725363131492432328520693366e-15L, -2.643880017860994998486290320990480087e-15L,
    1.291895906278996729381177947164561035e-15L, -6.315935504198448567677941566539249054e-16L,
    3.089316266963392776050936335160769061e-16L, -1.511793062810819726144117974458893622e-16L,
    7.401486856952320152705144862623631234e-17L, -3.625218048120653729537446968163835857e-17L,
    1.776356842186163180619218277278277265e-17L, -8.707631574791790910191707726015924189e-18L,
    4.270088559227003815383307873470488393e-18L, -2.094760424794464403246310509285627741e-18L,
    1.027984282378792822911803072316561163e-18L, -5.046468294792953041057513552461945035e-19L,
    2.478176394593791564792695519017896769e-19L, -1.217349807814763806569488653728036715e-19L,
    5.981805089941245904731502579498852796e-20L, -2.940209281436570461099954186334908318e-20L,
};

/* log Gamma(2 + z) for |z| <= 1/2 */
static long double log_gamma_near_2(long double z) {
  long double sum = 0;
  for (int k = (int)(sizeof zetas / sizeof *zetas); k-- > 0;) sum = (sum + zetas[k]) * z;
  return z * (ONE_MINUS_EULER + sum);
}

/* x becomes a number between 1.5 and 2.5; the product of those between. */
static long double factors_down_to_2(long double *x) {
  long double product = 1;
  while (*x > 2.5L) {
    *x -= 1;
    product *= *x;
  }
  return product;
}

/* The sum at the end of Stirling's formula */
static long double stirling_sum(long double x) {
  long double reciprocal = 1 / x, square = reciprocal * reciprocal, sum = 0;
  for (int k = (int)(sizeof stirling / sizeof *stirling); k-- > 0;) sum = sum * square + stirling[k];
  return sum * reciprocal;
}

/* log Gamma(x) for x > 0 */
static long double positive_log_gamma(long double x) {
  if (x >= SERIES_START) return (x - 0.5L) * logl(x) - x + HALF_LOG_2_PI + stirling_sum(x);
  if (x < 0.5L) return log_gamma_near_2(x) - log1pl(x) - logl(x);
  if (x < 1.5L) return log_gamma_near_2(x - 1) - log1pl(x - 1);
  if (x <= 2.5L) return log_gamma_near_2(x - 2);
  long double product = factors_down_to_2(&x);
  return logl(product) + log_gamma_near_2(x - 2);
}

/* Gamma(x) for x >= -0.5, not 0 */
static long double simple_gamma(long double x) {
  if (x >= SERIES_START) {
    if (x > ALWAYS_ZERO) return INFINITY;
    long double root = powl(x, x / 2 - 0.25L);
    return root * expl(-x) * root * (SQRT_2_PI * expl(stirling_sum(x)));
  }
  if (x < 0.5L) return expl(log_gamma_near_2(x)) / (1 + x) / x;
  if (x < 1.5L) return expl(log_gamma_near_2(x - 1)) / x;
  long double product = factors_down_to_2(&x);
  return product * expl(log_gamma_near_2(x - 2));
}

/* Gamma(x) for x < -0.5; some are smaller than the reciprocal of the largest number. */
static long double reflected_gamma(long double x) {
  if (x < -ALWAYS_ZERO) return __rz_sin_pi(x) < 0 ? 0.0L : -0.0L;
  long double mirrored = -x, result = -M_PIl / (x * __rz_sin_pi(x));
  for (; mirrored > LARGEST_FACTOR; result /= mirrored) mirrored -= 1;
  return result / simple_gamma(mirrored);
}

static int is_pole(long double x) { return x <= 0 && truncl(x) == x; }

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
  long double result = x < -0.5L ? reflected_gamma(x) : simple_gamma(x);
  if (isinf(result) || result == 0) errno = ERANGE;
  return result;
}

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
  long double s = x * __rz_sin_pi(x); /* Gamma(x) has the other sign */
  if (s > 0) *sign = -1;
  if (x > -SERIES_START) return logl(fabsl(tgammal(x)));
  return logl(M_PIl / fabsl(s)) - positive_log_gamma(-x);
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
