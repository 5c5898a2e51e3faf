/*
 * Implements the Patricia trie of trie.h. The nodes of all tries come from one region, and are
 * identified by their index in it.
 */
#include "trie.h"

/* A leaf has all bits in its mask, and `block` in place of the children. Index 0 is not a node. */
struct node {
  u32 mask;
  union {
    struct {
      u32 prefix, child[2];
    };
    struct trie_block block;
  };
};

#ifndef NODES
#define NODES ((struct node *)0x90000000ul)
#endif
#define LEAF 0xffffffffu

static u32 used = 1, unused;

/*
 * The longest common prefix by binary search with precomputed steps: entry i says where to continue
 * if the first i bits are equal (longer) or not (shorter). A value that is not positive is the
 * result, negated.
 */
static const signed char longer[32] = {0,  -1,  3,  -3,  6,  -5,  7,  -7,  12, -9,  11, -11, 14, -13, 15, -15,
                                       24, -17, 19, -19, 22, -21, 23, -23, 28, -25, 27, -27, 30, -29, 31, -31};
static const signed char shorter[32] = {0, 0,   1,  -2,  2,  -4,  5,  -6,  4,  -8,  9,  -10, 10, -12, 13, -14,
                                        8, -16, 17, -18, 18, -20, 21, -22, 20, -24, 25, -26, 26, -28, 29, -30};

static u32 prefix_mask(int bits) { return bits == 0 ? 0 : 0xffffffffu << (32 - bits); }

u32 __rz_common_prefix_mask(u32 a, u32 b) {
  u32 equal = ~(a ^ b);
  int i = 16;
  while (i > 0) i = equal >= prefix_mask(i) ? longer[i] : shorter[i];
  return prefix_mask(-i);
}

/* A benchmark defines other searches here. */
#ifndef COMMON_PREFIX_MASK
#define COMMON_PREFIX_MASK __rz_common_prefix_mask
#endif

static u32 make_node(void) {
  u32 made = unused;
  if (made) unused = NODES[made].prefix;
  else made = used++;
  return made;
}

static void drop_node(u32 node) {
  NODES[node].prefix = unused;
  unused = node;
}

static int is_below(u32 address, const struct node *n) { return ((address ^ n->prefix) & n->mask) == 0; }

/* The child of an inner node to which the address belongs: the bit after the prefix. */
static u32 side(u32 address, const struct node *n) { return (address & (~n->mask ^ (~n->mask >> 1))) != 0; }

void __rz_trie_insert(struct trie *trie, u32 address, u32 bytes, u32 number) {
  u32 *link = &trie->root;
  while (*link && NODES[*link].mask != LEAF && is_below(address, NODES + *link))
    link = NODES[*link].child + side(address, NODES + *link);
  u32 met = *link;
  if (!met || NODES[met].prefix != address || NODES[met].mask != LEAF) {
    u32 leaf = make_node();
    NODES[leaf].mask = LEAF;
    if (met) {
      u32 inner = make_node();
      struct node *n = NODES + inner;
      n->mask = COMMON_PREFIX_MASK(address, NODES[met].prefix);
      n->prefix = address & n->mask;
      n->child[side(address, n)] = leaf;
      n->child[!side(address, n)] = met;
      *link = inner;
    } else {
      *link = leaf;
    }
    met = leaf;
    trie->blocks++;
  }
  NODES[met].block = (struct trie_block){address, bytes, number};
}

/* The last block of a subtree. */
static const struct trie_block *last_of(u32 node) {
  if (!node) return 0;
  while (NODES[node].mask != LEAF) node = NODES[node].child[1];
  return &NODES[node].block;
}

/* The block with the greatest start that is not above the address. */
static const struct trie_block *last_up_to(const struct trie *trie, u32 address) {
  /* `before` holds only smaller starts than what is below `node`. */
  u32 node = trie->root, before = 0;
  while (node) {
    const struct node *n = NODES + node;
    if (!is_below(address, n)) return last_of(address > n->prefix ? node : before);
    if (n->mask == LEAF) return &n->block;
    if (side(address, n)) before = n->child[0], node = n->child[1];
    else node = n->child[0];
  }
  return 0;
}

const struct trie_block *__rz_trie_find(const struct trie *trie, u32 address) {
  const struct trie_block *block = last_up_to(trie, address);
  return block && (address - block->address < block->bytes || address == block->address) ? block : 0;
}

static void remove_block(struct trie *trie, u32 address) {
  u32 *link = &trie->root, *above = 0;
  while (NODES[*link].mask != LEAF) {
    above = link;
    link = NODES[*link].child + side(address, NODES + *link);
  }
  u32 leaf = *link;
  if (above) {
    /* The sibling takes the parent's place. */
    u32 parent = *above;
    *above = NODES[parent].child[NODES[parent].child[0] == leaf];
    drop_node(parent);
  } else {
    trie->root = 0;
  }
  drop_node(leaf);
  trie->blocks--;
}

void __rz_trie_remove(struct trie *trie, u32 address, u32 bytes) {
  for (;;) {
    const struct trie_block *last = bytes == 0 ? 0 : last_up_to(trie, address + bytes - 1);
    if (!last || last->address < address) return;
    remove_block(trie, last->address);
  }
}
