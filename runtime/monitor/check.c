/*
 * The slow path of a check: the tag word was not the expected one. Granules that are partial or not
 * fully initialised are handled here; everything else is an error.
 */
#include "check.h"

#include "calls.h"
#include "marks.h"
#include "origins.h"
#include "partial.h"
#include "range.h"
#include "report.h"
#include "window.h"

/* The part of granule g that the access [first, last] covers, as bits. */
static inline u32 covered(u32 g, u32 first, u32 last) {
  u32 from = g == first >> 3 ? first & 7 : 0, to = g == last >> 3 ? last & 7 : 7;
  return (0xffu << from) & (0xffu >> (7 - to));
}

/* Whether a pointer with this number may access these bytes of the granule. */
static inline int accessible(u32 word, u32 number, u32 g, u32 bits) {
  if (word != special_word_for(number)) return 0;
  u8 k = shadow_at(g);
  return k == 0 || (k < 8 && bits >> k == 0);
}

/*
 * The granule that contains the whole access, if all of it is accessible and the granule has no
 * plain word; otherwise NO_GRANULE. Fresh memory is filled and read byte by byte, and the last
 * granule of a block of 12 bytes is never plain, so this is the common case of the slow path; it
 * needs neither the trie nor a loop.
 */
#define NO_GRANULE 0u
static inline u32 only_granule(const void *p, u32 bytes) {
  u32 first = address_of(p), g = first >> 3;
  if (first >= CLIENT_END || TAGS[g] != special_word_for(number_of(p))) return NO_GRANULE;
  u32 k = SHADOW[g], accessible_bytes = k == 0 ? 8 : k < 8 ? k : 0;
  return (first & 7) + bytes <= accessible_bytes ? g : NO_GRANULE;
}

/*
 * Whether all bytes of the access are initialised, although the word of their granule is not plain:
 * its other bytes are padding, or after the end of the block. Init has no bit for an inaccessible
 * byte (store.c), so it covers both. `writtenCondition` of instrument/checks.ts is the same inline.
 */
static inline int is_written(const void *p, u32 access) {
  u32 bytes = access & ~MUST_BE_ALIGNED, first = address_of(p), g = first >> 3;
  if (bytes > 8 || first >= CLIENT_END || TAGS[g] != special_word_for(number_of(p))) return 0;
  if (access != bytes && first & (bytes - 1)) return 0;
  return !((0xffu >> (8 - bytes)) & ~(INIT[g] >> (first & 7)));
}

/*
 * The same for a store of a defined value, which is recorded. The granule must be accessible but
 * need not be initialised: fresh memory is filled byte by byte.
 */
static inline int takes_write(void *p, u32 access) {
  u32 bytes = access & ~MUST_BE_ALIGNED, first = address_of(p), g = first >> 3, number = number_of(p);
  if (bytes > 8 || first >= CLIENT_END || number & CONSTANT_BIT || TAGS[g] != special_word_for(number)) return 0;
  if (access != bytes && first & (bytes - 1)) return 0;
  u32 k = SHADOW[g], accessible_bytes = k == 0 ? 8 : k < 8 ? k : 0;
  if ((first & 7) + bytes > accessible_bytes) return 0;
  if (!__rz_track_init) return 1;
  u8 written = (u8)(INIT[g] | (0xffu >> (8 - bytes)) << (first & 7));
  INIT[g] = written;
  if (written == 0xff && k == 0) TAGS[g] = word_for(number);
  return 1;
}

/* What these accept is in one granule. */
static inline int has_mark(const void *p) { return address_of(p) < CLIENT_END && is_marked(address_of(p) >> 3); }
u32 __rz_settled_read(const void *p, u32 access) { return !has_mark(p) && is_written(p, access); }
u32 __rz_settled_write(void *p, u32 access) { return !has_mark(p) && takes_write(p, access); }

