/*
 * fma: x * y + z, rounded once.
 *
 * In a format with more than twice the bits the product is exact. The sum is then rounded to odd,
 * and the result of that rounded to the narrow format: rounding to odd keeps in the last bit that
 * something was lost, so rounding again does not err (Boldo and Melquiond, "Emulation of FMA and
 * correctly rounded sums", 2008). float goes through double, double through quad; for quads there
 * is no wider format, and the sum is made of 256-bit integers.
 */
#include <math.h>

#include "floating.h"

float fmaf(float x, float y, float z) {
  double product = (double)x * y, sum = product + z;
  if (!isfinite(sum)) return (float)sum;
  double of_z = sum - product, lost = (product - (sum - of_z)) + (z - of_z);
  uint64_t bits = __rz_double_bits(sum);
  if (lost != 0 && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : -(uint64_t)1;
  return (float)__rz_double_from(bits);
}

double fma(double x, double y, double z) {
  __rz_quad product = (__rz_quad)x * y, sum = product + z;
  double rounded = (double)sum;
  if (rounded != rounded || !isfinite(x) || !isfinite(y) || !isfinite(z)) return rounded;
  __rz_quad of_z = sum - product, lost = (product - (sum - of_z)) + (z - of_z);
  __rz_u128 bits = __rz_quad_bits(sum);
  if (lost != 0 && (bits & 1) == 0) bits += (lost > 0) == (sum > 0) ? 1 : -(__rz_u128)1;
  return (double)__rz_quad_from(bits);
}
