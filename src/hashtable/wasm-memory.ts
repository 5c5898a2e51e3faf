/**
 * The memory of shipped tables: a shared `WebAssembly.Memory`, whose buffer is a SharedArrayBuffer,
 * and the code of the table as WebAssembly.
 *
 * `Atomics` is not used, because V8 does not inline it: a load takes 7.7 ns on an Int32Array and
 * 13.5 ns on a BigInt64Array, where the bigint is allocated; in WebAssembly it is one instruction.
 * `docs/decisions/0048-hash-table-in-a-language-of-atomic-steps.md` has the figures.
 *
 *   the memory   0      unused
 *                65536  the pool
 */
import { assert } from '../support/assert.js';
import { emitModule } from './language/emit-wasm.js';
import { Pool } from './pool.js';
import type { Memory, TableCode } from './shared-memory.js';
import { tableProgram } from './source/index.js';

const PAGE_BYTES = 65536;

/** Where the pool of a shared memory lies. */
export const POOL_AT: number = PAGE_BYTES;

/**
 * A memory to be sent to every worker, with an empty pool. Untouched pages cost nothing.
 */
export function createSharedMemory(byteCount: number): WebAssembly.Memory {
  const pages = Math.ceil(byteCount / PAGE_BYTES);
  assert(pages >= 2 && pages < 32768, 'a shared memory has between 128 KiB and 2 GiB');
  const shared = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  Pool.format(new Int32Array(shared.buffer), POOL_AT, pages * PAGE_BYTES);
  return shared;
}

/**
 * One thread's view of a shared memory. A thread should make one and use it for all its tables: V8
 * inlines the calls as long as it has seen one module instance only.
 */
export class WasmMemory implements Memory {
  readonly words: Int32Array;
  readonly code: TableCode;

  constructor(shared: WebAssembly.Memory) {
    this.words = new Int32Array(shared.buffer);
    const pages = shared.buffer.byteLength / PAGE_BYTES;
    const instance = new WebAssembly.Instance(moduleFor(pages), { m: { memory: shared } });
    // A plain object: V8 looks names up slowly in what an instance exports.
    this.code = { ...(instance.exports as unknown as TableCode) };
  }
}

const modules = new Map<number, WebAssembly.Module>();

function moduleFor(pages: number): WebAssembly.Module {
  const known = modules.get(pages);
  if (known) return known;
  const made = new WebAssembly.Module(emitModule(tableProgram(), pages));
  modules.set(pages, made);
  return made;
}
