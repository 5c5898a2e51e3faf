/* strchr, strchrnul, index */
#include <string.h>

#include "engine.h"
#include "raw.h"
#include "words.h"

size_t __rz_raw_strchrnul(const char *text, int c) {
  const char *at = __rz_raw_word_of(text);
  const uint64_t wanted = (unsigned char)c * __RZ_LOW_BITS, before = __rz_bytes_before(text);
  uint64_t word = __rz_raw_load64(at), marks;
  marks = __rz_zero_bytes(word | before) | __rz_zero_bytes((word ^ wanted) | before);
  while (marks == 0) {
    at += 8;
    word = __rz_raw_load64(at);
    marks = __rz_zero_bytes(word) | __rz_zero_bytes(word ^ wanted);
  }
  return (size_t)(at - text) + __rz_first_byte(marks);
}

char *strchrnul(const char *text, int c) {
  size_t i = __rz_raw_strchrnul(text, c), seen = __rz_range_scan(text, i + 1);
  return (char *)text + (seen > i ? i : seen);
}

char *strchr(const char *text, int c) {
  size_t i = __rz_raw_strchrnul(text, c);
  return __rz_range_scan(text, i + 1) > i && text[i] == (char)c ? (char *)text + i : NULL;
}
