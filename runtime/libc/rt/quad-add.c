/* Addition and subtraction of quads. */
#include "floating.h"

__rz_quad __addtf3(__rz_quad a, __rz_quad b) {
  __rz_unpacked x = __rz_quad_unpack(a), y = __rz_quad_unpack(b);
  if (x.kind == __RZ_NAN || y.kind == __RZ_NAN) return __rz_quad_from(__RZ_QUAD_NAN);
  if (x.kind == __RZ_INFINITE) return y.kind == __RZ_INFINITE && x.negative != y.negative ? __rz_quad_from(__RZ_QUAD_NAN) : a;
  if (y.kind == __RZ_INFINITE) return b;
  if (x.kind == __RZ_ZERO && y.kind == __RZ_ZERO) return x.negative == y.negative ? a : __rz_quad_from(0);
  if (x.kind == __RZ_ZERO) return b;
  if (y.kind == __RZ_ZERO) return a;

  if (x.exponent < y.exponent || (x.exponent == y.exponent && x.significand < y.significand)) {
    __rz_unpacked larger = y;
    y = x;
    x = larger;
  }
  __rz_u128 large = x.significand << 3, small = __rz_shift_right_sticky(y.significand << 3, x.exponent - y.exponent);
  if (x.negative == y.negative) return __rz_quad_pack(x.negative, x.exponent, large + small);
  if (large == small) return __rz_quad_from(0);
  return __rz_quad_pack(x.negative, x.exponent, large - small);
}

__rz_quad __negtf2(__rz_quad a) { return __rz_quad_from(__rz_quad_bits(a) ^ __RZ_QUAD_SIGN); }

__rz_quad __subtf3(__rz_quad a, __rz_quad b) { return __addtf3(a, __negtf2(b)); }
