/*
 * Range operations: the checks of single accesses, granule by granule. Nearly always every word is
 * plain, and one pass of comparisons is enough.
 */
#include "range.h"

#include "fill.h"
#include "origins.h"
#include "partial.h"
#include "report.h"
#include "window.h"

/* Linked only into programs with annotations: writes are checked against open frames. */
extern __attribute__((weak)) void *__rz_frames;
extern __attribute__((weak)) void __rz_assigns_check(const void *p, u64 bytes);

/* Linked only into programs with threads. */
extern __attribute__((weak)) u32 __rz_thread_count;
extern __attribute__((weak)) void __rz_race_range(u32 address, u64 bytes, u32 kind);

static inline void touch(const void *p, u64 bytes, u32 access) {
  if (&__rz_thread_count && __rz_thread_count > 1) __rz_race_range(address_of(p), bytes, access);
}

static void about_to_write(const void *p, u64 bytes) {
  if (&__rz_frames && __rz_frames) __rz_assigns_check(p, bytes);
}

/* Skips plain granules from g on, eight at a time, up to `end`: long ranges consist of them. */
static u32 skip_plain(u32 g, u32 end, u32 word) {
  const u64 pair = (u64)word << 32 | word;
  for (; g + 8 <= end; g += 8) {
    u64 words[4];
    __builtin_memcpy(words, (const void *)(TAGS + g), sizeof words);
    if ((words[0] ^ pair) | (words[1] ^ pair) | (words[2] ^ pair) | (words[3] ^ pair)) break;
  }
  return g;
}

/* The same for the rest, two at a time, up to `last`. */
static inline u32 skip_pairs(u32 g, u32 last, u32 word) {
  const u64 pair = (u64)word << 32 | word;
  while (g < last && *(const any_u64 *)(TAGS + g) == pair) g += 2;
  return g;
}

u32 __rz_plain_bytes(const void *p, u32 bytes) {
  u32 first = address_of(p) >> 3, end = first + (bytes >> 3), word = word_for(number_of(p)), g = skip_plain(first, end, word);
  while (g < end && TAGS[g] == word) g++;
  return (g - first) << 3;
}

/*
 * The first byte of the range that a pointer with this number may not access, or `bytes`.
 * Accessible bytes before *special, if special is not null, are in plain granules.
 */
static inline u64 accessible_prefix(const void *p, u64 bytes, int writes, u32 *special) {
  u32 number = effective_number(p), first = address_of(p);
  if (first >= CLIENT_END || (writes && number & CONSTANT_BIT)) return 0;
  /* No block is larger than memory; a sum that wraps must not look like a short range. */
  u64 end = (u64)first + (bytes < CLIENT_END ? bytes : CLIENT_END);
  u32 start = skip_plain(first >> 3, (u32)((end < CLIENT_END ? end : CLIENT_END) >> 3), word_for(number));
  for (u64 at = start == first >> 3 ? first : (u64)start << 3; at < end; at = (at | 7) + 1) {
    if (at >= CLIENT_END) return at - first;
    u32 g = (u32)(at >> 3), word = word_at(g);
    if (word == word_for(number)) continue;
    if (word != special_word_for(number)) return at - first;
    if (special && at < *special) *special = (u32)at;
    u8 k = shadow_at(g);
    u64 stop = k == 0 ? 8 : k < 8 ? k : 0, granule_end = ((u64)g << 3) + stop;
    if (granule_end < end && stop < 8) return granule_end > at ? granule_end - first : at - first;
    if (granule_end <= at) return at - first;
  }
  return bytes;
}

/* Reports an invalid range; returns the accessible length. */
static u64 check(const void *p, u64 bytes, u32 access) {
  u64 valid = bytes == 0 ? 0 : accessible_prefix(p, bytes, access == ACCESS_WRITE, 0);
  if (valid != bytes) __rz_report_access(address_of(p), number_of(p), bytes, access, 0);
  touch(p, valid, access);
  return valid;
}

