/* %s, %c, %[ and their wide forms. They store to the caller's memory, or allocate it with m. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locale-state.h"
#include "raw.h"
#include "scan-parts.h"
#include "wide.h"

/* Stores through the pointers that the program passed. They are outside raw code to be checked. */
__attribute__((noinline)) static void store_byte(char *to, char c) { *to = c; }
__attribute__((noinline)) static void store_wide(wchar_t *to, wchar_t c) { *to = c; }
__attribute__((noinline)) static void store_memory(void **to, void *memory) { *to = memory; }

/*
 * Decodes one more byte of a wide character. The argument and the result hold the number of missing
 * bytes in the upper half and the bits of the character in the lower; -1 with errno EILSEQ.
 */
__attribute__((noinline)) static int64_t decode(int is_utf8, int64_t known, int c) {
  mbstate_t state = {.__value = (unsigned)known, .__missing = (unsigned)(known >> 32)};
  char byte = (char)c;
  wchar_t wide = 0;
  size_t n = is_utf8 ? __rz_utf8_decode(&wide, &byte, 1, &state) : mbrtowc(&wide, &byte, 1, &state);
  if (n == (size_t)-1) return -1;
  return n == (size_t)-2 ? (int64_t)state.__missing << 32 | state.__value : (int64_t)wide;
}

/* Whether the locale has no multibyte form of this byte of UTF-8, with errno EILSEQ. */
__attribute__((noinline)) static int is_without_form(int c) {
  if (c < 0x80 || __rz_is_utf8()) return 0;
  errno = EILSEQ;
  return 1;
}

RZ_RAW_BEGIN

/* Where the characters are stored. The capacity counts elements: bytes, or wide characters. */
struct target {
  char *bytes;
  wchar_t *wide;
  void **result; /* with m, where to store the address of the memory */
  size_t count;
  size_t capacity;
  int64_t state; /* the state of decode */
  int is_wide;
  int from_wide; /* the source counts characters, and its bytes are UTF-8 whatever the locale is */
  int failure;   /* the outcome instead, or 0 */
};

static void open_target(struct target *target, int from_wide, const struct __rz_scan_spec *spec, void *to) {
  *target = (struct target){0};
  target->from_wide = from_wide;
  target->is_wide = spec->length == SCAN_LONG;
  target->capacity = SIZE_MAX;
  if (!to) return;
  if (spec->allocates) {
    target->result = to;
    target->capacity = 0;
  } else if (target->is_wide) {
    target->wide = to;
  } else {
    target->bytes = to;
  }
}

/* Makes sure that an allocated target has room for one more element. */
static int has_room(struct target *target) {
  if (target->count < target->capacity) return 1;
  size_t capacity = target->capacity ? target->capacity * 2 : 32;
  size_t size = target->is_wide ? sizeof(wchar_t) : 1;
  void *larger = realloc(target->is_wide ? (void *)target->wide : (void *)target->bytes, capacity * size);
  if (!larger) {
    target->failure = SCAN_NO_MEMORY;
    return 0;
  }
  if (target->is_wide) target->wide = larger;
  else target->bytes = larger;
  target->capacity = capacity;
  return 1;
}

static int is_open(const struct target *target) { return target->bytes || target->wide || target->result; }

static void put_wide(struct target *target, wchar_t c) {
  if (has_room(target)) store_wide(target->wide + target->count++, c);
}

/* Stores one byte of input. A wide target gets a character once all its bytes have been read. */
static void put(struct target *target, int c) {
  if (!is_open(target)) return;
  if (!target->is_wide) {
    if (target->from_wide && is_without_form(c)) target->failure = SCAN_MISMATCH;
    else if (has_room(target)) store_byte(target->bytes + target->count++, (char)c);
    return;
  }
  int64_t known = decode(target->from_wide, target->state, c), is_whole = known >> 32 == 0;
  if (known < 0) target->failure = SCAN_MISMATCH;
  else target->state = is_whole ? 0 : known;
  if (is_whole) put_wide(target, (wchar_t)known);
}

