/**
 * sri: the report's final prototype, sri-glibc. ptmalloc2 with nothing left in the chunk.
 *
 *     program's memory   ▐ block ▌▐ block ▌▐ free ▌▐ block ▌ … top        nothing but blocks
 *     ───────────────────────────────────────────────────────────────────────────
 *     apart              1. address / 64 KiB ─▶ arena      without a lock (`separate/arena-map.ts`)
 *                        2. the arena's lock, as in ptmalloc2
 *                        3. the arena's hash table ─▶ record, which moves to the front of its list
 *
 * Finding the arena must not lock, or all threads would wait for each other at each free. An arena owns whole segments of
 * 64 KiB, for ever; so each worker may remember the segment that it asked for last, and usually need not ask at all.
 *
 * Invariants: those of `ChunkHeap` and of `LinearHash`; each segment of an arena's heap is in the map, with that arena.
 */
import type { LinearMemory } from './linear-memory.js';
import type { ArenaMap } from './separate/arena-map.js';
import { layOutArenas } from './separate/arenas.js';
import { SEGMENT_UNIT } from './separate/chunk-heap.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { type Arena, SeparateMalloc } from './separate/separate-malloc.js';

export const SRI_UNIT_SHIFT: number = 31 - Math.clz32(SEGMENT_UNIT);

export interface SriOptions {
  readonly arenas: number;
  readonly worker?: number;
  readonly map: ArenaMap;
  readonly moveToFront?: boolean;
}

export class Sri extends SeparateMalloc {
  readonly #map: ArenaMap;
  #lastUnit = -1;
  #lastArena: Arena | undefined = undefined;

  constructor(memory: LinearMemory, space: MetadataSpace, options: SriOptions) {
    const { arenas: count, worker = 0, map, moveToFront = true } = options;
    const onSegment = (arena: number, address: number, bytes: number) => {
      for (let unit = address >>> SRI_UNIT_SHIFT; unit < (address + bytes) >>> SRI_UNIT_SHIFT; unit++)
        map.set(unit, arena);
    };
    const { records, arenas } = layOutArenas(memory, space, { count, moveToFront, onSegment });
    super(memory, records, arenas, worker % count);
    this.#map = map;
  }

  protected get extraBytesApart(): number {
    return this.#map.bytesUsed;
  }

  protected arenaOf(address: number): Arena | undefined {
    const unit = address >>> SRI_UNIT_SHIFT;
    if (unit === this.#lastUnit) return this.#lastArena;
    const arena = this.#map.get(unit);
    if (arena < 0) return undefined;
    this.#lastUnit = unit;
    this.#lastArena = this.arenas[arena];
    return this.#lastArena;
  }

  protected marked(address: number): number {
    return address;
  }
}
