/*
 * The monitor's memory: the layout of the data about the program's memory, and its encoding.
 *
 *   0x0000_0000  client   null page, stack, globals, heap          1 GiB
 *   0x4000_0000  tags     one word per granule of 8 bytes        512 MiB
 *   0x6000_0000  shadow   one byte per granule                   128 MiB
 *   0x6800_0000  init     one bit per byte                       128 MiB
 *   0x7000_0000  ring     what numbers were (ring.h)             12 MiB
 *   0x7440_0000  stacks   stacks of allocations, each kept once    26 MiB
 *   0x77ff_0000  scratch  where suppressed stores go               64 KiB
 *   0x7800_0000  partial  bytes that were written in part (partial.h) 128 MiB
 *   0x8000_0000  calls    the call stack: a site for each frame   128 MiB
 *   0x8800_0000  labels   what labels mean (labels.h), or what threads have done (threads.h) 128 MiB
 *   0x8800_0000  threads  their schedule and records (threads.h)  128 MiB
 *   0x9000_0000  trie     nodes of Patricia tries                 256 MiB
 *   0xa000_0000  referents  of pointer variables (temporal.c), or the labels of granules (labels.h) 512 MiB
 *                in programs with threads: the race shadow (races.c)
 *   0xc000_0000  always zero: checks look up the tags of misaligned addresses here (instrument/checks.ts), and must fail
 *   0xe000_0000  arena    numbers of annotations (acsl-big.c)      126 MiB
 *   0xe7e0_0000  plug-ins their shadows (instrument/inline-shadow.ts) 130 MiB
 *   0xf000_0000  slots    labels of bytes (labels.h)               256 MiB
 *
 * Only touched pages use memory. A pointer is `number << 32 | address`: the number of its block,
 * and an address in client memory. The tag word of a granule names its owner:
 *
 *   word in                     means
 *   2^30 + 4n                   "plain": every byte belongs to block n and is initialised: an access through a pointer with
 *                               number n needs no further check
 *   4n + 2, or + 3              "special": block n too (+ 3: a constant), but shadow and init decide
 *   0                           no block: never allocated, freed, a redzone, or memory for unchecked code only
 *
 * Numbers have 29 bits; bit 28 marks a constant. A check (instrument/checks.ts) is one comparison
 * of 64 bits:
 *
 *   (pointer >> 30) + 2^30  ==  the word, zero-extended for a load and sign-extended for a store
 *
 *   upper half of the pointer       left side               a load matches         a store matches
 *   n < 2^28                        [2^30, 2^31)            plain words of n       plain words of n
 *   2^28 <= n < 2^29, a constant    [2^31, 3 * 2^30)        plain words of n       none: such words extend to negative numbers
 *   2^29 <= n < 3 * 2^28            [3 * 2^30, 2^32)        none: no tag word is so large
 *   more                            from 2^32 on            none
 *
 * Special words and 0 are below 2^30 and match no pointer. A pointer to outside client memory
 * has one of bits 30 and 31 set, which makes the left side no multiple of 4: it matches no plain
 * word. So exactly the valid pointers pass: `tests/check/pointers.test.ts`.
 *
 * Shadow byte: 0 means that the whole granule is accessible, 1..7 that its first k bytes are, and a
 * negative value that none is, and why. Init byte: bit i means that byte i of the granule is
 * accessible and fully written. Both are maintained for every granule that is not plain.
 *
 * A block that is kept in the trie instead (store.h) has no tag words: its granules are read as
 * special.
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

#define NO_BLOCK 0u
#define PLAIN 0x40000000u
#define CONSTANT_BIT 0x10000000u
#define NUMBERS_END 0x20000000u
/* The part of a number that a pointer keeps in a NaN: addresses have 47 bits. */
#define BOXED_NUMBER 0x7fffu
/* No granule has this word. */
#define NO_WORD 0xffffffffu

enum shadow_reason {
  SHADOW_REDZONE = 0xfa,
  SHADOW_FREED = 0xfd,
  SHADOW_OUT_OF_SCOPE = 0xf8,
};

/*
 * The kinds of blocks in the ring, and the kinds of accesses: shared with
 * src/monitor/memory-map.ts.
 */
enum block_kind { BLOCK_STACK = 1, BLOCK_HEAP = 2, BLOCK_VARIADIC = 3 };
enum access_kind { ACCESS_READ = 0, ACCESS_WRITE = 1, ACCESS_FREE = 2, ACCESS_REALLOC = 3 };

