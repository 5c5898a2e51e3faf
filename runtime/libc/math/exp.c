/* exp, exp2, exp10, expm1 for double and float: see expl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double exp(double x) { return __rz_check_underflow(__rz_check_overflow(__host_math_exp(x), x), x); }

float expf(float x) { return (float)exp(x); }

double exp2(double x) { return __rz_check_underflow(__rz_check_overflow(__host_math_pow(2, x), x), x); }

float exp2f(float x) { return (float)exp2(x); }

double exp10(double x) { return __rz_check_underflow(__rz_check_overflow(__host_math_pow(10, x), x), x); }

float exp10f(float x) { return (float)exp10(x); }

double expm1(double x) { return __rz_check_overflow(__host_math_expm1(x), x); }

float expm1f(float x) { return (float)expm1(x); }
