/* memchr */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

void *__rz_raw_memchr(const void *memory, int byte, size_t n) {
  const char *start = memory, *at = __rz_raw_word_of(memory);
  const uint64_t wanted = (unsigned char)byte * __RZ_LOW_BITS;
  if (n == 0) return NULL;
  uint64_t marks = __rz_zero_bytes((__rz_raw_load64(at) ^ wanted) | __rz_bytes_before(memory));
  /* The number of bytes up to the end of the word that was read; the word may begin earlier. */
  for (ptrdiff_t seen = at + 8 - start; marks == 0; seen += 8) {
    if (n <= (size_t)seen) return NULL;
    at += 8;
    marks = __rz_zero_bytes(__rz_raw_load64(at) ^ wanted);
  }
  at += __rz_first_byte(marks);
  return (size_t)(at - start) < n ? (void *)at : NULL;
}

/* The standard allows n to reach past the object if the byte is found before its end. */
void *memchr(const void *memory, int byte, size_t n) {
  const char *found = __rz_raw_memchr(memory, byte, n);
  size_t size = found ? (size_t)(found - (const char *)memory) + 1 : n;
  return __rz_range_scan(memory, size) == size ? (void *)found : NULL;
}
