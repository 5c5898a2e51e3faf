/*
 * pow, powf: see powl.c for long double. C requires 1 where JavaScript has NaN: 1 to any power, and
 * -1 to an infinite one.
 */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double pow(double x, double y) {
  if (x == 1 || y == 0 || (x == -1 && isinf(y))) return 1;
  double result = __host_math_pow(x, y);
  if (isfinite(x) && isfinite(y)) {
    if (isnan(result)) errno = EDOM;
    if (isinf(result) || (result == 0 && x != 0)) errno = ERANGE;
  }
  return result;
}

float powf(float x, float y) {
  float result = (float)pow(x, y);
  if (isfinite(x) && isfinite(y) && (isinf(result) || (result == 0 && x != 0))) errno = ERANGE;
  return result;
}
