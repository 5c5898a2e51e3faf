/*
 * Quad to integers: cut towards zero. What does not fit, which C leaves undefined, becomes the
 * nearest limit.
 */
#include "floating.h"

/* |x| cut to an integer, at most `limit`. */
static __rz_u128 magnitude(__rz_unpacked x, __rz_u128 limit) {
  int exponent = x.exponent - __RZ_QUAD_BIAS;
  if (x.kind == __RZ_ZERO || x.kind == __RZ_NAN || exponent < 0) return 0;
  if (x.kind == __RZ_INFINITE || exponent > 127) return limit;
  __rz_u128 value = exponent < 112 ? x.significand >> (112 - exponent) : x.significand << (exponent - 112);
  return value < limit ? value : limit;
}

static __rz_i128 to_signed(__rz_quad x, int bits) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  __rz_u128 limit = ((__rz_u128)1 << (bits - 1)) - !parts.negative;
  __rz_u128 value = magnitude(parts, limit);
  return (__rz_i128)(parts.negative ? 0 - value : value);
}

static __rz_u128 to_unsigned(__rz_quad x, __rz_u128 limit) {
  __rz_unpacked parts = __rz_quad_unpack(x);
  return parts.negative ? 0 : magnitude(parts, limit);
}

int __fixtfsi(__rz_quad x) { return (int)to_signed(x, 32); }

int64_t __fixtfdi(__rz_quad x) { return (int64_t)to_signed(x, 64); }

__rz_i128 __fixtfti(__rz_quad x) { return to_signed(x, 128); }

unsigned __fixunstfsi(__rz_quad x) { return (unsigned)to_unsigned(x, UINT32_MAX); }

uint64_t __fixunstfdi(__rz_quad x) { return (uint64_t)to_unsigned(x, UINT64_MAX); }

__rz_u128 __fixunstfti(__rz_quad x) { return to_unsigned(x, ~(__rz_u128)0); }
