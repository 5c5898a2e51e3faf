/* The hyperbolic functions and their inverses for double and float: see sinhl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double sinh(double x) { return __rz_check_overflow(__host_math_sinh(x), x); }

float sinhf(float x) { return (float)sinh(x); }

double cosh(double x) { return __rz_check_overflow(__host_math_cosh(x), x); }

float coshf(float x) { return (float)cosh(x); }

double tanh(double x) { return __host_math_tanh(x); }

float tanhf(float x) { return (float)tanh(x); }

double asinh(double x) { return __host_math_asinh(x); }

float asinhf(float x) { return (float)asinh(x); }

double acosh(double x) { return __rz_check_domain(__host_math_acosh(x), x); }

float acoshf(float x) { return (float)acosh(x); }

double atanh(double x) { return __rz_check_overflow(__rz_check_domain(__host_math_atanh(x), x), x); }

float atanhf(float x) { return (float)atanh(x); }
