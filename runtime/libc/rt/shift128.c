/* Shifts of 128-bit integers by 0 to 127. */
#include "int128.h"

__rz_i128 __ashlti3(__rz_i128 value, int n) {
  uint64_t low = __rz_low((__rz_u128)value), high = __rz_high((__rz_u128)value);
  if (n >= 64) return (__rz_i128)__rz_join(low << (n - 64), 0);
  if (n == 0) return value;
  return (__rz_i128)__rz_join(high << n | low >> (64 - n), low << n);
}

__rz_i128 __lshrti3(__rz_i128 value, int n) {
  uint64_t low = __rz_low((__rz_u128)value), high = __rz_high((__rz_u128)value);
  if (n >= 64) return (__rz_i128)__rz_join(0, high >> (n - 64));
  if (n == 0) return value;
  return (__rz_i128)__rz_join(high >> n, low >> n | high << (64 - n));
}

__rz_i128 __ashrti3(__rz_i128 value, int n) {
  uint64_t low = __rz_low((__rz_u128)value);
  int64_t high = (int64_t)__rz_high((__rz_u128)value);
  if (n >= 64) return (__rz_i128)__rz_join((uint64_t)(high >> 63), (uint64_t)(high >> (n - 64)));
  if (n == 0) return value;
  return (__rz_i128)__rz_join((uint64_t)(high >> n), low >> n | (uint64_t)high << (64 - n));
}
