/*
 * memmem and strstr: the two-way algorithm of Crochemore and Perrin ("Two-way string-matching",
 * 1991).
 *
 * The part is split in two, part = left right, at a critical position. A mismatch after i bytes,
 * comparing `right` from left to right, allows a shift of i + 1; when `right` matched and `left`
 * does not, the shift is the period of the part. So the text is scanned in linear time with
 * constant memory, which the obvious double loop does not achieve on texts like "aaaa...ab". For a
 * periodic part (left repeats inside right) the search remembers how many bytes are known to match
 * after such a shift.
 *
 * strstr does not measure the text first: a program that searches a long text for the next of many
 * matches would scan the rest of it each time. It determines the length in steps, just ahead of
 * the search.
 *
 * Most parts are found at the first places where their first byte stands, or nowhere, so the part
 * is split only after some of these places did not match.
 *
 * Invariant: text[0 .. known) is known to lie before the end of the text.
 */
#include <string.h>

#include "engine.h"
#include "raw.h"

/*
 * The start of the largest suffix of the part, by byte order or its reverse, and the period of that
 * suffix.
 */
static size_t __rz_raw_largest_suffix(const unsigned char *part, size_t n, int reverse, size_t *period) {
  size_t start = 0, candidate = 1, equal = 0;
  *period = 1;
  while (candidate + equal < n) {
    unsigned char a = part[candidate + equal], b = part[start + equal];
    if (a == b) {
      equal++;
      if (equal == *period) {
        candidate += equal;
        equal = 0;
      }
    } else if ((a < b) != reverse) {
      candidate += equal + 1;
      equal = 0;
      *period = candidate - start;
    } else {
      start = candidate;
      candidate = start + 1;
      equal = 0;
      *period = 1;
    }
  }
  return start;
}

#define STEP 64

/* Scans more of the text; returns whether text[0 .. wanted) exists. */
static int __rz_raw_reaches(const char *text, size_t *known, size_t wanted, int zero_ended) {
  if (wanted <= *known) return 1;
  if (!zero_ended) return 0;
  *known += __rz_raw_strnlen(text + *known, wanted - *known + STEP);
  return wanted <= *known;
}

/*
 * Returns the offset of the part, which is not empty, or (size_t)-1; then *known is the length.
 */
static size_t __rz_raw_search(const char *text, size_t *known, int zero_ended, const char *part, size_t n) {
  size_t period, reverse_period;
  size_t cut = __rz_raw_largest_suffix((const unsigned char *)part, n, 0, &period);
  size_t reverse_cut = __rz_raw_largest_suffix((const unsigned char *)part, n, 1, &reverse_period);
  if (reverse_cut > cut) {
    cut = reverse_cut;
    period = reverse_period;
  }
  int periodic = period + cut <= n && __rz_raw_mismatch(part, part + period, cut) == cut;
  if (!periodic) period = (cut > n - cut ? cut : n - cut) + 1;

  size_t at = 0, matched = 0; /* `matched`: how many bytes of the part are known to match at `at` */
  while (__rz_raw_reaches(text, known, at + n, zero_ended)) {
    size_t i = cut > matched ? cut : matched;
    while (i < n && part[i] == text[at + i]) i++;
    if (i < n) {
      at += i - cut + 1;
      matched = 0;
      continue;
    }
    i = cut;
    while (i > matched && part[i - 1] == text[at + i - 1]) i--;
    if (i <= matched) return at;
    at += period;
    matched = periodic ? n - period : 0;
  }
  return (size_t)-1;
}

/* How many places are tried before the part is split. */
#define FEW_PLACES 16

/* Moves *at to the next place where the first byte of the part stands; 0 if there is none. */
static int __rz_raw_next_place(const char *text, size_t *at, size_t *known, int zero_ended, const char *part, size_t n) {
  if (zero_ended) {
    *at += __rz_raw_strchrnul(text + *at, *part);
    if (text[*at] != 0) return 1;
    *known = *at;
    return 0;
  }
  if (n > *known - *at) return 0;
  const char *found = __rz_raw_memchr(text + *at, *part, *known - *at - n + 1);
  if (found) *at = (size_t)(found - text);
  return found != NULL;
}

static size_t __rz_raw_find(const char *text, size_t *known, int zero_ended, const char *part, size_t n) {
  size_t at = 0;
  for (int i = 0; i < FEW_PLACES; i++, at++) {
    if (!__rz_raw_next_place(text, &at, known, zero_ended, part, n)) return (size_t)-1;
    size_t same = zero_ended ? __rz_raw_string_mismatch(text + at, part, n) : __rz_raw_mismatch(text + at, part, n);
    if (same == n) return at;
  }
  size_t rest = zero_ended ? 0 : *known - at;
  size_t found = __rz_raw_search(text + at, &rest, zero_ended, part, n);
  *known = at + rest;
  return found == (size_t)-1 ? found : at + found;
}

RZ_RAW_BEGIN

RZ_RAW_ENTRY static void *find_in_memory(const void *memory, size_t n, const void *part, size_t part_length) {
  __rz_range_output(part, part_length);
  __rz_range_read(memory, n); /* checked whole, as in memcmp, wherever the part is found */
  if (part_length == 0) return (void *)memory;
  size_t at = __rz_raw_find(memory, &n, 0, part, part_length);
  __rz_range_output(memory, at == (size_t)-1 ? n : at + part_length);
  return at == (size_t)-1 ? NULL : (char *)memory + at;
}

RZ_RAW_ENTRY static char *find_in_text(const char *text, const char *part) {
  size_t length = __rz_raw_strlen(part), seen = __rz_range_scan(part, length + 1), known = 0;
  if (length > seen) length = seen;
  if (length == 0) return (char *)text;
  size_t at = __rz_raw_find(text, &known, 1, part, length);
  size_t size = at == (size_t)-1 ? known + 1 : at + length;
  return __rz_range_scan(text, size) != size || at == (size_t)-1 ? NULL : (char *)text + at;
}

RZ_RAW_END

void *memmem(const void *memory, size_t n, const void *part, size_t part_length) {
  return find_in_memory(memory, n, part, part_length);
}

char *strstr(const char *text, const char *part) { return find_in_text(text, part); }