u64 __rz_range_allowed(const void *p, u64 bytes) { return bytes == 0 ? 0 : accessible_prefix(p, bytes, 1, 0); }
u64 __rz_range_readable(const void *p, u64 bytes) { return bytes == 0 ? 0 : accessible_prefix(p, bytes, 0, 0); }

static int all_plain(u32 first, u32 bytes, u32 word) {
  u32 last = (first + bytes - 1) >> 3;
  for (u32 g = skip_plain(first >> 3, last + 1, word); g <= last; g++)
    if (TAGS[g] != word) return 0;
  return 1;
}

static void set_byte_initialized(u32 at, int initialized) {
  u32 g = at >> 3, word = word_at(g);
  if (!is_special(word)) {
    if (initialized || word == NO_BLOCK) return;
    TAGS[g] = special_word_for(owner_of(word)), INIT[g] = 0xff, SHADOW[g] = 0;
    __rz_cut_window(owner_of(word), g);
  }
  u8 bit = (u8)(1 << (at & 7));
  INIT[g] = initialized ? INIT[g] | bit : INIT[g] & ~bit;
  if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, owner_of(word));
}

/* The number of bytes from `at` on in its granule, and their bits. */
static inline u32 in_granule(u32 at, u32 bytes, u32 *bits) {
  u32 skipped = at & 7, n = bytes < 8 - skipped ? bytes : 8 - skipped;
  *bits = (0xffu >> (8 - n)) << skipped;
  return n;
}

/*
 * Makes whole granules of one block that were never written plain, as in fresh memory. Returns
 * where they end.
 */
static u32 initialize_granules(u32 g, u32 end) {
  if (g >= end || !is_special(TAGS[g])) return g;
  const u32 special = TAGS[g], plain = word_for(owner_of(special));
  const u64 specials = (u64)special << 32 | special, plains = (u64)plain << 32 | plain;
  for (; g + 4 <= end; g += 4) {
    any_u64 *words = (any_u64 *)(TAGS + g);
    if ((words[0] ^ specials) | (words[1] ^ specials) | *(const any_u32 *)(SHADOW + g)) break;
    words[0] = words[1] = plains;
  }
  for (; g < end && TAGS[g] == special && SHADOW[g] == 0; g++) TAGS[g] = plain;
  return g;
}

void __rz_initialize(u32 first, u32 bytes) {
  for (u32 at = first, end = first + bytes, n; at < end; at += n) {
    if ((at & 7) == 0) at = initialize_granules(at >> 3, end >> 3) << 3;
    if (at == end) return;
    u32 bits, g = at >> 3, word = word_at(g);
    n = in_granule(at, end - at, &bits);
    if (!is_special(word)) continue;
    INIT[g] |= (u8)bits;
    if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, owner_of(word));
  }
}

static void copy_byte_init(u32 to, u32 from) {
  u8 undefined = __rz_undefined_bits(from);
  set_byte_initialized(to, !undefined);
  if (undefined) __rz_set_undefined_bits(to, undefined);
}

/* The initialised bytes of a granule; bytes outside blocks count as such. */
static inline u32 init_of(u32 g) { return is_special(word_at(g)) ? INIT[g] : 0xff; }

/*
 * Copies the states of the bytes of granule g that `bits` selects from the bytes at `from`, unless
 * some byte is partially initialised. Structures with padding are copied very often.
 */
static int copy_granule_init(u32 g, u32 bits, u32 from) {
  u32 skipped = (u32)__builtin_ctz(bits), last = (from + (u32)__builtin_popcount(bits) - 1) >> 3;
  if (is_partial(g) || is_partial(from >> 3) || is_partial(last)) return 0;
  u32 source = init_of(from >> 3) | (last != from >> 3 ? init_of(last) << 8 : 0);
  u32 word = word_at(g), written = source >> (from & 7) << skipped & bits;
  if (!is_special(word)) {
    if (word == NO_BLOCK || written == bits) return 1;
    TAGS[g] = special_word_for(owner_of(word)), INIT[g] = 0xff, SHADOW[g] = 0;
    __rz_cut_window(owner_of(word), g);
  }
  INIT[g] = (u8)((INIT[g] & ~bits) | written);
  if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, owner_of(word));
  return 1;
}

