/* memchr */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

void *__rz_raw_memchr(const void *memory, int byte, size_t n) {
  const unsigned char *at = memory, wanted = (unsigned char)byte;
  for (; n != 0 && (uintptr_t)at % 8 != 0; at++, n--)
    if (*at == wanted) return (void *)at;
  for (; n >= 8; at += 8, n -= 8) {
    uint64_t marks = __rz_zero_bytes(__rz_raw_load64(at) ^ wanted * __RZ_LOW_BITS);
    if (marks != 0) return (void *)(at + __rz_first_byte(marks));
  }
  for (; n != 0; at++, n--)
    if (*at == wanted) return (void *)at;
  return NULL;
}

/* The standard lets n reach past the object when the byte is found before its end. */
void *memchr(const void *memory, int byte, size_t n) {
  const char *found = __rz_raw_memchr(memory, byte, n);
  size_t size = found ? (size_t)(found - (const char *)memory) + 1 : n;
  return __rz_range_scan(memory, size) == size ? (void *)found : NULL;
}
