/* float and double to quad: always exact. */
#include "floating.h"

/* `fraction_bits` and `exponent_mask` describe the narrower format. */
static __rz_quad extend(uint64_t bits, int negative, int fraction_bits, int exponent_mask) {
  int exponent = (int)(bits >> fraction_bits) & exponent_mask, bias = exponent_mask >> 1;
  uint64_t unit = (uint64_t)1 << fraction_bits, fraction = bits & (unit - 1);
  if (exponent == exponent_mask) {
    __rz_u128 sign = negative ? __RZ_QUAD_SIGN : 0;
    return __rz_quad_from(sign | (fraction == 0 ? __RZ_QUAD_INFINITY : __RZ_QUAD_NAN));
  }
  if (exponent != 0)
    fraction |= unit;
  else
    exponent = 1;
  return __rz_quad_pack(negative, exponent - bias + __RZ_QUAD_BIAS, (__rz_u128)fraction << (__RZ_QUAD_UNIT - fraction_bits));
}

__rz_quad __extendsftf2(float x) { return extend(__rz_float_bits(x), __rz_float_bits(x) >> 31 != 0, 23, 0xff); }

__rz_quad __extenddftf2(double x) { return extend(__rz_double_bits(x), __rz_double_bits(x) >> 63 != 0, 52, 0x7ff); }