static inline u32 address_of(const void *p) { return (u32)(u64)p; }
static inline u32 number_of(const void *p) { return (u32)((u64)p >> 32); }
static inline void *pointer(u32 address, u32 number) { return (void *)((u64)number << 32 | address); }
/* The same address without a number: how the monitor itself accesses the program's bytes. */
static inline void *raw(u32 address) { return (void *)(u64)address; }

/*
 * The words for a number; any upper half of a pointer is accepted, and invalid numbers give words
 * that no granule has.
 */
static inline u32 word_for(u32 number) { return number < NUMBERS_END ? PLAIN + number * 4 : NO_WORD; }
static inline u32 special_word_for(u32 number) {
  if (number == 0 || number >= NUMBERS_END) return NO_WORD;
  return (number & ~CONSTANT_BIT) << 2 | 2 | (number & CONSTANT_BIT ? 1 : 0);
}
static inline int is_special(u32 word) { return word != NO_BLOCK && word < PLAIN; }
static inline u32 owner_of(u32 word) { return word >= PLAIN ? (word - PLAIN) >> 2 : word >> 2 | (word & 1) * CONSTANT_BIT; }

/* The word of a granule without a tag word, from the trie. */
extern struct trie __rz_trie;
u32 __rz_trie_word(u32 granule);
u8 __rz_trie_shadow(u32 granule);

/* The word and the shadow byte of a granule, in either store. */
static inline u32 word_at(u32 granule) {
  u32 word = TAGS[granule];
  return word == NO_BLOCK && __rz_trie.blocks ? __rz_trie_word(granule) : word;
}
static inline int owned_by(u32 granule, u32 number) { return number != 0 && owner_of(word_at(granule)) == number; }
static inline u8 shadow_at(u32 granule) {
  return TAGS[granule] == NO_BLOCK && __rz_trie.blocks ? __rz_trie_shadow(granule) : SHADOW[granule];
}
/* Gives a granule of a block in the trie, which is about to be written, a tag word of its own. */
void __rz_leave_trie(u32 granule);
/* All bytes of the granule are initialised: makes its word plain for the fast path. */
void __rz_make_plain(u32 granule, u32 number);

/*
 * The number of an access through p. A pointer that has lost its number (cut to 32 bits, made from
 * a literal) counts as a new reference to the block at its address: rule R3 of the temporal-errors
 * paper.
 */
static inline u32 effective_number(const void *p) {
  u32 number = number_of(p), address = address_of(p);
  if (number != 0 || address >= CLIENT_END) return number;
  u32 word = word_at(address >> 3);
  return word == NO_BLOCK ? number : owner_of(word);
}

/*
 * Heap and stack blocks are counted, and the number of a block is its count times an odd constant,
 * modulo 2^27 (the golden ratio, which spreads them best). An index that is wrong by 4 GiB or more
 * carries into the number of its pointer, so the numbers around a used one must be unused. The
 * numbers of globals have bit 27 set and come from their names.
 */
extern u32 __rz_next_count;
#define LAST_DYNAMIC_NUMBER 0x07ffffffu
#define SPREAD 0x04f1bbcdu
#define SPREAD_INVERSE 0x0081a905u
/* The number of blocks allocated before the block with this number. */
static inline u32 count_of(u32 number) { return number * SPREAD_INVERSE & LAST_DYNAMIC_NUMBER; }

/* Clears what is cached about blocks by their numbers: window.h. */
void __rz_forget_windows(void);

static inline u32 fresh_number(void) {
  u32 count = __rz_next_count;
  if (count == LAST_DYNAMIC_NUMBER) __rz_forget_windows();
  __rz_next_count = count == LAST_DYNAMIC_NUMBER ? 1 : count + 1;
  return count * SPREAD & LAST_DYNAMIC_NUMBER;
}

/*
 * Linked only into programs with labels (labels.c): removes the labels of bytes; copies them with
 * other bytes.
 */
extern __attribute__((weak)) void __rz_label_clear(u32 first, u32 bytes);
extern __attribute__((weak)) void __rz_label_copy(const void *to, const void *from, u64 bytes, u32 site);

/* Whether the monitor tracks initialisation. Set before the program starts. */
extern u32 __rz_track_init;

#endif