/* The same for whole granules, most of which were never written; returns how many were copied. */
static u32 copy_granules_init(u32 g, u32 h, u32 count) {
  for (u32 i = 0; i < count; i++, g++, h++) {
    if (!is_special(TAGS[g]) || TAGS[h] == NO_BLOCK) return i;
    INIT[g] = is_special(TAGS[h]) ? INIT[h] : 0xff;
    if (INIT[g] == 0xff && SHADOW[g] == 0) TAGS[g] = word_for(owner_of(TAGS[g]));
  }
  return count;
}

void __rz_copy_init(u32 to, u32 from, u32 bytes) {
  if (!__rz_track_init || bytes == 0) return;
  u32 word = TAGS[from >> 3];
  if (word >= PLAIN && all_plain(from, bytes, word)) {
    __rz_initialize(to, bytes);
    return;
  }
  if (word >= PLAIN && ((to | from) & 7) == 0 && (to < from || to - from >= bytes)) {
    /* The end of a block is seldom plain, but most of the block is. */
    u32 plain = (skip_plain(from >> 3, (from + bytes) >> 3, word) << 3) - from;
    __rz_initialize(to, plain);
    to += plain, from += plain, bytes -= plain;
  }
  if (to > from && to - from < bytes) {
    for (u32 i = bytes; i-- > 0;) copy_byte_init(to + i, from + i);
    return;
  }
  u32 done = ((to | from) & 7) == 0 && !__rz_has_partials ? copy_granules_init(to >> 3, from >> 3, bytes >> 3) << 3 : 0;
  for (u32 i = done; i < bytes;) {
    u32 bits, n = in_granule(to + i, bytes - i, &bits);
    if (!copy_granule_init((to + i) >> 3, bits, from + i))
      for (u32 k = 0; k < n; k++) copy_byte_init(to + i + k, from + i + k);
    i += n;
  }
}

/*
 * A partially initialised byte may be output: programs never write bits that no bit-field covers.
 */
static inline int has_been_written(u32 at) { return __rz_undefined_bits(at) != 0xff; }

/* The first uninitialised byte of an accessible range, or its end. */
static u32 first_unwritten(u32 first, u32 end) {
  if (!__rz_track_init) return end;
  for (u32 at = first; at < end; at = (at | 7) + 1) {
    if (!is_special(word_at(at >> 3))) continue;
    for (u32 b = at; b < end && b >> 3 == at >> 3; b++)
      if (!has_been_written(b)) return b;
  }
  return end;
}

/* The states of a range were copied; remembers the source if some of its bytes are undefined. */
static void note_undefined_copy(const void *to, const void *from, u32 bytes) {
  u32 first = address_of(from), end = first + bytes, start = skip_plain(first >> 3, end >> 3, word_for(number_of(from))) << 3;
  if (first_unwritten(start > first ? start : first, end) != end) note_copy(to, from, bytes);
}

void __rz_receive(void *copy, const void *from, u64 bytes) {
  u32 to = address_of(copy);
  __builtin_memcpy(raw(to), raw(address_of(from)), bytes);
  __rz_copy_init(to, address_of(from), (u32)bytes);
  note_undefined_copy(copy, from, (u32)bytes);
  if (__rz_label_copy) __rz_label_copy(copy, from, bytes, 0);
}

/* Up to here a loop over the granules takes less time than a search in steps. */
#define FEW 24u
/*
 * Up to here whole granules are copied in one pass, and copies of undefined bytes are accepted.
 */
#define FEW_COPIED 64u

/*
 * The granules of a range whose length is not 0. False if it reaches past the end of memory: the
 * functions below then find nothing settled.
 */