/* Reports an access that is valid except for its alignment. */
static inline void check_alignment(const void *p, u32 access, enum access_kind kind, u32 site) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  if (access != bytes && address_of(p) & (bytes - 1)) __rz_report_misaligned(address_of(p), effective_number(p), bytes, kind, site);
}

static u64 load(const void *p, u32 bytes, u32 access, u32 site);

u64 __rz_load_slow(const void *p, u32 access, u32 site) { return load(p, access & ~MUST_BE_ALIGNED, access, site); }

static u64 load(const void *p, u32 bytes, u32 access, u32 site) {
  u32 granule = only_granule(p, bytes);
  if (granule != NO_GRANULE) {
    check_alignment(p, access, ACCESS_READ, site);
    return (0xffu >> (8 - bytes)) & ~(INIT[granule] >> (address_of(p) & 7));
  }
  u32 number = effective_number(p), first = address_of(p), last = first + bytes - 1;
  u64 undefined = 0;
  if (first >= CLIENT_END || last >= CLIENT_END || last < first) {
    __rz_report_access(first, number, bytes, ACCESS_READ, site);
    return 0;
  }
  for (u32 g = first >> 3; g <= last >> 3; g++) {
    u32 word = word_at(g), bits = covered(g, first, last);
    if (word == word_for(number)) continue;
    if (!accessible(word, number, g, bits)) {
      __rz_report_access(first, number, bytes, ACCESS_READ, site);
      return 0;
    }
    u64 missing = bits & ~INIT[g];
    /* Bit i of the result is byte i of the access. */
    undefined |= g == first >> 3 ? missing >> (first & 7) : missing << (g * 8 - first);
  }
  check_alignment(p, access, ACCESS_READ, site);
  return undefined;
}

/* Whether there are bytes with both initialised and uninitialised bits. */
static int has_partial(u32 first, u32 bytes) {
  for (u32 at = first; at < first + bytes; at++) {
    u8 undefined = __rz_undefined_bits(at);
    if (undefined != 0 && undefined != 0xff) return 1;
  }
  return 0;
}

/* The first of the undefined bytes, and those that follow it without a gap. */
static struct undefined_bytes undefined_bytes(const void *p, u32 bytes, u64 undefined) {
  u32 from = (u32)__builtin_ctzl(undefined), count = 0, first = address_of(p) + from;
  for (u64 rest = undefined >> from; rest & 1; rest >>= 1) count++;
  return (struct undefined_bytes){first, effective_number(p), has_partial(first, count) ? count | SOME_BITS : count, address_of(p), bytes};
}

/*
 * The address from which an undefined value that is stored or used now was loaded, and its size
 * (instrument/undefined-values.ts).
 */
const void *__rz_undefined_origin;
u32 __rz_undefined_origin_bytes;

/*
 * The last undefined load at each site. Where values of several loads meet, in a loop or in a
 * conditional expression, instrumented code lists the sites, and the latest load is the origin.
 */
#define UNDEFINED_LOADS 256u
static u32 undefined_load_count, origin_count;
static struct undefined_load {
  const void *p;
  u32 site, bytes, count;
} undefined_loads[UNDEFINED_LOADS];

static void note_undefined_load(const void *p, u32 bytes, u32 site) {
  undefined_loads[site % UNDEFINED_LOADS] = (struct undefined_load){p, site, bytes, ++undefined_load_count};
}

void __rz_maybe_loaded(u32 site) {
  const struct undefined_load *last = &undefined_loads[site % UNDEFINED_LOADS];
  if (last->site != site || (__rz_undefined_origin && last->count < origin_count)) return;
  __rz_undefined_origin = last->p, __rz_undefined_origin_bytes = last->bytes, origin_count = last->count;
}

static u64 undefined_at(const void *p, u32 bytes) {
  u64 undefined = 0;
  if (p && __rz_range_readable(p, bytes) == bytes)
    for (u32 i = 0; i < bytes && i < 64; i++)
      if (__rz_undefined_bits(address_of(p) + i)) undefined |= 1ul << i;
  return undefined;
}

