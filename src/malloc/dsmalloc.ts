/**
 * dsmalloc: the SRI report's first prototype. Lea's malloc like `dnmalloc.ts`, but an address is
 * looked up by hashing, which works in an address space of any size.
 *
 *     program's memory   ▐ block ▌▐ block ▌▐ free ▌▐ block ▌ … top      nothing but blocks
 *     ───────────────────────────────────────────────────────────────
 *     apart              Larson's linear hashing ─▶ records              `separate/linear-hash.ts`
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 16 bytes; the largest just under 1 GiB
 *   Overhead       none in line but up to 15 bytes for rounding; apart 32 bytes for each chunk, and 16 for its part of the table
 *   Threads        one: there is one heap, and no lock
 *   Notices        as dnmalloc
 *
 * Invariants: those of `ChunkHeap` and of `LinearHash`.
 */
import type { LinearMemory } from './linear-memory.js';
import { layOutArenas } from './separate/arenas.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { SingleArenaMalloc } from './separate/single-arena-malloc.js';

export class Dsmalloc extends SingleArenaMalloc {
  constructor(memory: LinearMemory, space: MetadataSpace) {
    super(memory, layOutArenas(memory, space, { count: 1 }));
  }
}
