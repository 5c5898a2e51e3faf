/**
 * An array of words in the memory of a pool: integers up to 2^53 - 1, replaced in one atomic step.
 */

import type { Pool } from './pool.js';
import type { Memory, TableCode } from './shared-memory.js';
import { BLOCK_PREFIX } from './source/index.js';

export class AtomicWords {
  readonly #code: TableCode;
  readonly #at: number;

  /** At an address that `allocate` returned, to this thread or to another. */
  constructor(memory: Memory, at: number) {
    this.#code = memory.code;
    this.#at = at;
  }

  /** The address of this many words, all 0; or 0 if there is no memory for them. */
  static allocate(pool: Pool, count: number): number {
    const block = pool.allocate(BLOCK_PREFIX + 8 * count, 8 * count);
    return block === 0 ? 0 : block + BLOCK_PREFIX;
  }

  get(index: number): number {
    return this.#code.loadWord(0, this.#at + 8 * index);
  }

  /** False if the word is not the expected one. */
  replace(index: number, expected: number, desired: number): boolean {
    return this.#code.replaceWord(0, this.#at + 8 * index, expected, desired) === 1;
  }
}
