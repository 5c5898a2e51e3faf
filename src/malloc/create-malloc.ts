/** Makes a malloc of the family. */
import { Bibop } from './bibop.js';
import { Dlmalloc } from './dlmalloc.js';
import { Dnmalloc } from './dnmalloc.js';
import { Dsmalloc } from './dsmalloc.js';
import { Elfpa } from './elfpa.js';
import { KdallocMalloc } from './kdalloc-malloc.js';
import type { LinearMemory } from './linear-memory.js';
import type { Malloc } from './malloc.js';
import type { MallocName } from './malloc-names.js';
import { Psmalloc2 } from './psmalloc2.js';
import { Ptmalloc2 } from './ptmalloc2.js';
import { ArenaMap, createSharedTable, type SharedTable } from './separate/arena-map.js';
import { MetadataSpace } from './separate/metadata-space.js';
import { Sri } from './sri.js';

export interface MallocOptions {
  readonly memory: LinearMemory;
  /** The largest size of separate metadata. Only the used part costs memory. */
  readonly metadataBytes?: number;
  /** For several workers: as many heaps, of which each worker prefers one. */
  readonly arenas?: number;
  /** Which worker this is, and where what all of them share is: see `share-malloc.ts`. */
  readonly shared?: {
    readonly worker: number;
    readonly metadata: SharedArrayBuffer;
    readonly table: SharedTable;
  };
  /** For intentional randomness. */
  readonly seed?: number;
}

const defaultMetadataBytes = 512 << 20;

export function createMalloc(name: MallocName, options: MallocOptions): Malloc {
  const { memory, arenas = 1, shared, seed = 0 } = options;
  const worker = shared?.worker ?? 0;
  if (name === 'dlmalloc') return new Dlmalloc(memory);
  if (name === 'ptmalloc2') return new Ptmalloc2(memory, arenas, worker);
  if (name === 'kdalloc') return new KdallocMalloc(memory);
  const space = new MetadataSpace({
    bytes: options.metadataBytes ?? defaultMetadataBytes,
    ...(shared === undefined ? {} : { buffer: shared.metadata }),
  });
  const openMap = () => new ArenaMap(shared?.table ?? createSharedTable());
  switch (name) {
    case 'dnmalloc':
      return new Dnmalloc(memory, space);
    case 'dsmalloc':
      return new Dsmalloc(memory, space);
    case 'psmalloc2':
      return new Psmalloc2(memory, space, arenas, worker);
    case 'sri':
      return new Sri(memory, space, { arenas, worker, map: openMap() });
    case 'elfpa':
      return new Elfpa(memory, space, { heaps: arenas, worker, map: openMap() });
    case 'bibop':
      return new Bibop(memory, space, seed);
  }
}
