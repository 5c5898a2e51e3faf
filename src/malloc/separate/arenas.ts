/**
 * Lays out records, indexes and heaps in a space for metadata: the same in every worker that
 * attaches to it.
 */
import type { LinearMemory } from '../linear-memory.js';
import type { AddressIndex } from './address-index.js';
import { ChunkHeap, HEAP_STATE } from './chunk-heap.js';
import { LinearHash, PER_RECORD } from './linear-hash.js';
import type { MetadataSpace } from './metadata-space.js';
import { RECORD, Records } from './records.js';
import type { Arena } from './separate-malloc.js';

export interface ArenaPlan {
  readonly count: number;
  readonly unit?: number;
  readonly lead?: number;
  readonly largestFast?: number;
  readonly moveToFront?: boolean;
  /** Instead of linear hashing. */
  readonly indexFor?: (records: Int32Array) => AddressIndex;
  /** Called for each segment: see `ChunkHeap`. */
  readonly onSegment?: (arena: number, address: number, bytes: number) => void;
}

export interface LaidOut {
  readonly records: Records;
  readonly arenas: readonly Arena[];
}

const LOCK_WORDS = 16;

export function layOutArenas(memory: LinearMemory, space: MetadataSpace, plan: ArenaPlan): LaidOut {
  const { count, unit, lead, largestFast, moveToFront = false, indexFor, onSegment } = plan;
  const supply = space.carve(LOCK_WORDS);
  const states = space.carve(count * (HEAP_STATE + LOCK_WORDS));
  // Each arena may come to hold every record; pages that are not touched cost nothing.
  const tables = indexFor === undefined ? count * PER_RECORD : 0;
  const capacity = Math.floor(space.freeWords / (RECORD + tables)) & ~63;
  const records = new Records(space.carve(capacity * RECORD), supply);
  const arenas = Array.from({ length: count }, (_, i): Arena => {
    const at = i * (HEAP_STATE + LOCK_WORDS);
    const index =
      indexFor?.(records.words) ??
      new LinearHash(space.carve(capacity * PER_RECORD), records.words, moveToFront);
    const heap = new ChunkHeap({
      memory,
      records,
      index,
      state: states.subarray(at, at + HEAP_STATE),
      ...(unit === undefined ? {} : { unit }),
      ...(lead === undefined ? {} : { lead }),
      ...(largestFast === undefined ? {} : { largestFast }),
      ...(onSegment === undefined
        ? {}
        : { onSegment: (address: number, bytes: number) => onSegment(i, address, bytes) }),
    });
    return { heap, index, lock: states.subarray(at + HEAP_STATE, at + HEAP_STATE + LOCK_WORDS) };
  });
  return { records, arenas };
}
