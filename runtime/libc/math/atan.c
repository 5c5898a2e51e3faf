/* asin, acos, atan, atan2 for double and float: see atanl.c for long double. */
#include <math.h>

#include "host.h"
#include "math-errors.h"

double asin(double x) { return __rz_check_domain(__host_math_asin(x), x); }

float asinf(float x) { return (float)asin(x); }

double acos(double x) { return __rz_check_domain(__host_math_acos(x), x); }

float acosf(float x) { return (float)acos(x); }

double atan(double x) { return __host_math_atan(x); }

float atanf(float x) { return (float)atan(x); }

double atan2(double y, double x) { return __host_math_atan2(y, x); }

float atan2f(float y, float x) { return (float)atan2(y, x); }
