/**
 * The common part of dnmalloc and dsmalloc: one heap whose blocks carry no mark. They differ in the
 * index.
 */
import type { LinearMemory } from '../linear-memory.js';
import type { Records } from './records.js';
import { type Arena, SeparateMalloc } from './separate-malloc.js';

export class SingleArenaMalloc extends SeparateMalloc {
  readonly #arena: Arena;

  constructor(
    memory: LinearMemory,
    { records, arenas }: { readonly records: Records; readonly arenas: readonly Arena[] },
  ) {
    super(memory, records, arenas, 0);
    this.#arena = arenas[0]!;
  }

  protected readonly extraBytesApart: number = 0;

  protected arenaOf(): Arena {
    return this.#arena;
  }

  protected marked(address: number): number {
    return address;
  }
}
