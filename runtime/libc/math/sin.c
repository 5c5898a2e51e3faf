/* sin, cos, tan, sincos for double and float: see sinl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double sin(double x) { return __rz_check_domain(__host_math_sin(x), x); }

float sinf(float x) { return (float)sin(x); }

double cos(double x) { return __rz_check_domain(__host_math_cos(x), x); }

float cosf(float x) { return (float)cos(x); }

double tan(double x) { return __rz_check_domain(__host_math_tan(x), x); }

float tanf(float x) { return (float)tan(x); }

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
