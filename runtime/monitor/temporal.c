/*
 * The library of <redzone/temporal.h>: M_b is a separate trie, whose leaves hold the origin
 * numbers; M_p is a temporal shadow space, one referent number for each 8 bytes that can hold a
 * pointer variable. Number 0 is invalid.
 */
#include "range.h"
#include "trie.h"

#define REFERENTS ((u32 *)0xa0000000ul)

static struct trie blocks;
static u32 last_origin;

static u32 *referent_of(const void *variable) { return REFERENTS + (address_of(variable) >> 3); }

static u32 origin_of(const void *a) {
  const struct trie_block *block = __rz_trie_find(&blocks, address_of(a));
  return block ? block->number : 0;
}

void rz_store(const void *a, u64 s) { __rz_trie_insert(&blocks, address_of(a), (u32)s, ++last_origin); }
void rz_delete(const void *a) { __rz_trie_remove(&blocks, address_of(a), 1); }

void rz_map_origin(const void *p, const void *a) { *referent_of(p) = origin_of(a); }
void rz_map_referent(const void *p, const void *q) { *referent_of(p) = *referent_of(q); }

void rz_copy_referents(const void *to, const void *from, u64 n) {
  __builtin_memmove(referent_of(to), referent_of(from), n / 8 * 4);
}
void rz_clear_referents(const void *start, u64 n) { __builtin_memset(referent_of(start), 0, n / 8 * 4); }

int rz_svalid(const void *a, const void *base, u64 sz) {
  const struct trie_block *block = __rz_trie_find(&blocks, address_of(base));
  if (!block) return 0;
  u64 offset = (u64)address_of(a) - block->address;
  return offset < block->bytes && sz <= block->bytes - offset;
}

int rz_tvalid(const void *p, const void *a) {
  u32 referent = *referent_of(p);
  return referent != 0 && referent == origin_of(a);
}

int rz_tags_valid(const void *a, u64 sz) { return __rz_range_allowed(a, sz) == sz; }
