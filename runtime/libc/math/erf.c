/*
 * erf and erfc.
 *
 *     |x| < 0.9    erf(x) = x + x P(x²)
 *     x >= 0.5     erfc(x) = e^(-x²) F(t) / (1 + 2x) with t = (x - 3.75) / (x + 3.75)
 *
 * The second is due to Shepherd and Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc
 * x in 0 <= x < infinity" (1981): F is nearly constant.
 *
 * Both polynomials were fitted at Chebyshev nodes with 300 bits, to an error below 10^-18; the rest
 * is one subtraction or reflection. e^(-x²) is e^(-z²) e^((z - x)(z + x)) with z the upper half of
 * the bits of x, whose square is exact: the rounding of x² itself would be magnified by x².
 */
#include <errno.h>
#include <math.h>

#include "floating.h"

static const double p[] = {
    0.1283791670955126, -0.37612638903183754, 0.112837916709551, -0.026866170645124077, 0.005223977625340751,
    -0.000854832701490715, 0.00012055332519432235, -1.4925633568608262e-05, 1.646169615878246e-06,
    -1.635866756067073e-07, 1.4723494823392752e-08, -1.1652473945294949e-09, 6.495025610302581e-11,
};

#define F0_LOW 1.0532811169858496e-16 /* what f[0] lacks */

static const double f[] = {
    1.2375126308378275, -0.14024059858554702, 0.003585415485463716, 0.08227673849015109, -0.1088039301417102,
    0.09230432116019659, -0.05869339859044296, 0.02836227742153623, -0.009746579549567915, 0.0017556258323401742,
    0.00029371361550813515, -0.00029015397972539697, 5.1649271214343186e-05, 2.238391854126736e-05,
    -1.1444463844195566e-05, -9.728836753446274e-07, 1.7517818286235622e-06, -5.816100364703228e-08,
    -2.5803482017531867e-07, 2.410184457809074e-08, 3.7247243209845766e-08, -4.176542757036172e-09,
    -3.9164185786191914e-09, 4.098912139147414e-10,
};

static double polynomial(const double *coefficients, int count, double x) {
  double sum = 0;
  while (count-- > 0) sum = sum * x + coefficients[count];
  return sum;
}

/* |x| < 0.9 */
static double small_erf(double x) { return x + x * polynomial(p, sizeof p / sizeof *p, x * x); }

/*
 * 0.5 <= x < 28. The sums lose bits that are known: what they lost, relative to the result, is
 * added at the end.
 */
static double large_erfc(double x) {
  double t = (x - 3.75) / (x + 3.75);
  double z = __rz_double_from(__rz_double_bits(x) & ~(uint64_t)0xffffffff);
  double rest = t * polynomial(f + 1, sizeof f / sizeof *f - 1, t), factor = f[0] + rest, factor_lost = f[0] - factor + rest;
  double divisor = 1 + 2 * x, divisor_lost = 2 * x > 1 ? 2 * x - divisor + 1 : 1 - divisor + 2 * x;
  double rough = exp(-z * z) * factor / divisor;
  return rough + rough * (expm1((z - x) * (z + x)) + (factor_lost + F0_LOW) / factor - divisor_lost / divisor);
}

double erf(double x) {
  double a = fabs(x);
  if (a < 0.9) return small_erf(x);
  if (!(a < 6)) return isnan(x) ? x : copysign(1, x);
  return copysign(1 - large_erfc(a), x);
}

double erfc(double x) {
  if (isnan(x)) return x;
  if (x < 0.5) return x > -0.9 ? 1 - small_erf(x) : x > -6 ? 2 - large_erfc(-x) : 2;
  double result = x < 28 ? large_erfc(x) : 0;
  if (result == 0 && !isinf(x)) errno = ERANGE;
  return result;
}

float erff(float x) { return (float)erf(x); }

float erfcf(float x) {
  float result = (float)erfc(x);
  if (result == 0 && !isinf(x)) errno = ERANGE;
  return result;
}
