/* memcpy, memmove: one check of the range, then the bytes are copied. */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

/*
 * Up to 32 bytes are loaded before any is stored, so overlap is harmless. The two halves may
 * overlap: 11 bytes are the first 8 and the last 8. Longer copies use WebAssembly's memory.copy,
 * which is a call into the engine.
 */
void __rz_raw_memmove(void *to, const void *from, size_t n) {
  char *d = to;
  const char *s = from;
  if (n > 32) {
    __builtin_memmove(d, s, n);
  } else if (n > 16) {
    uint64_t first = __rz_raw_load64(s), second = __rz_raw_load64(s + 8);
    uint64_t third = __rz_raw_load64(s + n - 16), fourth = __rz_raw_load64(s + n - 8);
    __rz_raw_store64(d, first);
    __rz_raw_store64(d + 8, second);
    __rz_raw_store64(d + n - 16, third);
    __rz_raw_store64(d + n - 8, fourth);
  } else if (n >= 8) {
    uint64_t head = __rz_raw_load64(s), tail = __rz_raw_load64(s + n - 8);
    __rz_raw_store64(d, head);
    __rz_raw_store64(d + n - 8, tail);
  } else if (n >= 4) {
    uint32_t head, tail;
    __builtin_memcpy(&head, s, 4);
    __builtin_memcpy(&tail, s + n - 4, 4);
    __builtin_memcpy(d, &head, 4);
    __builtin_memcpy(d + n - 4, &tail, 4);
  } else if (n != 0) {
    char first = s[0], middle = s[n / 2], last = s[n - 1];
    d[0] = first;
    d[n / 2] = middle;
    d[n - 1] = last;
  }
}

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  __rz_range_copy(to, from, n, 0);
  __rz_raw_memmove(to, from, n);
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  __rz_range_copy(to, from, n, 1);
  __rz_raw_memmove(to, from, n);
  return to;
}
