/*
 * Fills a few bytes. Most blocks are small, and memory.fill is a call into the engine that takes
 * longer than stores for a few dozen bytes.
 */
#ifndef RZ_FILL_H
#define RZ_FILL_H

#include "integers.h"

#define FILLED_BY_STORES 64u

typedef u64 __attribute__((aligned(1), may_alias)) any_u64;
typedef u32 __attribute__((aligned(1), may_alias)) any_u32;

/*
 * The attribute prevents clang from turning the loop into memory.fill. The stores at the two ends
 * may overlap.
 */
__attribute__((no_builtin("memset"))) static inline void fill_few(u8 *at, u32 n, u8 value) {
  const u64 eight = value * 0x0101010101010101ul;
  if (n >= 8) {
    u8 *last = at + n - 8;
    for (; at < last; at += 8) *(any_u64 *)at = eight;
    *(any_u64 *)last = eight;
  } else if (n >= 4) {
    *(any_u32 *)at = *(any_u32 *)(at + n - 4) = (u32)eight;
  } else if (n > 0) {
    at[0] = at[n >> 1] = at[n - 1] = value;
  }
}

static inline void fill(u8 *at, u32 n, u8 value) {
  if (n <= FILLED_BY_STORES) fill_few(at, n, value);
  else __builtin_memset(at, value, n);
}

#endif
