/* log, log2, log10, log1p for double and float: see logl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

static inline double logarithm(double result, double x) {
  return __rz_check_overflow(__rz_check_domain(result, x), x);
}

double log(double x) { return logarithm(__host_math_log(x), x); }

float logf(float x) { return (float)log(x); }

double log2(double x) { return logarithm(__host_math_log2(x), x); }

float log2f(float x) { return (float)log2(x); }

double log10(double x) { return logarithm(__host_math_log10(x), x); }

float log10f(float x) { return (float)log10(x); }

double log1p(double x) { return logarithm(__host_math_log1p(x), x); }

float log1pf(float x) { return (float)log1p(x); }
