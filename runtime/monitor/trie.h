/*
 * The Patricia trie: blocks by their address, for data that does not fit into a granule's words. A
 * leaf is a block; an inner node holds the longest prefix that the addresses below it share, and
 * has two children.
 *
 *            [0010 01--]              prefix and mask
 *             /       \
 *      [0010 0100]  [0010 011-]       the next bit decides: 0 left, 1 right
 *                     /    \
 *            [0010 0110]  [0010 0111]
 *
 * Since prefixes are ordered as numbers, the block that an address lies in is the one with the
 * greatest start that is not above it: one walk down, and at most one more down the right side of a
 * subtree that was passed.
 *
 * Invariants: blocks do not overlap; a node's prefix has no bit set outside its mask; both
 * children of an inner node have that prefix and differ in the bit after it; no inner node has
 * fewer than two children.
 */
#ifndef RZ_TRIE_H
#define RZ_TRIE_H

#include "integers.h"

struct trie_block {
  u32 address, bytes, number;
};

struct trie {
  u32 root, blocks;
};

/* A block with the same start is replaced. */
void __rz_trie_insert(struct trie *trie, u32 address, u32 bytes, u32 number);
/*
 * The block that contains the address; an empty block contains its own address. Null if there is
 * none.
 */
const struct trie_block *__rz_trie_find(const struct trie *trie, u32 address);
/* Removes all blocks that begin in [address, address + bytes). */
void __rz_trie_remove(struct trie *trie, u32 address, u32 bytes);

/* The mask of the longest common prefix of two different words. */
u32 __rz_common_prefix_mask(u32 a, u32 b);

#endif
