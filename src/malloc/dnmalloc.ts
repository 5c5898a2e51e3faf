/**
 * dnmalloc: Younan's and Piessens' malloc of 2005, the first of the line to move Lea's metadata out
 * of the heap.
 *
 *     program's memory   ▐ block ▌▐ block ▌▐ free ▌▐ block ▌ … top      nothing but blocks
 *     ───────────────────────────────────────────────────────────────
 *     apart              table: one word per 256 bytes ─▶ records        `separate/lookup-table.ts`
 *                        records: address, size, state, neighbours       `separate/records.ts`
 *
 * The algorithm is Lea's (`separate/chunk-heap.ts`). An address is looked up in a table that covers
 * the whole address space, so a lookup is two or three loads. An address that no list holds is none
 * of ours: an invalid free.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 16 bytes; the largest just under 1 GiB
 *   Overhead       none in line but up to 15 bytes for rounding; apart 32 bytes for each chunk, and 4 for each 256 bytes of address space in use
 *   Threads        one
 *   Notices        a free of anything but a live block; double frees by their name as long as the block is not merged, or among the last 256
 *
 * Invariants: those of `ChunkHeap` and of `LookupTable`.
 */
import type { LinearMemory } from './linear-memory.js';
import { layOutArenas } from './separate/arenas.js';
import { LookupTable } from './separate/lookup-table.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { SingleArenaMalloc } from './separate/single-arena-malloc.js';

export class Dnmalloc extends SingleArenaMalloc {
  constructor(memory: LinearMemory, space: MetadataSpace) {
    const table = space.carve(LookupTable.wordsFor(memory));
    const indexFor = (records: Int32Array) => new LookupTable(table, records, memory.start);
    super(memory, layOutArenas(memory, space, { count: 1, indexFor }));
  }
}