/* A value with undefined bits is stored at `at`. */
static void remember_origin(u32 at, u32 bytes, u32 number) {
  const void *origin = __rz_undefined_origin;
  u32 source = effective_number(origin);
  if (__rz_pass_origin(at, bytes, number, address_of(origin), source)) return;
  u64 undefined = undefined_at(origin, __rz_undefined_origin_bytes);
  if (undefined) __rz_note_store(at, bytes, number, undefined_bytes(origin, __rz_undefined_origin_bytes, undefined));
  else __rz_forget_store(at);
}

/* Which bytes of the value at p are undefined. */
static void report_undefined(const void *p, u32 bytes, u64 undefined, u32 site) {
  const struct undefined_bytes found = __rz_birthplace(undefined_bytes(p, bytes, undefined));
  __rz_report_uninitialized(found.first, found.number, found.count, site, found.value, found.value_bytes);
}

void __rz_load_strict(const void *p, u32 access, u32 site) {
  if (is_written(p, access)) return;
  u32 bytes = access & ~MUST_BE_ALIGNED;
  u64 undefined = load(p, bytes, access, site);
  if (!undefined) return;
  report_undefined(p, bytes, undefined, site);
  __rz_initialize(address_of(p), bytes);
}

/* Bit i of the argument becomes byte i, 0 or 0xff; and back. */
static inline u64 bits_of_bytes(u32 bytes) {
  return (((bytes & 0x7f) * 0x0002040810204081u | (u64)(bytes & 0x80) << 49) & 0x0101010101010101u) * 0xff;
}
static inline u32 bytes_of_bits(u64 bits) { return (u32)((bits & 0x0101010101010101u) * 0x0102040810204080u >> 56); }

/* Whether an access may be valid apart from its alignment. */
static inline int is_aligned(const void *p, u32 access) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  return access == bytes || !(address_of(p) & (bytes - 1));
}

u64 __rz_load_bits(const void *p, u32 access, u32 site) {
  u32 bytes = access & ~MUST_BE_ALIGNED, granule = __rz_has_partials ? NO_GRANULE : only_granule(p, bytes);
  if (granule != NO_GRANULE && is_aligned(p, access)) {
    u32 missing = (0xffu >> (8 - bytes)) & ~(INIT[granule] >> (address_of(p) & 7));
    if (missing) note_undefined_load(p, bytes, site);
    return bits_of_bytes(missing);
  }
  if (is_written(p, access)) return 0;
  u64 undefined = load(p, bytes, access, site), bits = 0;
  if (!undefined) return 0;
  note_undefined_load(p, bytes, site);
  for (u32 i = 0; i < bytes; i++) {
    if (!(undefined >> i & 1)) continue;
    u64 of_byte = __rz_has_partials ? __rz_undefined_bits(address_of(p) + i) : 0xff;
    bits |= of_byte << (i * 8);
  }
  return bits;
}

/*
 * A pointer that was in a NaN, or below a tag, has only the lowest bits of its number
 * (src/passes/boxed-pointers.ts). The owner of its granule has all of them.
 */
void *__rz_unboxed(void *p) {
  u32 number = number_of(p), address = address_of(p);
  if (number == 0 || number > BOXED_NUMBER || address >= CLIENT_END) return p;
  u32 word = word_at(address >> 3), owner = word == NO_BLOCK ? 0 : owner_of(word);
  return (owner & BOXED_NUMBER) == number ? pointer(address, owner) : p;
}

static int in_shadow(u32 first, u32 bytes) {
  u32 last = first + bytes - 1;
  if (first >= CLIENT_END || last >= CLIENT_END || last < first) return 0;
  for (u32 g = first >> 3; g <= last >> 3; g++) {
    u8 k = SHADOW[g];
    if (k != 0 && (k > 7 || covered(g, first, last) >> k != 0)) return 0;
  }
  return 1;
}

