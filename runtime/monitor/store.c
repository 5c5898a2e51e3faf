/* Implements the stores of store.h. */
#include "store.h"

#include "fill.h"
#include "range.h"
#include "trie.h"

struct trie __rz_trie;
u32 __rz_store = STORE_HYBRID, __rz_longest_shadowed = 16u << 20, __rz_asks_for_blocks;

u32 __rz_trie_word(u32 granule) {
  const struct trie_block *block = __rz_trie_find(&__rz_trie, granule << 3);
  return block && block->bytes ? special_word_for(block->number) : NO_BLOCK;
}

u8 __rz_trie_shadow(u32 granule) {
  const struct trie_block *block = __rz_trie_find(&__rz_trie, granule << 3);
  if (!block) return SHADOW[granule];
  u32 left = block->address + block->bytes - (granule << 3);
  return left < 8 ? (u8)left : 0;
}

void __rz_make_plain(u32 granule, u32 number) {
  if (TAGS[granule] != NO_BLOCK || __rz_store != STORE_TRIE) TAGS[granule] = word_for(number);
}

void __rz_leave_trie(u32 granule) {
  if (__rz_store == STORE_TRIE) return;
  u8 shadow = __rz_trie_shadow(granule);
  TAGS[granule] = __rz_trie_word(granule);
  if (SHADOW[granule] != shadow) SHADOW[granule] = shadow;
}

/* Pages that were never touched stay so: zeros are not overwritten. */
static void clear(void *start, u64 bytes) {
  u8 *at = start, *end = at + bytes;
  for (; end - at >= 8; at += 8)
    if (*(any_u64 *)at) *(any_u64 *)at = 0;
  for (; at < end; at++) *at = 0;
}

typedef u32 __attribute__((vector_size(16), aligned(4), may_alias)) four_words;

/*
 * Many words, sixteen bytes at a time. This is a function of its own, since code with vectors
 * cannot be inlined into code without.
 */
__attribute__((noinline, target("simd128"))) static void set_many_words(u32 *at, u32 count, u32 word) {
  const four_words four = {word, word, word, word};
  four_words *last = (four_words *)(at + count - 4);
  for (; at + 16 <= (u32 *)last; at += 16) ((four_words *)at)[0] = ((four_words *)at)[1] = ((four_words *)at)[2] = ((four_words *)at)[3] = four;
  for (; at < (u32 *)last; at += 4) *(four_words *)at = four;
  *last = four;
}

#define MANY_WORDS 16u

static inline void set_words(u32 first, u32 count, u32 word) {
  const u64 pair = (u64)word << 32 | word;
  u32 g = first, end = first + count;
  if (count >= MANY_WORDS) {
    set_many_words(TAGS + first, count, word);
    return;
  }
  for (; g + 2 <= end; g += 2) *(any_u64 *)(TAGS + g) = pair;
  if (g < end) TAGS[g] = word;
}

static void own_in_trie(u32 address, u32 bytes, u32 number, int plain) {
  u32 first = address >> 3, count = (bytes + 7) >> 3;
  __rz_trie_insert(&__rz_trie, address, bytes, number);
  clear(TAGS + first, (u64)count * 4);
  if (plain) __builtin_memset(INIT + first, 0xff, count);
  else clear(INIT + first, count);
}

/* Init has no bit for an inaccessible byte, so one test is enough (check.c). */
static inline u8 accessible_bits(u32 rest) { return rest ? (u8)((1u << rest) - 1) : 0xff; }

static void own_in_shadow(u32 address, u32 bytes, u32 number, u32 written) {
  u32 first = address >> 3, whole = bytes >> 3, rest = bytes & 7, special = special_word_for(number);
  u32 rest_init = written == bytes ? accessible_bits(rest) : 0;
  if (bytes - 1 < 8) {
    TAGS[first] = rest || written == 0 ? special : word_for(number);
    SHADOW[first] = (u8)rest;
    INIT[first] = rest_init;
    return;
  }
  u32 done = written >> 3;
  if (done != 0) set_words(first, done, word_for(number));
  if (done < whole) {
    set_words(first + done, whole - done, special);
    fill(INIT + first + done, whole - done, 0);
  }
  fill(SHADOW + first, whole, 0);
  if (rest) {
    u32 g = first + whole;
    TAGS[g] = special;
    SHADOW[g] = (u8)rest;
    INIT[g] = rest_init;
  }
}

void __rz_own(u32 address, u32 bytes, u32 number, u32 written) {
  if (!__rz_track_init) written = bytes;
  if (__rz_store == STORE_TRIE || (__rz_store == STORE_HYBRID && bytes > __rz_longest_shadowed)) {
    own_in_trie(address, bytes, number, written == bytes);
    if (written < bytes) __rz_initialize(address, written);
  } else {
    own_in_shadow(address, bytes, number, written);
    if (__rz_store == STORE_HYBRID && __rz_asks_for_blocks) __rz_trie_insert(&__rz_trie, address, bytes, number);
  }
}

void __rz_disown(u32 address, u32 bytes, u32 word, u8 reason) {
  u32 first = address >> 3, count = (bytes + 7) >> 3;
  if (__rz_trie.blocks) __rz_trie_remove(&__rz_trie, address, bytes);
  if (word == NO_BLOCK && bytes > __rz_longest_shadowed) {
    clear(TAGS + first, (u64)count * 4);
    clear(SHADOW + first, count);
    return;
  }
  if (count == 1) {
    TAGS[first] = word, SHADOW[first] = reason;
    return;
  }
  set_words(first, count, word);
  fill(SHADOW + first, count, reason);
}

u32 __rz_word_at(u32 address) { return address < CLIENT_END ? word_at(address >> 3) : NO_BLOCK; }


int __rz_block_of(const void *p, struct block_facts *facts) {
  u32 number = effective_number(p), address = address_of(p), first = address >> 3, after = first;
  if (address >= CLIENT_END || number == 0) return 0;
  const struct trie_block *block = __rz_trie.blocks ? __rz_trie_find(&__rz_trie, address) : 0;
  if (block) {
    *facts = (struct block_facts){block->address, block->bytes, block->number};
    return block->number == number;
  }
  if (!owned_by(first, number)) return 0;
  while (owned_by(first - 1, number)) first--;
  while (owned_by(after, number)) after++;
  u32 rest = is_special(TAGS[after - 1]) ? SHADOW[after - 1] : 0;
  *facts = (struct block_facts){first << 3, (after - first) * 8 - (rest ? 8 - rest : 0), number};
  return address - facts->address < facts->bytes;
}
