/*
 * sqrt, sqrtf, sqrtl. The elementwise builtin is the instruction; __builtin_sqrt may become a call
 * of sqrt, for errno's sake.
 */
#include <errno.h>
#include <math.h>

#include "floating.h"
#include "math-errors.h"

double sqrt(double x) { return __rz_check_domain(__builtin_elementwise_sqrt(x), x); }

float sqrtf(float x) { return (float)__rz_check_domain(__builtin_elementwise_sqrt(x), x); }

/*
 * One bit of the root at a time. With r the root so far and d = 2^-k the next bit, r + d is still
 * too small exactly if 2 r d + d² <= s - r²; the remainder is kept doubled at each step so that d
 * needs no representation of its own.
 */
__rz_quad sqrtl(__rz_quad x) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  if (parts.kind == __RZ_ZERO || parts.kind == __RZ_NAN) return x;
  if (parts.negative) {
    errno = EDOM;
    return __rz_quad_from(__RZ_QUAD_NAN);
  }
  if (parts.kind == __RZ_INFINITE) return x;
  int exponent = parts.exponent - __RZ_QUAD_BIAS, odd = exponent & 1;
  __rz_u128 remainder = parts.significand << odd, root = 0, bit = __RZ_QUAD_ONE_BIT; /* value in [1, 4), unit 2^112 */
  for (int i = 0; i < 113; i++) {
    __rz_u128 step = 2 * root + bit;
    if (step <= remainder) {
      remainder -= step;
      root += bit;
    }
    remainder <<= 1;
    bit >>= 1;
  }
  /* Two more bits decide the rounding; a root is never exactly between two quads. */
  __rz_u128 guarded = root << 3 | (remainder > 2 * root ? 5 : remainder != 0);
  return __rz_quad_pack(0, (exponent - odd) / 2 + __RZ_QUAD_BIAS, guarded);
}