struct granules {
  u32 first, last;
};
static inline int granules_of(const void *p, u64 bytes, struct granules *granules) {
  u64 last = address_of(p) + bytes - 1;
  *granules = (struct granules){address_of(p) >> 3, (u32)(last >> 3)};
  return bytes <= CLIENT_END && last < CLIENT_END;
}
/* The first granule that need not be plain. */
static inline u32 after_plain(struct granules all, u64 bytes, u32 word) {
  return bytes > FEW ? skip_pairs(skip_plain(all.first, all.last, word), all.last, word) : all.first;
}
/* The bytes of granule g that are in a range, as bits. */
static inline u32 bits_of(struct granules all, u32 g, const void *p, u64 bytes) {
  u32 last = 0xffu >> (7 - ((address_of(p) + bytes - 1) & 7));
  return (g == all.last ? last : 0xffu) & (g == all.first ? 0xffu << (address_of(p) & 7) : 0xffu);
}

/*
 * Whether the tag words are the expected ones; some bytes may be uninitialised, and the last
 * granule may belong to the block in part.
 */
static inline int are_accessible(const void *p, u64 bytes) {
  struct granules all;
  u32 word = word_for(number_of(p)), special = special_word_for(number_of(p));
  if (bytes == 0) return 1;
  if (!granules_of(p, bytes, &all)) return 0;
  for (u32 g = after_plain(all, bytes, word); g <= all.last; g++) {
    if (TAGS[g] == word) continue;
    if (TAGS[g] != special) return 0;
    u32 k = SHADOW[g];
    if (k != 0 && (k >= 8 || g != all.last || k <= ((address_of(p) + bytes - 1) & 7))) return 0;
  }
  return 1;
}

/*
 * Whether all bytes are accessible and initialised: init covers both for a granule that is not
 * plain.
 */
static inline int are_written(const void *p, u64 bytes) {
  struct granules all;
  u32 word = word_for(number_of(p));
  if (bytes == 0) return 1;
  if (!granules_of(p, bytes, &all)) return 0;
  for (u32 g = after_plain(all, bytes, word); g <= all.last; g++) {
    if (TAGS[g] == word) continue;
    if (TAGS[g] != special_word_for(number_of(p)) || bits_of(all, g, p, bytes) & ~(u32)INIT[g]) return 0;
  }
  return 1;
}

/*
 * Whether a range of 1 to SHORTEST bytes is in plain granules. There are at most three, and the
 * byte in the middle is in the second of them.
 */
#define SHORTEST 16u
static inline int short_is_plain(const void *p, u64 bytes) {
  u32 first = address_of(p), n = (u32)bytes, word = word_for(number_of(p));
  if (bytes - 1 >= SHORTEST || first >= CLIENT_END - SHORTEST) return 0;
  return !((TAGS[first >> 3] ^ word) | (TAGS[(first + n - 1) >> 3] ^ word) | (TAGS[(first + (n >> 1)) >> 3] ^ word));
}

/*
 * Marks the bytes as written, in one pass. 0 if one of them may not be written: the range is then
 * checked again, and reported.
 */
static inline int take_write(const void *p, u64 bytes) {
  struct granules all;
  u32 word = word_for(number_of(p)), special = special_word_for(number_of(p));
  if (bytes == 0) return 1;
  if (number_of(p) & CONSTANT_BIT || !granules_of(p, bytes, &all)) return 0;
  for (u32 g = after_plain(all, bytes, word); g <= all.last; g++) {
    if (TAGS[g] == word) continue;
    u32 bits = bits_of(all, g, p, bytes);
    if (bits == 0xff && g + 4 <= all.last && TAGS[g] == special && __rz_track_init) {
      u32 end = initialize_granules(g, all.last);
      if (end != g) {
        g = end - 1;
        continue;
      }
    }
    u32 k = SHADOW[g];
    if (TAGS[g] != special || (k != 0 && (k >= 8 || bits >> k))) return 0;
    if (!__rz_track_init) continue;
    bits |= INIT[g];
    if (bits == 0xff) TAGS[g] = word;
    else INIT[g] = (u8)bits;
  }
  return 1;
}