void __rz_shadow_read(const void *p, u32 access, u32 site) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  if (!in_shadow(address_of(p), bytes)) __rz_report_access(address_of(p), number_of(p), bytes, ACCESS_READ, site);
}

void *__rz_shadow_write(void *p, u32 access, u32 site) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  if (in_shadow(address_of(p), bytes)) return p;
  __rz_report_access(address_of(p), number_of(p), bytes, ACCESS_WRITE, site);
  return SCRATCH;
}

void __rz_overlap(u32 to, u32 from, u32 bytes, u32 site) {
  if (to != from) __rz_report_overlap(to, from, bytes, site);
}

u32 __rz_signatures[SIGNATURES];

u32 __rz_call_slow(const void *function, u32 signature, u32 site) {
  u64 index = (u64)function;
  __rz_callee = index;
  if (!function) {
    __rz_report_null_call(site);
    return 1;
  }
  if (index >= SIGNATURES || !__rz_signatures[index] || __rz_signatures[index] == signature) return 0;
  __rz_report_mismatched_call(site);
  return 1;
}

void __rz_mismatched_call(u32 site) { __rz_report_mismatched_call(site); }
void __rz_lost_goto(u32 site) { __rz_report_lost_goto(site); }
void __rz_trap(u32 site) { __rz_report_trap(site); }
void __rz_unsupported_assembly(u32 site) { __rz_report_unsupported_assembly(site); }

/* The bytes of a value that have undefined bits. */
static u64 bytes_with(u64 bits) {
  u64 bytes = 0;
  for (u32 i = 0; i < 8; i++)
    if (bits >> (i * 8) & 0xff) bytes |= 1ul << i;
  return bytes;
}

void __rz_undefined_used(u32 width, u32 site, const void *origin, u32 origin_bytes) {
  if (!origin) origin = __rz_undefined_origin, origin_bytes = __rz_undefined_origin_bytes;
  __rz_undefined_origin = 0;
  u32 first = address_of(origin), number = effective_number(origin), bytes = origin ? origin_bytes : (width + 7) / 8;
  u64 undefined = undefined_at(origin, bytes);
  if (!undefined) {
    __rz_report_uninitialized(first, number, bytes, site, first, bytes);
    return;
  }
  report_undefined(origin, bytes, undefined, site);
  __rz_initialize(first, bytes);
}

static void *store(void *p, u32 access, u32 site, u64 undefined_bits);

void *__rz_store_slow(void *p, u32 access, u32 site) { return takes_write(p, access) ? p : store(p, access, site, 0); }

/*
 * The same as takes_write for a value of which some bytes are undefined: a generic sort moves
 * structures byte by byte.
 */
static inline int takes_undefined(void *p, u32 access, u64 bits) {
  u32 bytes = access & ~MUST_BE_ALIGNED, first = address_of(p), g = first >> 3, number = number_of(p), skipped = first & 7;
  u32 holes = bytes_of_bits(bits);
  if (skipped + bytes > 8 || bits_of_bytes(holes) != bits || number - 1 >= CONSTANT_BIT - 1 || first >= CLIENT_END) return 0;
  if (__rz_has_partials || !__rz_track_init || !is_aligned(p, access)) return 0;
  if (TAGS[g] == word_for(number)) {
    INIT[g] = (u8)~(holes << skipped), SHADOW[g] = 0, TAGS[g] = special_word_for(number);
    __rz_cut_window(number, g);
  } else {
    u32 k = SHADOW[g];
    if (TAGS[g] != special_word_for(number) || (k != 0 && (k >= 8 || skipped + bytes > k))) return 0;
    INIT[g] = (u8)((INIT[g] | (0xffu >> (8 - bytes)) << skipped) & ~(holes << skipped));
  }
  remember_origin(first, bytes, number);
  return 1;
}

