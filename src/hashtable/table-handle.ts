/**
 * The public interface of a thread's handle: `add`, `remove` and `find`. The code is in `source/`,
 * and `docs/hashtable.md` has the proofs.
 *
 * Keys and values have two forms: 64-bit bigints, and, for speed, numbers that are integers below
 * 2^53.
 */
import { assert } from '../support/assert.js';
import type { Pool } from './pool.js';
import type { Memory, TableCode } from './shared-memory.js';
import { BLOCK_PREFIX } from './source/index.js';
import { HANDLE_BYTES } from './table.js';
import { MAX_HANDLES } from './table-layout.js';

/** `no-memory`: the table is full and cannot grow. `deleted`: some thread has called `delete`. */
export type AddOutcome = 'inserted' | 'replaced' | 'no-memory' | 'deleted';

/** In the order of `Added`. */
export const addOutcomes: readonly AddOutcome[] = ['inserted', 'replaced', 'no-memory', 'deleted'];

/** The result of `findNumber` for a missing key. */
export const ABSENT = -1;

export class TableHandle {
  readonly #code: TableCode;
  readonly #pool: Pool;
  /** Where the fields of the handle lie. */
  readonly #at: number;

  constructor(memory: Memory, pool: Pool, descriptor: number) {
    const block = pool.allocate(BLOCK_PREFIX + HANDLE_BYTES, HANDLE_BYTES);
    assert(block !== 0, 'there is memory for a handle');
    this.#code = memory.code;
    this.#pool = pool;
    this.#at = block + BLOCK_PREFIX;
    const handles = this.#code.open(this.#at, pool.at, descriptor);
    assert(handles <= MAX_HANDLES, `more than ${MAX_HANDLES} handles of one table`);
  }

  /** Gives up all tables. The handle must not be used afterwards. */
  close(): void {
    this.#code.close(this.#at);
    this.#pool.release(this.#at - BLOCK_PREFIX);
  }

  /**
   * Deletes the table: operations of all handles find nothing from now on. The last handle to be
   * closed releases the memory.
   */
  delete(): void {
    this.#code.delete(this.#at);
  }

  /** Inserts the key, or replaces its value. */
  add(key: bigint, value: bigint): AddOutcome {
    return addOutcomes[this.#code.add(this.#at, key, value)]!;
  }

  /** Removes the key; false if it was not there. */
  remove(key: bigint): boolean {
    return this.#code.remove(this.#at, key) === 1;
  }

  find(key: bigint): bigint | undefined {
    if (this.#code.find(this.#at, key) === 0) return undefined;
    return BigInt.asUintN(64, this.#code.found(this.#at));
  }

  /** `add` for integers from 0 to 2^53 - 1. */
  addNumber(key: number, value: number): AddOutcome {
    return addOutcomes[this.#code.addNumber(this.#at, key, value)]!;
  }

  removeNumber(key: number): boolean {
    return this.#code.removeNumber(this.#at, key) === 1;
  }

  /** The value, or `ABSENT`. It must have been added as a number. */
  findNumber(key: number): number {
    return this.#code.findNumber(this.#at, key);
  }
}
