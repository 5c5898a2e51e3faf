/* Unsigned 128-bit division and remainder. */
#include "int128.h"

__rz_u128 __udivti3(__rz_u128 a, __rz_u128 b) {
  __rz_u128 remainder;
  return __rz_divide128(a, b, &remainder);
}

__rz_u128 __umodti3(__rz_u128 a, __rz_u128 b) {
  __rz_u128 remainder;
  __rz_divide128(a, b, &remainder);
  return remainder;
}

__rz_u128 __udivmodti4(__rz_u128 a, __rz_u128 b, __rz_u128 *remainder) {
  __rz_u128 rest, quotient = __rz_divide128(a, b, &rest);
  if (remainder) *remainder = rest;
  return quotient;
}
