/* strlen, strnlen */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

#define BLOCK 64

typedef unsigned char vector __attribute__((vector_size(16)));
typedef signed char signed_vector __attribute__((vector_size(16)));

/*
 * Returns the first block from here on that has a zero byte; `at` is aligned to a block. The least
 * of each of the sixteen columns of four bytes is 0 if one of the bytes is. This is a function of
 * its own, since code with vectors cannot be inlined into code without.
 */
__attribute__((target("simd128"))) const char *__rz_raw_block_with_zero(const char *at) {
  for (;; at += BLOCK) {
    const vector *rows = (const vector *)at;
    vector least = __builtin_elementwise_min(__builtin_elementwise_min(rows[0], rows[1]),
                                             __builtin_elementwise_min(rows[2], rows[3]));
    if (!__builtin_wasm_all_true_i8x16((signed_vector)least)) return at;
  }
}

/* Scans word by word up to a block, then by blocks. The first word may begin before the text. */
size_t __rz_raw_strlen(const char *text) {
  const char *at = __rz_raw_word_of(text);
  uint64_t marks = __rz_zero_bytes(__rz_raw_load64(at) | __rz_bytes_before(text));
  while (marks == 0) {
    at += 8;
    if ((uintptr_t)at % BLOCK == 0) at = __rz_raw_block_with_zero(at);
    marks = __rz_zero_bytes(__rz_raw_load64(at));
  }
  return (size_t)(at - text) + __rz_first_byte(marks);
}

size_t __rz_raw_strnlen(const char *text, size_t n) {
  const char *end = __rz_raw_memchr(text, 0, n);
  return end ? (size_t)(end - text) : n;
}

size_t strlen(const char *text) {
  size_t length = __rz_raw_strlen(text), seen = __rz_range_scan(text, length + 1);
  return seen > length ? length : seen;
}

size_t strnlen(const char *text, size_t n) {
  size_t length = __rz_raw_strnlen(text, n), seen = __rz_range_scan(text, length + (length < n));
  return seen > length ? length : seen;
}
