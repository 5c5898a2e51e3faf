/*
 * Comparison of quads. Each function's result is compared with 0 by the operator in its name: a < b
 * is __lttf2(a, b) < 0.
 */
#include "floating.h"

static int is_nan(__rz_u128 bits) { return (bits & ~__RZ_QUAD_SIGN) > __RZ_QUAD_INFINITY; }

/* -1, 0 or 1; `unordered` if one is a NaN. */
static int compare(__rz_quad a, __rz_quad b, int unordered) {
  __rz_u128 x = __rz_quad_bits(a), y = __rz_quad_bits(b);
  if (is_nan(x) || is_nan(y)) return unordered;
  if (((x | y) & ~__RZ_QUAD_SIGN) == 0) return 0; /* +0 equals -0 */
  __rz_i128 p = (__rz_i128)x, q = (__rz_i128)y;
  if (p < 0 && q < 0) return (x < y) - (x > y);
  return (p > q) - (p < q);
}

int __unordtf2(__rz_quad a, __rz_quad b) { return is_nan(__rz_quad_bits(a)) || is_nan(__rz_quad_bits(b)); }

int __eqtf2(__rz_quad a, __rz_quad b) { return compare(a, b, 1); }

int __netf2(__rz_quad a, __rz_quad b) { return compare(a, b, 1); }

int __lttf2(__rz_quad a, __rz_quad b) { return compare(a, b, 1); }

int __letf2(__rz_quad a, __rz_quad b) { return compare(a, b, 1); }

int __gttf2(__rz_quad a, __rz_quad b) { return compare(a, b, -1); }

int __getf2(__rz_quad a, __rz_quad b) { return compare(a, b, -1); }
