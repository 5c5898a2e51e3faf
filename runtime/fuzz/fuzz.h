/*
 * The fuzzer's memory: what a run has written, how often it took each edge, what it compared.
 *
 *   0x8800_0000  dirty     one byte per block of 256 bytes: was it written since the snapshot?   16 MiB
 *   0x8900_0000  saved     one word per block: where its copy is, 0 none, 1 it was all zeros     64 MiB
 *   0x8d00_0000  list      the blocks that are dirty                                             16 MiB
 *   0x8e00_0000  counters  one byte per edge                                                      1 MiB
 *   0x8e10_0000  seen      one byte per edge: a bit for each bucket of counts that some run had   1 MiB
 *   0x8e20_0000  features  of the last run: edge << 8 | bit of its bucket                         1 MiB
 *   0x8e30_0000  state     the variables of this file
 *   0x8e34_0000  hits      one byte per comparison: how often it was recorded in this run
 *   0x8e40_0000  compared  comparisons of integers, in the order in which they were made          1 MiB
 *   0x8e50_0000  texts     comparisons of memory and of strings                                   1 MiB
 *   0xf000_0000  copies    of blocks that were not all zeros                                    256 MiB
 *
 * All of it is outside the memory that a run may write, so it outlives the reset. That is why
 * the variables have fixed addresses instead of being globals. src/wasm/track-writes.ts inserts the
 * calls of `__rz_fuzz_mark`, and leaves functions alone whose name begins with `__rz_fuzz_`. The
 * addresses are shared with src/fuzz/fuzz-memory.ts.
 *
 * Invariant: before the first byte of a block changes after the snapshot, `saved` says what the
 * block was. A store that begins in one block may end in the next one, so marking a block saves
 * both, and putting it back puts back the beginning of the next one.
 */
#ifndef RZ_FUZZ_H
#define RZ_FUZZ_H

#include "../monitor/integers.h"

#define BLOCK_BITS 8u
#define BLOCK_WORDS (1u << (BLOCK_BITS - 3))
#define LAST_BLOCK (0xffffffffu >> BLOCK_BITS)
/* No store is longer. */
#define LONGEST_STORE_WORDS 2u

#define DIRTY ((u8 *)0x88000000ul)
#define SAVED ((u32 *)0x89000000ul)
#define LIST ((u32 *)0x8d000000ul)
#define LIST_LENGTH 0x400000u
#define COUNTERS ((u8 *)0x8e000000ul)
#define SEEN ((u8 *)0x8e100000ul)
#define FEATURES ((u32 *)0x8e200000ul)
#define MOST_FEATURES 0x40000u
#define STATE ((struct fuzz_state *)0x8e300000ul)
#define HITS ((u8 *)0x8e340000ul)
#define MOST_SITES 0xc0000u
#define COMPARED ((struct comparison *)0x8e400000ul)
#define MOST_COMPARED 0x8000u
#define TEXTS ((struct text_comparison *)0x8e500000ul)
#define MOST_TEXTS 0x1000u
#define COPIES ((u64 *)0xf0000000ul)
#define MOST_COPIES (0x10000000u >> BLOCK_BITS)

/* How often one comparison is recorded in a run, and how much of a text. */
#define MOST_HITS 24u
#define TEXT_BYTES 32u

#define NOT_SAVED 0u
#define ALL_ZERO 1u
#define FIRST_COPY 2u

struct fuzz_state {
  u32 dirty, copies, is_full, fuel;
  u32 is_recording, compared, texts;
  /* The halves of a pointer to the input of a target: its address and the number of its block */
  u32 room, owner;
};

struct comparison {
  u32 site, reserved;
  u64 left, right;
};

struct text_comparison {
  u32 site, bytes;
  u8 left[TEXT_BYTES], right[TEXT_BYTES];
};

enum text_kind { TEXT_MEMORY = 0, TEXT_BOUNDED = 1, TEXT_STRING = 2 };

#define FUZZ_IMPORT(name) __attribute__((import_module("redzone"), import_name(#name)))

/* Called before a block is written for the first time since the snapshot. */
void __rz_fuzz_mark(u32 block);
void __rz_fuzz_mark_range(u32 address, u32 bytes);
/* Takes the snapshot that `__rz_fuzz_restore` restores. */
void __rz_fuzz_snapshot(void);
/*
 * Returns the number of restored blocks; 0xffffffff if there were too many, and the instance is
 * lost.
 */
u32 __rz_fuzz_restore(void);

/*
 * Lists the features of the run that no earlier one had. The second function adds them to those
 * seen, the third lists all.
 */
u32 __rz_fuzz_new_features(u32 edges);
u32 __rz_fuzz_all_features(u32 edges);
void __rz_fuzz_begin_run(u32 edges, u32 fuel, u32 is_recording, u32 sites);

void __rz_fuzz_edge(u32 edge);
void __rz_fuzz_step(u32 edge);
void __rz_fuzz_compare(u32 site, u64 left, u64 right);
void __rz_fuzz_compare_text(u32 site, u32 kind, const void *left, const void *right, u64 bytes);

#endif
