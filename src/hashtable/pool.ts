/**
 * The lock-free allocator for tables: blocks of a shared memory, in size classes, each with a free list.
 *
 * A free list is a stack whose top is one 64-bit word, the block and a tag that changes with every push and pop. Between
 * reading the top and its successor, and replacing the one by the other, a block may be taken, used and put back: then
 * the top is the same block with another successor (the ABA problem), and the tag is what tells. The link of a block may be read
 * after another thread took it; what is read is then garbage, and the tag refuses it.
 *
 *   pool, at an address of the creator's choice                 block
 *     +0   top    where untouched memory begins                   +0  class << 1 | used
 *     +4   limit                                                  +4  the next free block, while free
 *     +8   one word per class: [block : 32][tag : 32]             +8  the owner's
 *
 * Four classes per doubling, so at most a fifth of a block is wasted. Untouched memory is handed out before a larger
 * free block is, because it is zero already and costs nothing to clear.
 *
 * **Invariants.** A block is on at most one list. The blocks tile the memory from the first to `top`; class and place never change.
 *
 * Why blocks are never joined: tables double, so the old tables of a growing one together are smaller than the next
 * table. They serve again when a table is made anew at its size, which is what removals lead to.
 */
import { assert } from '../support/assert.js';
import type { Memory } from './memory.js';

const SMALLEST_SHIFT = 8;
const CLASS_COUNT = 88;
const LISTS = 8;

/** What the pool keeps at the start of its memory. */
export const POOL_BYTES: number = (LISTS + 8 * CLASS_COUNT + 63) & ~63;

/** Bytes of a block that are not the owner's. */
export const BLOCK_PREFIX = 8;

/** One block, for checkers. */
export interface PoolBlock {
  readonly at: number;
  readonly byteCount: number;
  readonly used: boolean;
}

function classBytes(sizeClass: number): number {
  const base = 1 << (SMALLEST_SHIFT + (sizeClass >> 2));
  return base + (base >> 2) * (sizeClass & 3);
}

function classOf(byteCount: number): number {
  let sizeClass = 4 * Math.max(0, 31 - Math.clz32(byteCount) - SMALLEST_SHIFT);
  while (classBytes(sizeClass) < byteCount) sizeClass++;
  return sizeClass;
}

export class Pool {
  readonly #memory: Memory;
  readonly #at: number;

  constructor(memory: Memory, at: number) {
    this.#memory = memory;
    this.#at = at;
  }

  /** Makes a pool of zeroed memory from `at` to `limit`, before any thread uses it. */
  static format(memory: Memory, at: number, limit: number): Pool {
    assert(at % 64 === 0 && limit <= 0x7fffffff, 'a pool is aligned and ends below 2 GiB');
    memory.store32('pool.mark', at, at + POOL_BYTES);
    memory.store32('pool.mark', at + 4, limit);
    return new Pool(memory, at);
  }

  /** A block of at least so many bytes, of which the owner's first `cleared` are zero; 0 if there is no memory left. */
  allocate(byteCount: number, cleared: number): number {
    const memory = this.#memory;
    const sizeClass = classOf(byteCount);
    if (sizeClass >= CLASS_COUNT) return 0;
    let block = this.#pop(sizeClass);
    if (block === 0) {
      block = this.#carve(sizeClass);
      if (block !== 0) return block;
    }
    for (let larger = sizeClass + 1; block === 0 && larger < CLASS_COUNT; larger++) block = this.#pop(larger);
    if (block === 0) return 0;
    memory.store32('pool.mark', block, memory.load32('pool.mark', block) | 1);
    memory.zero('table.clear', block + BLOCK_PREFIX, cleared);
    return block;
  }

  /** Puts a block back that no thread will touch any more. */
  release(block: number): void {
    const memory = this.#memory;
    const mark = memory.load32('pool.mark', block);
    assert((mark & 1) === 1, 'a block is released once');
    memory.store32('pool.mark', block, mark & ~1);
    const list = this.#at + LISTS + 8 * (mark >> 1);
    for (;;) {
      const top = memory.load64('pool.look', list);
      const tag = memory.high;
      memory.store32('pool.link', block + 4, top);
      if (memory.cas64('pool.push', list, top, tag, block, (tag + 1) | 0)) return;
    }
  }

  /** All blocks, in order of addresses. For tests, while no thread works. */
  *blocks(): Generator<PoolBlock> {
    const memory = this.#memory;
    const top = memory.load32('pool.top', this.#at);
    for (let at = this.#at + POOL_BYTES; at < top; ) {
      const mark = memory.load32('pool.mark', at);
      const byteCount = classBytes(mark >> 1);
      yield { at, byteCount, used: (mark & 1) === 1 };
      at += byteCount;
    }
  }

  /** How many blocks have been put on or taken from free lists: the sum of the tags. */
  traffic(): number {
    let sum = 0;
    for (let sizeClass = 0; sizeClass < CLASS_COUNT; sizeClass++) {
      this.#memory.load64('pool.look', this.#at + LISTS + 8 * sizeClass);
      sum += this.#memory.high >>> 0;
    }
    return sum;
  }

  #pop(sizeClass: number): number {
    const memory = this.#memory;
    const list = this.#at + LISTS + 8 * sizeClass;
    for (;;) {
      const top = memory.load64('pool.look', list);
      const tag = memory.high;
      if (top === 0) return 0;
      const next = memory.load32('pool.next', top + 4);
      if (memory.cas64('pool.pop', list, top, tag, next, (tag + 1) | 0)) return top;
    }
  }

  #carve(sizeClass: number): number {
    const memory = this.#memory;
    const byteCount = classBytes(sizeClass);
    const limit = memory.load32('pool.top', this.#at + 4);
    for (;;) {
      const top = memory.load32('pool.top', this.#at);
      if (byteCount > limit - top) return 0;
      if (memory.cas32('pool.carve', this.#at, top, top + byteCount)) {
        memory.store32('pool.mark', top, (sizeClass << 1) | 1);
        return top;
      }
    }
  }
}
