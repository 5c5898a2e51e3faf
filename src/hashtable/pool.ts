/**
 * The pool allocator, from outside: `source/pool-source.ts` is its code.
 */
import { assert } from '../support/assert.js';
import type { Memory } from './shared-memory.js';
import { CLASS_COUNT, LISTS, SMALLEST_SHIFT } from './source/index.js';

/** The size of the pool's data at the start of its memory. */
export const POOL_BYTES: number = (LISTS + 8 * CLASS_COUNT + 63) & ~63;

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

export class Pool {
  readonly #memory: Memory;
  /** Where it lies. */
  readonly at: number;

  constructor(memory: Memory, at: number) {
    this.#memory = memory;
    this.at = at;
  }

  /** Makes a pool of zeroed memory from `at` to `limit`, before any thread uses it. */
  static format(words: Int32Array, at: number, limit: number): void {
    assert(at % 64 === 0 && limit <= 0x7fffffff, 'a pool is aligned and ends below 2 GiB');
    words[at >> 2] = at + POOL_BYTES;
    words[(at >> 2) + 1] = limit;
  }

  /**
   * A block of at least this many bytes, of which the owner's first `cleared` are zero; 0 if there
   * is no memory left.
   */
  allocate(byteCount: number, cleared: number): number {
    return this.#memory.code.allocate(0, this.at, byteCount, cleared);
  }

  /** Puts a block back that no thread will touch any more. */
  release(block: number): void {
    this.#memory.code.release(0, this.at, block);
  }

  /** All blocks, in order of addresses. For tests, while no thread works. */
  blocks(): Generator<PoolBlock> {
    return blocksIn(this.#memory.words, this.at);
  }

  /** How many blocks have been put on or taken from free lists: the sum of the tags. */
  traffic(): number {
    let sum = 0;
    for (let sizeClass = 0; sizeClass < CLASS_COUNT; sizeClass++)
      sum += this.#memory.words[((this.at + LISTS) >> 2) + 2 * sizeClass + 1]! >>> 0;
    return sum;
  }
}

/** The blocks of the pool that lies at an address. */
export function* blocksIn(words: Int32Array, pool: number): Generator<PoolBlock> {
  const top = words[pool >> 2]!;
  for (let at = pool + POOL_BYTES; at < top; ) {
    const mark = words[at >> 2]!;
    const byteCount = classBytes(mark >> 1);
    yield { at, byteCount, used: (mark & 1) === 1 };
    at += byteCount;
  }
}
