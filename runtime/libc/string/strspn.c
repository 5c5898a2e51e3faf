/*
 * strspn, strcspn, strpbrk: a set of bytes is a bitmap of 256 bits, built once, so that each byte
 * of the text takes one lookup. The set is a local of raw code (raw.h). A search for a single byte
 * needs no set.
 */
#include <stdint.h>
#include <string.h>

#include "engine.h"
#include "raw.h"

RZ_RAW_BEGIN

typedef struct {
  uint64_t bits[4];
} ByteSet;

static int contains(const ByteSet *set, unsigned char byte) { return (set->bits[byte / 64] >> byte % 64) & 1; }

/* The length of the run of bytes of the text that are in the set of `count` members, or not. */
static size_t run_of(const char *text, const char *members, size_t count, int wanted) {
  ByteSet set = {{0}};
  for (size_t i = 0; i < count; i++) {
    unsigned char byte = (unsigned char)members[i];
    set.bits[byte / 64] |= (uint64_t)1 << byte % 64;
  }
  if (!wanted) set.bits[0] |= 1;
  size_t length = 0;
  while (contains(&set, (unsigned char)text[length]) == wanted) length++;
  return length;
}

/*
 * Returns the length of the run of bytes that are in the set (or not in it). A zero ends the run.
 * *seen is how many of these bytes and the one after them are readable.
 */
static size_t measure(const char *text, const char *members, int wanted, size_t *seen) {
  size_t count = __rz_raw_strlen(members), valid = __rz_range_scan(members, count + 1);
  if (count > valid) count = valid;
  size_t length = !wanted && count == 1 ? __rz_raw_strchrnul(text, *members) : run_of(text, members, count, wanted);
  *seen = __rz_range_scan(text, length + 1);
  return length;
}

RZ_RAW_ENTRY static size_t span(const char *text, const char *members, int wanted) {
  size_t seen, length = measure(text, members, wanted, &seen);
  return seen > length ? length : seen;
}

RZ_RAW_ENTRY static const char *find_member(const char *text, const char *members) {
  size_t seen, length = measure(text, members, 0, &seen);
  return seen > length && text[length] ? text + length : NULL;
}

RZ_RAW_END

size_t strspn(const char *text, const char *accept) { return span(text, accept, 1); }

size_t strcspn(const char *text, const char *reject) {
  if (!reject[0] || reject[1]) return span(text, reject, 0);
  size_t length = __rz_raw_strchrnul(text, *reject), seen = __rz_range_scan(text, length + 1);
  return seen > length ? length : seen;
}

char *strpbrk(const char *text, const char *accept) { return (char *)find_member(text, accept); }
