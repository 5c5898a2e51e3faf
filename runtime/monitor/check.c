/*
 * The slow path of a check: the tag word was not the expected one. Granules that are partial or not fully initialised
 * are settled here; everything else is an error.
 */
#include "check.h"

#include "range.h"
#include "report.h"
#include "window.h"

/* The part of granule g that the access [first, last] covers, as bits. */
static inline u32 covered(u32 g, u32 first, u32 last) {
  u32 from = g == first >> 3 ? first & 7 : 0, to = g == last >> 3 ? last & 7 : 7;
  return (0xffu << from) & (0xffu >> (7 - to));
}

/* May a pointer with this number touch these bytes of the granule? */
static inline int accessible(u32 word, u32 number, u32 g, u32 bits) {
  if (word != special_word_for(number) || number == 0) return 0;
  u8 k = shadow_at(g);
  return k == 0 || (k < 8 && bits >> k == 0);
}

u64 __rz_load_slow(const void *p, u32 bytes, u32 site) {
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
  return undefined;
}

void __rz_load_strict(const void *p, u32 bytes, u32 site) {
  u32 undefined = (u32)__rz_load_slow(p, bytes, site);
  if (!undefined) return;
  u32 first = address_of(p) + (u32)__builtin_ctz(undefined);
  __rz_report_uninitialized(first, effective_number(p), (u32)__builtin_popcount(undefined), site);
  __rz_initialize(address_of(p), bytes);
}

u64 __rz_load_bits(const void *p, u32 bytes, u32 site) {
  u64 undefined = __rz_load_slow(p, bytes, site), bits = 0;
  for (u32 i = 0; i < bytes; i++)
    if (undefined >> i & 1) bits |= 0xfful << (i * 8);
  return bits;
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

void __rz_shadow_read(const void *p, u32 bytes, u32 site) {
  if (!in_shadow(address_of(p), bytes)) __rz_report_access(address_of(p), number_of(p), bytes, ACCESS_READ, site);
}

void *__rz_shadow_write(void *p, u32 bytes, u32 site) {
  if (in_shadow(address_of(p), bytes)) return p;
  __rz_report_access(address_of(p), number_of(p), bytes, ACCESS_WRITE, site);
  return SCRATCH;
}

void __rz_null_call(u32 site) { __rz_report_null_call(site); }
void __rz_mismatched_call(u32 site) { __rz_report_mismatched_call(site); }
void __rz_trap(u32 site) { __rz_report_trap(site); }
void __rz_unsupported_assembly(u32 site) { __rz_report_unsupported_assembly(site); }

/* Of a value: has a byte of it no defined bit at all? Bytes of a bit-field have undefined bits by right. */
static u64 undefined_bytes(u64 bits) {
  u64 undefined = 0;
  for (u32 i = 0; i < 8; i++)
    if ((bits >> (i * 8) & 0xff) == 0xff) undefined |= 1ul << i;
  return undefined;
}

void __rz_undefined_used(u64 bits, u32 width, u32 site, const void *origin, u32 origin_bytes) {
  if (width >= 8 && !undefined_bytes(bits)) return;
  __rz_report_uninitialized(address_of(origin), number_of(origin), origin ? origin_bytes : (width + 7) / 8, site);
  if (origin && __rz_range_allowed(origin, origin_bytes) == origin_bytes) __rz_initialize(address_of(origin), origin_bytes);
}

/* Bit i of `undefined`: byte i of the stored value is. */
static void *store(void *p, u32 bytes, u32 site, u64 undefined);

void *__rz_store_slow(void *p, u32 bytes, u32 site) { return store(p, bytes, site, 0); }
void *__rz_store_bits(void *p, u32 bytes, u32 site, u64 bits) { return store(p, bytes, site, undefined_bytes(bits)); }

static void *store(void *p, u32 bytes, u32 site, u64 undefined) {
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
  if (!__rz_track_init || number == 0) return p;
  for (u32 g = first >> 3; g <= last >> 3; g++) {
    u32 bits = covered(g, first, last);
    u32 holes = (u32)(g == first >> 3 ? undefined << (first & 7) : undefined >> (g * 8 - first)) & bits;
    int plain = TAGS[g] == word_for(number);
    if (plain && !holes) continue;
    if (plain) INIT[g] = 0xff, SHADOW[g] = 0, TAGS[g] = special_word_for(number), __rz_cut_window(number, g);
    INIT[g] = (u8)((INIT[g] | bits) & ~holes);
    if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, number);
  }
  return p;
}
