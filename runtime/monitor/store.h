/*
 * Where the data about a block is stored: in tag words and shadow (constant time, but every granule
 * must be written), in the Patricia trie (any data, but a walk for each query), or in both. After
 * the hybrid-monitoring paper:
 *
 *   P1  blocks that are queried as a whole are in the trie       (and keep their tag words)
 *   P2  for queries on bytes, blocks are in the tag words
 *   P3  blocks outside what the tags cover are in the trie                            (there are none: 1 GiB is covered)
 *   P4  blocks longer than __rz_longest_shadowed are in the trie
 *   P5  queries on blocks go to the trie
 *   P6  queries on bytes go to the tag words first, then to the trie                   (word_at in shadow.h)
 *   P7  so does the end of a block
 *
 * With STORE_TRIE, every block is in the trie alone; with STORE_SHADOW, none is, and queries on a
 * block walk along its tag words. Instrumented code is the same for all three: a granule without a
 * tag word fails its comparison, and the slow path queries the trie.
 *
 * P4 saves filling the tag words of a large block. They are still written granule by granule, when
 * a store makes a granule plain: a large block that is used costs as much as a small one, and one
 * that is not used costs nothing.
 */
#ifndef RZ_STORE_H
#define RZ_STORE_H

#include "shadow.h"

enum store { STORE_HYBRID = 0, STORE_SHADOW = 1, STORE_TRIE = 2 };

/* Set before the program starts. */
extern u32 __rz_store, __rz_longest_shadowed, __rz_asks_for_blocks;

/*
 * Makes the block the owner of its granules. Requires an 8-aligned address; bytes after the end in
 * the last granule are inaccessible. The first `written` bytes are initialised: whole granules, or
 * all bytes.
 */
void __rz_own(u32 address, u32 bytes, u32 number, u32 written);
/* Removes the owner of granules. */
void __rz_disown(u32 address, u32 bytes, u32 word, u8 reason);

/* The word of the granule at an address, for TypeScript. */
u32 __rz_word_at(u32 address);

struct block_facts {
  u32 address, bytes, number;
};

/* The live block that contains p and to which it refers; false if there is none. */
int __rz_block_of(const void *p, struct block_facts *facts);

#endif
