/* fabs, fabsf, fabsl */
#include <math.h>

#include "floating.h"

double fabs(double x) { return __builtin_fabs(x); }

float fabsf(float x) { return __builtin_fabsf(x); }

__rz_quad fabsl(__rz_quad x) { return __rz_quad_from(__rz_quad_bits(x) & ~__RZ_QUAD_SIGN); }
