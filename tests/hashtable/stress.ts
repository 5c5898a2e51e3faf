/**
 * Real workers on one table: starts them, waits, and looks at what they left behind.
 */
import { Worker } from 'node:worker_threads';
import {
  checkTable,
  createHashTable,
  createSharedMemory,
  POOL_AT,
  Pool,
  TableHandle,
  WasmMemory,
} from '../../src/hashtable/index.js';

export interface StressReport {
  /** Entries that the workers' models hold and the table does not, or differently. */
  readonly lost: number;
  readonly entries: number;
  /**
   * Blocks of the pool in use at the end, and the bytes of all blocks, which is what was ever
   * needed.
   */
  readonly usedBlocks: number;
  readonly poolBytes: number;
  readonly biggestTable: number;
  /** How often a table was released or made of one that was. */
  readonly recycled: number;
}

export async function stress(options: {
  readonly threads: number;
  readonly operations: number;
  readonly window: number;
}): Promise<StressReport> {
  const shared = createSharedMemory(2 ** 29);
  const memory = new WasmMemory(shared);
  const pool = new Pool(memory, POOL_AT);
  const descriptor = createHashTable(memory, pool);
  const results = await Promise.all(
    Array.from({ length: options.threads }, (_, thread) => {
      const workerData = { shared, descriptor, thread, ...options };
      const worker = new Worker(new URL('./stress-worker.mjs', import.meta.url), { workerData });
      return new Promise<[number, number][]>((resolve, reject) => {
        worker.once('message', ({ entries }) => resolve(entries));
        worker.once('error', reject);
      });
    }),
  );
  const handle = new TableHandle(memory, pool, descriptor);
  const entries = results.flat();
  const lost = entries.filter(([key, value]) => handle.findNumber(key) !== value).length;
  handle.close();
  checkTable(memory, descriptor, 3);
  const blocks = [...pool.blocks()];
  return {
    lost,
    entries: entries.length,
    usedBlocks: blocks.filter(({ used }) => used).length,
    poolBytes: blocks.reduce((sum, { byteCount }) => sum + byteCount, 0),
    biggestTable: Math.max(...blocks.map(({ byteCount }) => byteCount)),
    recycled: pool.traffic(),
  };
}