/* Whether the ranges of a copy overlap. A distance of 0 is harmless. */
static inline int do_overlap(const void *d, const void *s, u64 bytes) {
  u32 moved = address_of(d) - address_of(s);
  return moved != 0 && (moved < bytes || -moved < bytes);
}

/*
 * Whole granules, as in structures: both ranges are checked and the states copied in one pass. 0 if
 * one is invalid, or the ranges overlap: they are then copied again.
 */
static inline int copy_few_granules(const void *d, const void *s, u32 bytes) {
  u32 to = address_of(d), from = address_of(s), moved = to - from, g = to >> 3, h = from >> 3;
  u32 target = number_of(d), source = number_of(s);
  if (to >= CLIENT_END - FEW_COPIED || from >= CLIENT_END - FEW_COPIED || moved < bytes || -moved < bytes || __rz_has_partials) return 0;
  if (target - 1 >= CONSTANT_BIT - 1 || source - 1 >= NUMBERS_END - 1) return 0;
  /* For a constant, no granule has this special word. */
  const u32 to_word = PLAIN + target * 4, to_special = target * 4 + 2, from_word = PLAIN + source * 4, from_special = source * 4 + 2;
  u32 all_written = 0xff;
  for (u32 end = g + (bytes >> 3); g < end; g++, h++) {
    u32 written = 0xff, word = TAGS[h], target_word = TAGS[g];
    if (word != from_word) {
      if (word != from_special || SHADOW[h] != 0) return 0;
      written = INIT[h], all_written &= written;
    }
    if (target_word == to_word) {
      if (written == 0xff) continue;
      TAGS[g] = to_special, SHADOW[g] = 0, __rz_cut_window(target, g);
    } else if (target_word != to_special || SHADOW[g] != 0) return 0;
    INIT[g] = (u8)written;
    if (written == 0xff) TAGS[g] = to_word;
  }
  if (all_written != 0xff) note_copy(d, s, bytes);
  return 1;
}

/* Checks both ranges of a copy and copies the states of the bytes, or returns 0. */
static inline __attribute__((always_inline)) int take_copy(void *d, const void *s, u64 bytes) {
  if (short_is_plain(d, bytes) && short_is_plain(s, bytes) && !(number_of(d) & CONSTANT_BIT)) return 1;
  if (bytes - 1 < FEW_COPIED && ((address_of(d) | address_of(s) | (u32)bytes) & 7) == 0 && __rz_track_init && copy_few_granules(d, s, (u32)bytes)) return 1;
  if (are_written(s, bytes)) return take_write(d, bytes);
  if (bytes > FEW_COPIED || number_of(d) & CONSTANT_BIT || !are_accessible(d, bytes) || !are_accessible(s, bytes)) return 0;
  __rz_copy_init(address_of(d), address_of(s), (u32)bytes);
  if (__rz_track_init) note_undefined_copy(d, s, (u32)bytes);
  return 1;
}

/* Whether others than this file look at ranges. */
static inline int is_watched(void) { return (&__rz_frames && __rz_frames) || (&__rz_thread_count && __rz_thread_count > 1); }

u32 __rz_range_is_accessible(const void *p, u64 bytes) { return !is_watched() && are_accessible(p, bytes); }
u32 __rz_range_is_written(const void *p, u64 bytes) { return !is_watched() && are_written(p, bytes); }
u32 __rz_range_takes_write(void *p, u64 bytes) {
  if (is_watched()) return 0;
  return (short_is_plain(p, bytes) && !(number_of(p) & CONSTANT_BIT)) || take_write(p, bytes);
}
u32 __rz_range_takes_copy(void *d, const void *s, u64 bytes, int may_overlap) {
  return !is_watched() && (may_overlap == MAY_OVERLAP || (may_overlap == 0 && !do_overlap(d, s, bytes))) && take_copy(d, s, bytes);
}

