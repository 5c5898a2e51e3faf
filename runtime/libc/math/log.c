/* log, log2, log10, log1p for double and float: see logl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

static double logarithm(int function, double x) {
  return __rz_check_overflow(__rz_check_domain(__host_math(function, x, 0), x), x);
}

double log(double x) { return logarithm(__HOST_LOG, x); }

float logf(float x) { return (float)log(x); }

double log2(double x) { return logarithm(__HOST_LOG2, x); }

float log2f(float x) { return (float)log2(x); }

double log10(double x) { return logarithm(__HOST_LOG10, x); }

float log10f(float x) { return (float)log10(x); }

double log1p(double x) { return logarithm(__HOST_LOG1P, x); }

float log1pf(float x) { return (float)log1p(x); }
