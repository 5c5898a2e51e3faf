/**
 * From a unit of memory (its address divided by the unit's size) to a small number, asked by all
 * workers without a lock: the lock-free hash table of `src/hashtable`.
 *
 * A table, and not one word for each unit there could be: then the key may be 64 bits wide, as it
 * must be on the machines that are modelled.
 */
import {
  AtomicWords,
  createHashTable,
  createSharedMemory,
  POOL_AT,
  Pool,
  TableHandle,
  WasmMemory,
} from '../../hashtable/index.js';
import { assert } from '../../support/assert.js';

/** The data that workers exchange: the memory of the table and the address of its descriptor. */
export interface SharedTable {
  readonly memory: WebAssembly.Memory;
  readonly descriptor: number;
}

const tableBytes = 32 << 20;
/** The bytes of an entry, with what load and growth cost. */
const bytesPerEntry = 32;

/** One view for each memory: calls are fast as long as V8 has seen one instance of the code. */
const views = new WeakMap<WebAssembly.Memory, WasmMemory>();

function viewOf(memory: WebAssembly.Memory): WasmMemory {
  const view = views.get(memory) ?? new WasmMemory(memory);
  views.set(memory, view);
  return view;
}

export function createSharedTable(): SharedTable {
  const memory = createSharedMemory(tableBytes);
  const view = viewOf(memory);
  const descriptor = createHashTable(view, new Pool(view, POOL_AT));
  assert(descriptor !== 0, 'an empty memory holds a table');
  return { memory, descriptor };
}

export class ArenaMap {
  readonly #memory: WasmMemory;
  readonly #pool: Pool;
  readonly #handle: TableHandle;
  #entries = 0;

  constructor({ memory, descriptor }: SharedTable) {
    this.#memory = viewOf(memory);
    this.#pool = new Pool(this.#memory, POOL_AT);
    this.#handle = new TableHandle(this.#memory, this.#pool, descriptor);
  }

  /** Words of 64 bits in the same memory, all 0; workers pass their address to each other. */
  allocateWords(count: number): number {
    const at = AtomicWords.allocate(this.#pool, count);
    assert(at !== 0, 'the memory of the map has room for words');
    return at;
  }

  wordsAt(at: number): AtomicWords {
    return new AtomicWords(this.#memory, at);
  }

  /** -1 when nothing is known of the unit. */
  get(unit: number): number {
    return this.#handle.findNumber(unit);
  }

  set(unit: number, value: number): void {
    const outcome = this.#handle.addNumber(unit, value);
    assert(outcome === 'inserted' || outcome === 'replaced', `the map of arenas says ${outcome}`);
    if (outcome === 'inserted') this.#entries++;
  }

  remove(unit: number): void {
    if (this.#handle.removeNumber(unit)) this.#entries--;
  }

  /** As far as this worker has made entries. */
  get bytesUsed(): number {
    return this.#entries * bytesPerEntry;
  }
}
