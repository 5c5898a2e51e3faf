/**
 * sri: the SRI report's final prototype, sri-glibc. ptmalloc2 with nothing left in the chunk.
 *
 *     program's memory   ▐ block ▌▐ block ▌▐ free ▌▐ block ▌ … top        nothing but blocks
 *     ───────────────────────────────────────────────────────────────────────────
 *     apart              1. address / 64 KiB ─▶ arena      without a lock (`separate/arena-map.ts`)
 *                        2. the arena's lock, as in ptmalloc2
 *                        3. the arena's hash table ─▶ record, which moves to the front of its list
 *
 * Finding the arena must not lock, or all threads would wait for each other at each free. An arena
 * owns whole segments of 64 KiB, forever. So a worker may cache the arena of a segment:
 * it asks the table once for each.
 *
 * As the SRI report says of its prototype, the design is tailored to need few lookups: the lists of
 * chunks that are not merged reach up to 512 bytes, and a chunk on such a list stays in the table.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 16 bytes; the largest just under 1 GiB
 *   Overhead       none in line but up to 15 bytes for rounding; apart 48 bytes for each chunk, and some 32 for each segment
 *   Threads        any number; threads that need the same arena wait, but finding the arena takes no lock
 *   Notices        as dnmalloc
 *
 * Invariants: those of `ChunkHeap` and of `LinearHash`; each segment of an arena's heap is in the
 * map, with that arena.
 */
import type { LinearMemory } from './linear-memory.js';
import type { ArenaMap } from './separate/arena-map.js';
import { layOutArenas } from './separate/arenas.js';
import { SEGMENT_UNIT } from './separate/chunk-heap.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { type Arena, SeparateMalloc } from './separate/separate-malloc.js';

/**
 * Merging costs lookups and splitting costs insertions, so less is merged than in ptmalloc2 (128).
 */
const largestFast = 512;

const UNIT_SHIFT: number = 31 - Math.clz32(SEGMENT_UNIT);

export interface SriOptions {
  readonly arenas: number;
  readonly worker?: number;
  readonly map: ArenaMap;
  readonly moveToFront?: boolean;
}

export class Sri extends SeparateMalloc {
  readonly #map: ArenaMap;
  /** For each segment, its arena + 1, or 0 if this worker has not looked it up yet. */
  readonly #known: Uint8Array;

  constructor(memory: LinearMemory, space: MetadataSpace, options: SriOptions) {
    const { arenas: count, worker = 0, map, moveToFront = true } = options;
    const onSegment = (arena: number, address: number, bytes: number) => {
      for (let unit = address >>> UNIT_SHIFT; unit < (address + bytes) >>> UNIT_SHIFT; unit++)
        map.set(unit, arena);
    };
    const { records, arenas } = layOutArenas(memory, space, { count, moveToFront, largestFast, onSegment });
    super(memory, records, arenas, worker % count);
    this.#map = map;
    this.#known = new Uint8Array((memory.limit >>> UNIT_SHIFT) + 1);
  }

  protected get extraBytesApart(): number {
    return this.#map.bytesUsed;
  }

  protected arenaOf(address: number): Arena | undefined {
    const unit = address >>> UNIT_SHIFT;
    const known = this.#known[unit]!;
    return known > 0 ? this.arenas[known - 1] : this.#ask(unit);
  }

  #ask(unit: number): Arena | undefined {
    const arena = unit < this.#known.length ? this.#map.get(unit) : -1;
    if (arena < 0) return undefined;
    this.#known[unit] = arena + 1;
    return this.arenas[arena];
  }

  protected marked(address: number): number {
    return address;
  }
}
