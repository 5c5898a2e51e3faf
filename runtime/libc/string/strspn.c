/*
 * strspn, strcspn, strpbrk: a set of bytes is 256 bits, built once, so that each byte of the text
 * is one lookup.
 */
#include <stdint.h>
#include <string.h>

#include "engine.h"

typedef struct {
  uint64_t bits[4];
} ByteSet;

static int contains(const ByteSet *set, unsigned char byte) { return (set->bits[byte / 64] >> byte % 64) & 1; }

static ByteSet set_of(const char *members) {
  ByteSet set = {{0}};
  size_t length = strlen(members);
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)members[i];
    set.bits[byte / 64] |= (uint64_t)1 << byte % 64;
  }
  return set;
}

/*
 * The length of the run of bytes that are in the set (or are not). The caller has made zero end the
 * run.
 */
static size_t __rz_raw_span(const char *text, const ByteSet *set, int wanted) {
  size_t i = 0;
  while (contains(set, (unsigned char)text[i]) == wanted) i++;
  return i;
}

size_t strspn(const char *text, const char *accept) {
  ByteSet set = set_of(accept);
  size_t length = __rz_raw_span(text, &set, 1), seen = __rz_range_scan(text, length + 1);
  return seen > length ? length : seen;
}

/*
 * How many bytes are before one of the set or the end of the text. *seen is how many of them, and
 * of the one after them, may be read.
 */
static size_t complement_span(const char *text, const char *reject, size_t *seen) {
  ByteSet set = set_of(reject);
  set.bits[0] |= 1;
  size_t length = __rz_raw_span(text, &set, 0);
  *seen = __rz_range_scan(text, length + 1);
  return length;
}

size_t strcspn(const char *text, const char *reject) {
  size_t seen, length = complement_span(text, reject, &seen);
  return seen > length ? length : seen;
}

char *strpbrk(const char *text, const char *accept) {
  size_t seen, length = complement_span(text, accept, &seen);
  return seen > length && text[length] ? (char *)text + length : NULL;
}
