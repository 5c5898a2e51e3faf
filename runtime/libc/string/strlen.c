/* strlen, strnlen */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

size_t __rz_raw_strlen(const char *text) {
  const char *at = text;
  for (; (uintptr_t)at % 8 != 0; at++)
    if (*at == 0) return (size_t)(at - text);
  uint64_t marks;
  while ((marks = __rz_zero_bytes(__rz_raw_load64(at))) == 0) at += 8;
  return (size_t)(at - text) + __rz_first_byte(marks);
}

size_t __rz_raw_strnlen(const char *text, size_t n) {
  const char *end = __rz_raw_memchr(text, 0, n);
  return end ? (size_t)(end - text) : n;
}

size_t strlen(const char *text) {
  size_t length = __rz_raw_strlen(text);
  __rz_range_output(text, length + 1);
  return length;
}

size_t strnlen(const char *text, size_t n) {
  size_t length = __rz_raw_strnlen(text, n);
  __rz_range_output(text, length + (length < n));
  return length;
}
