/*
 * __builtin_powi: x to an integer power by squaring; a negative power is the reciprocal of the
 * positive one.
 */
#include "floating.h"

#define DEFINE_POWER(name, type) \
  type name(type x, int power) { \
    unsigned rest = power < 0 ? 0 - (unsigned)power : (unsigned)power; \
    type result = 1; \
    for (; rest != 0; rest >>= 1) { \
      if (rest & 1) result *= x; \
      x *= x; \
    } \
    return power < 0 ? 1 / result : result; \
  }

DEFINE_POWER(__powisf2, float)
DEFINE_POWER(__powidf2, double)
DEFINE_POWER(__powitf2, __rz_quad)
