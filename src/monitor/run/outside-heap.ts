/**
 * The memory of the monitor's heap blocks, from a malloc of the family instead of from the
 * monitor's own lists: `check --malloc NAME`.
 *
 *     what the malloc hands out   │ header, 16 bytes │ the program's bytes │
 *
 * The monitor keeps its header, redzone and quarantine (`runtime/monitor/heap.c`), so it finds
 * exactly what it finds on its own heap; only where blocks lie, and when memory is used again, is
 * the malloc's affair. Its own invariants must hold all the time: the program cannot write where no
 * block of its own is.
 */
import { createMalloc } from '../../malloc/create-malloc.js';
import { LinearMemory } from '../../malloc/linear-memory.js';
import type { Malloc } from '../../malloc/malloc.js';
import type { MallocName } from '../../malloc/malloc-names.js';
import { assert } from '../../support/assert.js';

const HEADER = 16;

export class OutsideHeap {
  readonly #linear: LinearMemory;
  readonly #malloc: Malloc;
  /**
   * For blocks aligned to more than 16 bytes, maps the header to the address that the malloc
   * returned, if it differs.
   */
  readonly #starts = new Map<number, number>();

  constructor(
    memory: WebAssembly.Memory,
    range: { readonly start: number; readonly limit: number },
    name: MallocName,
    seed: number,
  ) {
    this.#linear = new LinearMemory({ buffer: memory.buffer }, range);
    this.#malloc = createMalloc(name, { memory: this.#linear, seed });
  }

  get top(): number {
    return this.#linear.break;
  }

  /** Where the header goes, so that what follows it is aligned; 0 when memory is exhausted. */
  take(bytes: number, alignment: number): number {
    if (alignment <= HEADER) return this.#malloc.malloc(bytes);
    const start = this.#malloc.malloc(bytes + alignment);
    if (start === 0) return 0;
    const header = ((start + HEADER + alignment - 1) & -alignment) - HEADER;
    if (header !== start) this.#starts.set(header, start);
    return header;
  }

  give(header: number): void {
    const start = this.#starts.get(header) ?? header;
    this.#starts.delete(header);
    const outcome = this.#malloc.free(start);
    assert(outcome === 'ok', `the malloc says ${outcome} of a block of the monitor`);
  }

  /** The headers of all blocks that were not freed. */
  headers(): number[] {
    const moved = new Map([...this.#starts].map(([header, start]) => [start, header]));
    const headers: number[] = [];
    this.#malloc.walk((kind, address) => {
      if (kind === 'client') headers.push(moved.get(address) ?? address);
    });
    return headers;
  }
}
