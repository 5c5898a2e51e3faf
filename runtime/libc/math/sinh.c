/* The hyperbolic functions and their inverses for double and float: see sinhl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double sinh(double x) { return __rz_check_overflow(__host_math(__HOST_SINH, x, 0), x); }

float sinhf(float x) { return (float)sinh(x); }

double cosh(double x) { return __rz_check_overflow(__host_math(__HOST_COSH, x, 0), x); }

float coshf(float x) { return (float)cosh(x); }

double tanh(double x) { return __host_math(__HOST_TANH, x, 0); }

float tanhf(float x) { return (float)tanh(x); }

double asinh(double x) { return __host_math(__HOST_ASINH, x, 0); }

float asinhf(float x) { return (float)asinh(x); }

double acosh(double x) { return __rz_check_domain(__host_math(__HOST_ACOSH, x, 0), x); }

float acoshf(float x) { return (float)acosh(x); }

double atanh(double x) { return __rz_check_overflow(__rz_check_domain(__host_math(__HOST_ATANH, x, 0), x), x); }

float atanhf(float x) { return (float)atanh(x); }
