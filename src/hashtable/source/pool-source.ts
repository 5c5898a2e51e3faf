/**
 * The lock-free allocator for tables: blocks of a shared memory, in size classes, each with a free
 * list.
 *
 * A free list is a stack whose top is one 64-bit word, the block and a tag that changes with every
 * push and pop. Between reading the top and its successor, and replacing the one by the other, a
 * block may be taken, used and put back: then the top is the same block with another successor (the
 * ABA problem), and the tag differs. The link of a block may be read after another thread took the
 * block; the value is then garbage, and the compare-and-swap fails because of the tag.
 *
 *   pool, at an address of the creator's choice                 block
 *     +0   top    where untouched memory begins                   +0  class << 1 | used
 *     +4   limit                                                  +4  the next free block, while free
 *     +8   one word per class: [block : 32][tag : 32]             +8  the owner's
 *
 * There are four classes per doubling, so at most a fifth of a block is wasted. Untouched memory is
 * allocated before a larger free block, because it is already zero and need not be cleared.
 *
 * **Invariants.** A block is on at most one list. The blocks tile the memory from the first to
 * `top`; the class and the position of a block never change.
 *
 * Blocks are never merged: tables double, so the old tables of a growing one together are smaller
 * than the next table. They are reused when a table is replaced by one of the same size, which
 * happens after removals.
 */
export const poolSource = `
inline fn classBytes(class): i32 {
  let base = 1 << (SMALLEST_SHIFT + (class >> 2));
  return base + (base >> 2) * (class & 3);
}

inline fn classOf(byteCount): i32 {
  let class = (31 - clz(byteCount) - SMALLEST_SHIFT) * 4;
  if (class < 0) class = 0;
  while (classBytes(class) < byteCount) class = class + 1;
  return class;
}

// A block of at least this many bytes, of which the owner's first 'cleared' are zero; 0 if there is
// no memory left.
export fn allocate(pool, byteCount, cleared): i32 {
  if (byteCount > LARGEST_BLOCK) return 0;
  let class = classOf(byteCount);
  let block = pop(pool, class);
  if (block == 0) {
    block = carve(pool, class);
    if (block != 0) return block;
    let larger = class + 1;
    while (block == 0 && larger < CLASS_COUNT) {
      block = pop(pool, larger);
      larger = larger + 1;
    }
    if (block == 0) return 0;
  }
  store32('pool.mark', block, load32('pool.mark', block) | 1);
  zero('table.clear', block + BLOCK_PREFIX, cleared);
  return block;
}

// Puts a block back that no thread will touch any more.
export fn release(pool, block) {
  let mark = load32('pool.mark', block);
  assert(mark & 1, 'a block is released once');
  store32('pool.mark', block, mark & ~1);
  let list = pool + LISTS + 8 * (mark >> 1);
  while (1) {
    let top = load64('pool.look', list);
    store32('pool.link', block + 4, low(top));
    if (cas64('pool.push', list, top, join(block, high(top) + 1))) return;
  }
}

fn pop(pool, class): i32 {
  let list = pool + LISTS + 8 * class;
  while (1) {
    let top = load64('pool.look', list);
    if (low(top) == 0) return 0;
    let next = load32('pool.next', low(top) + 4);
    if (cas64('pool.pop', list, top, join(next, high(top) + 1))) return low(top);
  }
}

fn carve(pool, class): i32 {
  let byteCount = classBytes(class);
  let limit = load32('pool.top', pool + 4);
  while (1) {
    let top = load32('pool.top', pool);
    if (byteCount > limit - top) return 0;
    if (cas32('pool.carve', pool, top, top + byteCount)) {
      store32('pool.mark', top, (class << 1) | 1);
      return top;
    }
  }
}
`;
