/*
 * The monitor's memory: where the facts about the program's memory lie, and how they are encoded.
 *
 *   0x0000_0000  client   null page, stack, globals, heap          1 GiB
 *   0x4000_0000  tags     one word per granule of 8 bytes        512 MiB
 *   0x6000_0000  shadow   one byte per granule                   128 MiB
 *   0x6800_0000  init     one bit per byte                       128 MiB
 *   0x7000_0000  ring     what retired numbers were                64 MiB
 *   0x7440_0000  stacks   stacks of allocations, each kept once    26 MiB
 *   0x77ff_0000  scratch  where suppressed stores go               64 KiB
 *   0x7800_0000  partial  bytes that were written in part (partial.h) 128 MiB
 *   0x8000_0000  calls    the call stack: a site for each frame   128 MiB
 *   0x9000_0000  trie     nodes of Patricia tries                 256 MiB
 *   0xa000_0000  referents  of pointer variables (temporal.c)     512 MiB
 *   0xc000_0000  nothing: tags of misaligned addresses are sought here (instrument/checks.ts) and must not be found
 *   0xe000_0000  arena    numbers of annotations (acsl-big.c)      512 MiB
 *
 * Only touched pages cost. A pointer is `number << 32 | address`: the number of the block that it refers to.
 * The tag word of a granule is the complement of its owner's number:
 *
 *   ~n               every byte belongs to block n and is initialised: an access through a pointer with
 *                    number n needs no further question
 *   ~n & 0x7fffffff  "special": block n too, but look at shadow and init first
 *   0                nobody's: never allocated, freed, a redzone; also what only code may use that is not checked, such as spills
 *
 * Bit 30 of a number marks a constant. A store expects the word with bit 30 set, so that it never matches one.
 *
 * Shadow byte: 0 the whole granule is accessible, 1..7 its first k bytes, negative none of it, and why.
 * Init byte: bit i says that byte i of the granule has been written, with all its bits. Both are kept for every granule
 * that is not plain ~n; init is all ones there.
 *
 * A block that is kept in the trie instead (store.h) has no tag words: its granules are read as special.
 */
#ifndef RZ_SHADOW_H
#define RZ_SHADOW_H

#include "integers.h"
#include "trie.h"

#define CLIENT_END 0x40000000u
#define NULL_PAGE_END 0x1000u

#define TAGS ((u32 *)0x40000000ul)
#define SHADOW ((u8 *)0x60000000ul)
#define INIT ((u8 *)0x68000000ul)

#define SCRATCH ((void *)0x77ff0000ul)

#define NOBODY 0u
#define SPECIAL_MASK 0x7fffffffu
#define CONSTANT_BIT 0x40000000u

enum shadow_reason {
  SHADOW_REDZONE = 0xfa,
  SHADOW_FREED = 0xfd,
  SHADOW_OUT_OF_SCOPE = 0xf8,
};

/* What kind of block a number in the ring was, and what an access does: shared with src/monitor/memory-map.ts. */
enum block_kind { BLOCK_STACK = 1, BLOCK_HEAP = 2, BLOCK_VARIADIC = 3 };
enum access_kind { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_FREE = 2, ACCESS_REALLOC = 3 };

static inline u32 address_of(const void *p) { return (u32)(u64)p; }
static inline u32 number_of(const void *p) { return (u32)((u64)p >> 32); }
static inline void *pointer(u32 address, u32 number) { return (void *)((u64)number << 32 | address); }
/* The same place without a number: how the monitor itself touches the program's bytes. */
static inline void *raw(u32 address) { return (void *)(u64)address; }

static inline u32 word_for(u32 number) { return ~number; }
static inline u32 special_word_for(u32 number) { return ~number & SPECIAL_MASK; }
static inline int is_special(u32 word) { return word != NOBODY && !(word & ~SPECIAL_MASK); }
static inline u32 owner_of(u32 word) { return ~word & SPECIAL_MASK; }

/* What a granule without a tag word is: the trie may know. */
extern struct trie __rz_trie;
u32 __rz_trie_word(u32 granule);
u8 __rz_trie_shadow(u32 granule);

/* The word and the shadow byte of a granule, wherever they are kept. */
static inline u32 word_at(u32 granule) {
  u32 word = TAGS[granule];
  return word == NOBODY && __rz_trie.blocks ? __rz_trie_word(granule) : word;
}
static inline u8 shadow_at(u32 granule) {
  return TAGS[granule] == NOBODY && __rz_trie.blocks ? __rz_trie_shadow(granule) : SHADOW[granule];
}
/* All bytes of the granule are initialised: from now on the fast path knows it. */
void __rz_make_plain(u32 granule, u32 number);

/*
 * The number that an access through p counts as. A pointer that lost its number on the way (cut to 32 bits, made from
 * a literal) counts as a new reference to whatever block its address is in: rule R3 of the temporal-errors paper.
 */
static inline u32 effective_number(const void *p) {
  u32 number = number_of(p), address = address_of(p);
  if (number != 0 || address >= CLIENT_END) return number;
  u32 word = word_at(address >> 3);
  return word == NOBODY ? number : owner_of(word);
}

/*
 * Heap and stack blocks are counted, and the number of a block is its count times an odd constant, modulo 2^29 (the golden section, which
 * spreads them best). An index that is wrong by 4 GiB or more carries into the number of its pointer: the numbers around one that
 * is in use must mean nothing. The numbers of globals have bit 29 set and come from their names.
 */
extern u32 __rz_next_count;
#define LAST_DYNAMIC_NUMBER 0x1fffffffu
#define SPREAD 0x13c6ef37u
#define SPREAD_INVERSE 0x1c0ff687u
/* How many blocks there were when the block with this number was made. */
static inline u32 count_of(u32 number) { return number * SPREAD_INVERSE & LAST_DYNAMIC_NUMBER; }

/* What is remembered about blocks by their numbers: window.h. */
void __rz_forget_windows(void);

static inline u32 fresh_number(void) {
  u32 count = __rz_next_count;
  if (count == LAST_DYNAMIC_NUMBER) __rz_forget_windows();
  __rz_next_count = count == LAST_DYNAMIC_NUMBER ? 1 : count + 1;
  return count * SPREAD & LAST_DYNAMIC_NUMBER;
}

/* Does the monitor track initialisation? Set before the program starts. */
extern u32 __rz_track_init;

#endif
