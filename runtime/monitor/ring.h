/*
 * What the numbers of blocks were, so that an error can be explained. The entry of a local or of
 * variadic arguments is written when they begin, that of a heap block when its memory is reused.
 * Newer numbers overwrite old entries: a stale pointer is still detected, but with fewer details.
 * An entry of a local that is still alive is kept instead of being overwritten.
 *
 * Locals have a ring of their own, which fits in a processor's cache: begun one after the other,
 * they would otherwise write through all of its memory.
 */
#ifndef RZ_RING_H
#define RZ_RING_H

#include "store.h"

struct retired {
  u32 number, kind, address, bytes;
  /* Locals: the variable, and the depth of its frame. Heap: the stacks of malloc and free. */
  u32 begin, end, reserved[2];
};

#define RING ((struct retired *)0x70000000ul)
#define RING_LENGTH 0x40000u
#define LOCAL_RING ((struct retired *)0x70800000ul)
#define LOCAL_RING_LENGTH 0x10000u
/* Ends at an entry without a number. */
#define KEPT_LOCALS ((struct retired *)0x70a00000ul)
#define KEPT_LOCALS_LENGTH 0x10000u

void __rz_keep_local(const struct retired *local);

static inline void retire_heap(u32 number, u32 address, u32 bytes, u32 allocated, u32 freed) {
  RING[count_of(number) & (RING_LENGTH - 1)] =
      (struct retired){number, BLOCK_HEAP, address, bytes, allocated, freed};
}

/* Locals are in the trie only if everything is. */
static inline int is_alive(const struct retired *local) {
  u32 granule = local->address >> 3, word = TAGS[granule];
  if (word == NO_BLOCK && __rz_store == STORE_TRIE) return owned_by(granule, local->number);
  return word != NO_BLOCK && owner_of(word) == local->number;
}

static inline void enter_local(u32 number, u32 kind, u32 address, u32 bytes, u32 site, u32 depth) {
  struct retired *entry = LOCAL_RING + (count_of(number) & (LOCAL_RING_LENGTH - 1));
  if (is_alive(entry)) __rz_keep_local(entry);
  entry->number = number, entry->kind = kind, entry->address = address;
  entry->bytes = bytes, entry->begin = site, entry->end = depth;
}

/* Null if newer numbers have overwritten the entry. */
const struct retired *__rz_entry_of(u32 number);

#endif