void __rz_range_read(const void *p, u64 bytes) {
  if (are_accessible(p, bytes)) touch(p, bytes, ACCESS_READ);
  else check(p, bytes, ACCESS_READ);
}

static void report_unwritten(u32 first, u32 number, u32 bytes) {
  const struct undefined_bytes found = __rz_birthplace((struct undefined_bytes){first, number, bytes, first, bytes});
  __rz_report_uninitialized(found.first, found.number, found.count, 0, found.value, found.value_bytes);
}

void __rz_range_output(const void *p, u64 bytes) {
  if (are_written(p, bytes)) {
    touch(p, bytes, ACCESS_READ);
    return;
  }
  u32 special = ~0u;
  u64 valid = accessible_prefix(p, bytes, 0, &special);
  if (valid != bytes) __rz_report_access(address_of(p), number_of(p), bytes, ACCESS_READ, 0);
  touch(p, valid, ACCESS_READ);
  u32 first = address_of(p), end = first + (u32)valid, unwritten = special < end ? first_unwritten(special, end) : end;
  if (unwritten == end) return;
  u32 after = unwritten + 1;
  while (after < end && !has_been_written(after)) after++;
  report_unwritten(unwritten, effective_number(p), after - unwritten);
  __rz_initialize(first, end - first);
}

u64 __rz_range_scan(const void *p, u64 bytes) {
  if (are_written(p, bytes)) {
    touch(p, bytes, ACCESS_READ);
    return bytes;
  }
  u32 special = ~0u;
  u64 valid = accessible_prefix(p, bytes, 0, &special);
  touch(p, valid, ACCESS_READ);
  if (valid == bytes && special == ~0u) return bytes;
  u32 first = address_of(p), end = first + (u32)valid, unwritten = special < end ? first_unwritten(special, end) : end;
  if (unwritten != end) {
    report_unwritten(unwritten, effective_number(p), 1);
    __rz_initialize(first, end - first);
    return unwritten - first;
  }
  if (valid != bytes) __rz_report_access(end, number_of(p), 1, ACCESS_READ, 0);
  return valid;
}

void __rz_range_write(void *p, u64 bytes) {
  about_to_write(p, bytes);
  if (take_write(p, bytes)) {
    touch(p, bytes, ACCESS_WRITE);
    return;
  }
  u32 valid = (u32)check(p, bytes, ACCESS_WRITE);
  if (valid && __rz_track_init && !all_plain(address_of(p), valid, word_for(effective_number(p)))) __rz_initialize(address_of(p), valid);
}

void __rz_range_copy(void *d, const void *s, u64 bytes, int may_overlap) {
  if (may_overlap == RANGES_OVERLAP) {
    __rz_report_overlap(address_of(s), address_of(s), (u32)bytes, 0);
    return;
  }
  about_to_write(d, bytes);
  int is_error = !may_overlap && do_overlap(d, s, bytes);
  if (take_copy(d, s, bytes)) {
    touch(s, bytes, ACCESS_READ), touch(d, bytes, ACCESS_WRITE);
    if (is_error) __rz_report_overlap(address_of(d), address_of(s), (u32)bytes, 0);
    return;
  }
  u64 readable = check(s, bytes, ACCESS_READ);
  u32 to = address_of(d), from = address_of(s), n = (u32)check(d, bytes, ACCESS_WRITE);
  if (readable == bytes && is_error && (to - from < n || from - to < n)) __rz_report_overlap(to, from, n, 0);
  if (!__rz_track_init || n == 0) return;
  u32 known = readable < n ? (u32)readable : n;
  if (known == n && all_plain(to, n, word_for(effective_number(d))) && all_plain(from, n, word_for(effective_number(s)))) return;
  __rz_copy_init(to, from, known);
  note_undefined_copy(d, s, known);
  __rz_initialize(to + known, n - known);
}
