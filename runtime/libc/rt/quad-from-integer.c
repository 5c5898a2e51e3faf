/* Integers to quad. */
#include "floating.h"

static __rz_quad from_magnitude(int negative, __rz_u128 magnitude) {
  return __rz_quad_pack(negative, __RZ_QUAD_BIAS + __RZ_QUAD_UNIT, magnitude);
}

__rz_quad __floattitf(__rz_i128 x) { return from_magnitude(x < 0, x < 0 ? 0 - (__rz_u128)x : (__rz_u128)x); }

__rz_quad __floatuntitf(__rz_u128 x) { return from_magnitude(0, x); }

__rz_quad __floatsitf(int x) { return __floattitf(x); }

__rz_quad __floatditf(int64_t x) { return __floattitf(x); }

__rz_quad __floatunsitf(unsigned x) { return from_magnitude(0, x); }

__rz_quad __floatunditf(uint64_t x) { return from_magnitude(0, x); }
