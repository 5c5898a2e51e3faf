/**
 * Creates a table in a shared memory. Threads pass the address of its descriptor to each other, and
 * each opens a handle.
 */
import { assert } from '../support/assert.js';
import type { Pool } from './pool.js';
import type { Memory } from './shared-memory.js';
import { BLOCK_PREFIX } from './source/index.js';
import { Descriptor } from './table-layout.js';

export interface TableOptions {
  /** Entries to begin with: a power of two. Below 256 only few threads may use the table. */
  readonly capacity?: number;
  /** At how many percent of used entries the table grows: at most 70, the default. */
  readonly loadPercent?: number;
  /**
   * How many entries of an old table an operation migrates before it works. At least 8, except in
   * tests.
   */
  readonly tax?: number;
}

/** The size of a handle, after the prefix of its block: two cache lines. */
export const HANDLE_BYTES = 128;

/** The address of a new table's descriptor, or 0 if there is no memory for it. */
export function createHashTable(memory: Memory, pool: Pool, options: TableOptions = {}): number {
  const { capacity = 256, loadPercent = 70, tax = 256 } = options;
  assert(capacity >= 2 && (capacity & (capacity - 1)) === 0, 'a capacity is a power of two');
  assert(loadPercent >= 10 && loadPercent <= 70, 'the load is between 10 and 70 percent');
  const descriptor = pool.allocate(Descriptor.byteCount, Descriptor.byteCount - BLOCK_PREFIX);
  const handle = descriptor === 0 ? 0 : pool.allocate(BLOCK_PREFIX + HANDLE_BYTES, HANDLE_BYTES);
  const isMade =
    handle !== 0 &&
    memory.code.create(handle + BLOCK_PREFIX, pool.at, descriptor, capacity, loadPercent, tax) === 1;
  if (handle !== 0) pool.release(handle);
  if (isMade) return descriptor;
  if (descriptor !== 0) pool.release(descriptor);
  return 0;
}