void *__rz_store_bits(void *p, u32 access, u32 site, u64 bits) {
  int is_taken = bits ? takes_undefined(p, access, bits) : takes_write(p, access);
  void *to = is_taken ? p : store(p, access, site, bits);
  __rz_undefined_origin = 0;
  return to;
}

static void *store(void *p, u32 access, u32 site, u64 undefined_bits) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  u32 number = effective_number(p), first = address_of(p), last = first + bytes - 1;
  if (first >= CLIENT_END || last >= CLIENT_END || last < first || number & CONSTANT_BIT) {
    __rz_report_access(first, number, bytes, ACCESS_WRITE, site);
    return SCRATCH;
  }
  for (u32 g = first >> 3; g <= last >> 3; g++) {
    u32 word = word_at(g);
    if (word != word_for(number) && !accessible(word, number, g, covered(g, first, last))) {
      __rz_report_access(first, number, bytes, ACCESS_WRITE, site);
      return SCRATCH;
    }
  }
  check_alignment(p, access, ACCESS_WRITE, site);
  if (!__rz_track_init || number == 0) return p;
  const u64 undefined = undefined_bits ? bytes_with(undefined_bits) : 0;
  for (u32 g = first >> 3; g <= last >> 3; g++) {
    u32 bits = covered(g, first, last);
    u32 holes = (u32)(g == first >> 3 ? undefined << (first & 7) : undefined >> (g * 8 - first)) & bits;
    int plain = TAGS[g] == word_for(number);
    if (plain && !holes) continue;
    if (TAGS[g] == NO_BLOCK) __rz_leave_trie(g);
    if (plain) INIT[g] = 0xff, SHADOW[g] = 0, TAGS[g] = special_word_for(number), __rz_cut_window(number, g);
    INIT[g] = (u8)((INIT[g] | bits) & ~holes);
    if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, number);
  }
  if (undefined) remember_origin(first, bytes, number);
  for (u32 i = 0; undefined >> i; i++) {
    u8 of_byte = (u8)(undefined_bits >> (i * 8));
    if (of_byte != 0 && (of_byte != 0xff || __rz_has_partials)) __rz_set_undefined_bits(first + i, of_byte);
  }
  return p;
}

/*
 * Whether the tag words of all bytes are the expected ones, as in the inline check of
 * instrument/checks.ts. Most accesses have at most eight bytes.
 */
static inline int is_plain(const void *p, u32 bytes) {
  u32 first = address_of(p), last = first + bytes - 1, want = word_for(number_of(p));
  if (first > last || last >= CLIENT_END || TAGS[last >> 3] != want || TAGS[first >> 3] != want) return 0;
  for (u32 g = (first >> 3) + 1; g < last >> 3; g++)
    if (TAGS[g] != want) return 0;
  return 1;
}
/* Whether the access is plain, and aligned if it must be. */
static inline int is_right(const void *p, u32 access) {
  u32 bytes = access & ~MUST_BE_ALIGNED;
  return (access == bytes || !(address_of(p) & (bytes - 1))) && is_plain(p, bytes);
}
static inline int is_right_to_write(const void *p, u32 access) { return !(number_of(p) & CONSTANT_BIT) && is_right(p, access); }

void __rz_read(const void *p, u32 access, u32 site) {
  if (!is_right(p, access)) __rz_load_strict(p, access, site);
}
u64 __rz_read_bits(const void *p, u32 access, u32 site) { return is_right(p, access) ? 0 : __rz_load_bits(p, access, site); }
void *__rz_write(void *p, u32 access, u32 site) { return is_right_to_write(p, access) ? p : __rz_store_slow(p, access, site); }
void *__rz_write_bits(void *p, u32 access, u32 site, u64 bits) {
  return !bits && is_right_to_write(p, access) ? p : __rz_store_bits(p, access, site, bits);
}
void __rz_use(u64 bits, u32 width, u32 site, const void *origin, u32 origin_bytes) {
  if (bits) __rz_undefined_used(width, site, origin, origin_bytes);
}
