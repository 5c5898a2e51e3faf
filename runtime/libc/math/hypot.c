/* hypot, hypotf, hypotl */
#include <errno.h>
#include <math.h>

/* x² is high + low exactly, by splitting x into two halves of 26 bits (Dekker, 1971). */
static void square(double x, double *high, double *low) {
  double t = x * 134217729, upper = t - (t - x), lower = x - upper;
  *high = x * x;
  *low = upper * upper - *high + 2 * upper * lower + lower * lower;
}

/*
 * The root h of the rounded sum of squares, improved by one step of Newton's method whose residue
 * is nearly exact.
 */
double hypot(double x, double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y)), scale = 1;
  if (isnan(x) || isnan(y)) return x + y;
  if (b <= a * 0x1p-60) return a + b;
  if (a > 0x1p500) scale = 0x1p600;
  if (b < 0x1p-450) scale = 0x1p-600;
  a /= scale;
  b /= scale;
  double a2, a2_low, b2, b2_low, h2, h2_low;
  square(a, &a2, &a2_low);
  square(b, &b2, &b2_low);
  double sum = a2 + b2, lost = a2 - sum + b2 + (a2_low + b2_low), h = __builtin_elementwise_sqrt(sum);
  square(h, &h2, &h2_low);
  double result = (h + (sum - h2 - h2_low + lost) / (2 * h)) * scale;
  if (isinf(result)) errno = ERANGE;
  return result;
}

/* The squares of floats are exact as doubles. */
float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  float result = (float)__builtin_elementwise_sqrt((double)x * x + (double)y * y);
  if (isinf(result)) errno = ERANGE;
  return result;
}

long double hypotl(long double x, long double y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  long double larger = fmaxl(fabsl(x), fabsl(y));
  if (larger == 0 || isnan(x) || isnan(y)) return fabsl(x) + fabsl(y);
  int exponent = ilogbl(larger);
  long double a = scalbnl(x, -exponent), b = scalbnl(y, -exponent);
  return scalbnl(sqrtl(a * a + b * b), exponent);
}