static void terminate(struct target *target) {
  if (!is_open(target)) return;
  if (target->is_wide) put_wide(target, 0);
  else if (has_room(target)) store_byte(target->bytes + target->count++, 0);
}

static int close_target(struct target *target, int outcome) {
  if (target->failure) outcome = target->failure;
  if (!target->result) return outcome;
  void *memory = target->is_wide ? (void *)target->wide : (void *)target->bytes;
  if (outcome == SCAN_STORED) {
    store_memory(target->result, memory);
  } else {
    free(memory);
  }
  return outcome;
}

/* The next element of a set: a byte, or a character if the source counts characters. */
static unsigned element(const char **at, const char *end, int is_utf8) {
  unsigned char first = (unsigned char)*(*at)++;
  if (!is_utf8 || first < 0xc0) return first;
  unsigned code = first & (first >= 0xf0 ? 0x07 : first >= 0xe0 ? 0x0f : 0x1f);
  while (*at < end && ((unsigned char)**at & 0xc0) == 0x80) code = code << 6 | ((unsigned char)*(*at)++ & 0x3f);
  return code;
}

/* A range whose ends are reversed stands for its two ends and '-'. */
static int is_in_range(unsigned c, unsigned low, unsigned high) {
  return low <= high ? c >= low && c <= high : c == low || c == '-' || c == high;
}

static int is_in_set(const struct __rz_scan_spec *spec, unsigned c, int is_utf8) {
  const char *at = spec->set;
  while (at < spec->set_end) {
    unsigned low = element(&at, spec->set_end, is_utf8);
    unsigned high = low;
    if (*at == '-' && at + 1 < spec->set_end) {
      at++;
      high = element(&at, spec->set_end, is_utf8);
    }
    if (is_in_range(c, low, high)) return !spec->is_negated;
  }
  return spec->is_negated;
}

static int accepts(const struct __rz_scan_spec *spec, unsigned c, int is_utf8) {
  if (spec->conversion == 'c') return 1;
  if (spec->conversion == 's') return c > 127 || !__rz_scan_is_space((int)c);
  return is_in_set(spec, c, is_utf8);
}

/* Reads the bytes of one character, or one byte for a byte source; returns 0 at the end. */
static int read_unit(struct __rz_source *source, char unit[MB_LEN_MAX]) {
  int c = __rz_scan_get(source);
  if (c == EOF) return 0;
  int length = !source->counts_characters || c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  unit[0] = (char)c;
  for (int i = 1; i < length; i++) unit[i] = (char)__rz_scan_get(source);
  return length;
}

static void unread_unit(struct __rz_source *source, const char *unit, int length) {
  for (int i = length - 1; i > 0; i--) source->unget(source, (unsigned char)unit[i]);
  __rz_scan_unget(source, (unsigned char)unit[0]);
}

int __rz_scan_text(struct __rz_source *source, const struct __rz_scan_spec *spec, void *to) {
  struct target target;
  open_target(&target, source->counts_characters, spec, to);
  long width = spec->width == LONG_MAX && spec->conversion == 'c' ? 1 : spec->width;
  long count = 0;
  int at_end = 0;
  for (; count < width && !target.failure; count++) {
    char unit[MB_LEN_MAX];
    int length = read_unit(source, unit);
    if (length == 0) {
      at_end = 1;
      break;
    }
    const char *at = unit;
    if (!accepts(spec, element(&at, unit + length, source->counts_characters), source->counts_characters)) {
      unread_unit(source, unit, length);
      break;
    }
    for (int i = 0; i < length; i++) put(&target, (unsigned char)unit[i]);
  }
  int outcome = count > 0 ? SCAN_STORED : at_end ? SCAN_END_OF_INPUT : SCAN_MISMATCH;
  if (outcome == SCAN_STORED && spec->conversion != 'c') terminate(&target);
  return close_target(&target, outcome);
}

RZ_RAW_END
