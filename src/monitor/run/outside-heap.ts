/**
 * Takes the memory of the monitor's heap blocks from one of the mallocs in TypeScript instead of
 * the monitor's own free lists: `check --malloc NAME`.
 *
 *     block of the malloc   │ header, 16 bytes │ the program's bytes │
 *
 * The monitor keeps its header, redzone and quarantine (`runtime/monitor/heap.c`), so it finds
 * exactly the same errors; the malloc only decides the addresses of blocks and when memory is
 * reused. Its metadata cannot be corrupted, because the program can only write to its own blocks.
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

  /**
   * The address of the header, such that the block after it is aligned; 0 if memory is exhausted.
   */
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

  /** The headers of all blocks that have not been freed. */
  headers(): number[] {
    const moved = new Map([...this.#starts].map(([header, start]) => [start, header]));
    const headers: number[] = [];
    this.#malloc.walk((kind, address) => {
      if (kind === 'client') headers.push(moved.get(address) ?? address);
    });
    return headers;
  }
}
