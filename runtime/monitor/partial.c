/* Implements the table of partial.h. */
#include "partial.h"

struct partial {
  u32 granule, number;
  u64 undefined;
};

#define ENTRIES (1u << 23)
#define PARTIALS ((struct partial *)0x78000000ul)

u32 __rz_has_partials;

static struct partial *entry_for(u32 granule) { return PARTIALS + (granule & (ENTRIES - 1)); }
static int is_about(const struct partial *e, u32 granule, u32 number) { return e->granule == granule && e->number == number; }

/*
 * Called before the entry is reused for another granule: the bytes of a live block count as
 * written.
 */
static void forget(const struct partial *e) {
  u32 g = e->granule;
  if (e->number == 0 || word_at(g) != special_word_for(e->number)) return;
  for (u32 i = 0; i < 8; i++)
    if ((e->undefined >> (i * 8) & 0xff) != 0xff) INIT[g] |= (u8)(1 << i);
  if (INIT[g] == 0xff && shadow_at(g) == 0) __rz_make_plain(g, e->number);
}

u8 __rz_undefined_bits(u32 address) {
  u32 g = address >> 3, word = word_at(g);
  if (!is_special(word) || INIT[g] >> (address & 7) & 1) return 0;
  if (!__rz_has_partials) return 0xff;
  const struct partial *e = entry_for(g);
  return is_about(e, g, owner_of(word)) ? (u8)(e->undefined >> (address & 7) * 8) : 0xff;
}

int __rz_is_partial(u32 g) {
  u32 word = word_at(g);
  return is_special(word) && is_about(entry_for(g), g, owner_of(word));
}

void __rz_set_undefined_bits(u32 address, u8 bits) {
  u32 g = address >> 3, number = owner_of(word_at(g)), shift = (address & 7) * 8;
  struct partial *e = entry_for(g);
  if (!is_about(e, g, number)) {
    if (bits == 0xff) return;
    forget(e);
    __rz_has_partials = 1;
    *e = (struct partial){g, number, ~0ul};
  }
  e->undefined = (e->undefined & ~(0xfful << shift)) | (u64)bits << shift;
}
