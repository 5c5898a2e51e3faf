/*
 * fmal: the exact sum of a 226-bit product and a 113-bit number, as 256-bit integers with their
 * unit at bit 253.
 */
#include <math.h>

#include "floating.h"

typedef struct {
  __rz_u128 high, low;
} Wide;

static Wide shift_right_sticky(Wide x, int n) {
  if (n == 0) return x;
  if (n >= 256) return (Wide){0, x.high != 0 || x.low != 0};
  if (n >= 128) return (Wide){0, __rz_shift_right_sticky(x.high, n - 128) | (x.low != 0)};
  return (Wide){x.high >> n, x.high << (128 - n) | __rz_shift_right_sticky(x.low, n)};
}

static Wide shift_left(Wide x, int n) {
  if (n == 0) return x;
  if (n >= 128) return (Wide){x.low << (n - 128), 0};
  return (Wide){x.high << n | x.low >> (128 - n), x.low << n};
}

static Wide add(Wide x, Wide y) {
  __rz_u128 low = x.low + y.low;
  return (Wide){x.high + y.high + (low < x.low), low};
}

static Wide subtract(Wide x, Wide y) { return (Wide){x.high - y.high - (x.low < y.low), x.low - y.low}; }

static int is_less(Wide x, Wide y) { return x.high < y.high || (x.high == y.high && x.low < y.low); }

/* The product of two significands, moved so that its unit is at bit 253: it has 226 or 225 bits. */
static Wide multiply(__rz_u128 a, __rz_u128 b) {
  a <<= 15;
  b <<= 14;
  __rz_u128 low = __rz_multiply64(__rz_low(a), __rz_low(b));
  __rz_u128 middle = __rz_multiply64(__rz_high(a), __rz_low(b)) + __rz_high(low);
  __rz_u128 cross = __rz_multiply64(__rz_low(a), __rz_high(b)) + __rz_low(middle);
  __rz_u128 high = __rz_multiply64(__rz_high(a), __rz_high(b)) + __rz_high(middle) + __rz_high(cross);
  return (Wide){high, __rz_join(__rz_low(cross), __rz_low(low))};
}

long double fmal(long double x, long double y, long double z) {
  __rz_unpacked a = __rz_quad_unpack(x), b = __rz_quad_unpack(y), c = __rz_quad_unpack(z);
  int finite_product = a.kind == __RZ_FINITE && b.kind == __RZ_FINITE;
  if (finite_product && c.kind == __RZ_ZERO) return x * y; /* adding z would lose the sign of a result that underflows */
  if (finite_product && c.kind == __RZ_INFINITE) return z; /* and here the product might overflow */
  if (!finite_product || c.kind != __RZ_FINITE) return x * y + z;

  /* Bit 253 stands for 2^(exponent - bias); the product of two units is at bit 253. */
  Wide p = multiply(a.significand, b.significand), q = shift_left((Wide){0, c.significand}, 141);
  int p_exponent = a.exponent + b.exponent - __RZ_QUAD_BIAS, exponent = p_exponent > c.exponent ? p_exponent : c.exponent;
  p = shift_right_sticky(p, exponent - p_exponent);
  q = shift_right_sticky(q, exponent - c.exponent);
  int negative = a.negative != b.negative;
  Wide sum;
  if (negative == c.negative) {
    sum = add(p, q);
  } else if (is_less(p, q)) {
    sum = subtract(q, p);
    negative = c.negative;
  } else {
    sum = subtract(p, q);
    if (sum.high == 0 && sum.low == 0) return 0;
  }
  int zeros = sum.high != 0 ? __rz_leading_zeros128(sum.high) : 128 + __rz_leading_zeros128(sum.low);
  if (zeros > 2) {
    sum = shift_left(sum, zeros - 2);
    exponent -= zeros - 2;
  }
  __rz_u128 significand = __rz_shift_right_sticky(sum.high, 10) | (sum.low != 0); /* bit 253 becomes bit 115 */
  return (long double)__rz_quad_pack(negative, exponent, significand);
}
