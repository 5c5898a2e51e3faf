/** The family by name: what each keeps where, and how one is made. */
import { Bibop } from './bibop.js';
import { Dlmalloc } from './dlmalloc.js';
import { Dnmalloc } from './dnmalloc.js';
import { Dsmalloc } from './dsmalloc.js';
import { ELFPA_UNIT_SHIFT, Elfpa } from './elfpa.js';
import { KdallocMalloc } from './kdalloc-malloc.js';
import type { LinearMemory } from './linear-memory.js';
import type { Malloc } from './malloc.js';
import { Psmalloc2 } from './psmalloc2.js';
import { Ptmalloc2 } from './ptmalloc2.js';
import { FlatMap } from './separate/arena-map.js';
import { MetadataSpace } from './separate/metadata-space.js';
import { SRI_UNIT_SHIFT, Sri } from './sri.js';

export type MallocName =
  | 'dlmalloc'
  | 'ptmalloc2'
  | 'dnmalloc'
  | 'dsmalloc'
  | 'psmalloc2'
  | 'sri'
  | 'elfpa'
  | 'bibop'
  | 'kdalloc';

export interface MallocOptions {
  readonly memory: LinearMemory;
  /** How much metadata there can be apart from the program's memory. Only what is used costs. */
  readonly metadataBytes?: number;
  /** For several workers: as many heaps, of which each worker prefers one. */
  readonly arenas?: number;
  /** Where the metadata are shared, and which worker this is. Worker 0 makes the malloc before the others attach to it. */
  readonly shared?: { readonly worker: number; readonly metadata: SharedArrayBuffer };
  /** For what is random on purpose. */
  readonly seed?: number;
}

export interface MallocInfo {
  readonly metadata: 'inline' | 'apart';
  /** Joins neighbouring free blocks of any sizes. */
  readonly coalesces: boolean;
  /** Can be used from several workers at once. */
  readonly isShareable: boolean;
  readonly summary: string;
}

export const mallocInfo: Readonly<Record<MallocName, MallocInfo>> = {
  dlmalloc: info('inline', true, false, 'Lea 2.6: boundary tags, bins, nothing checked'),
  ptmalloc2: info('inline', true, true, 'glibc 2.3.4: arenas, fast, unsorted, small and large bins'),
  dnmalloc: info('apart', true, false, 'Lea with a lookup table over the address space'),
  dsmalloc: info('apart', true, false, 'Lea with linear hashing'),
  psmalloc2: info('apart', true, true, 'ptmalloc2 with an arena number before each block, the rest apart'),
  sri: info(
    'apart',
    true,
    true,
    'ptmalloc2 with everything apart: address to arena without a lock, then hashing',
  ),
  elfpa: info('apart', false, true, "Michael's lock-free superblocks"),
  bibop: info('apart', false, false, "OpenBSD's bag of pages: random placement, guard pages, delayed free"),
  kdalloc: info('apart', false, false, "the explorer's deterministic allocator"),
};

function info(
  metadata: MallocInfo['metadata'],
  coalesces: boolean,
  isShareable: boolean,
  summary: string,
): MallocInfo {
  return { metadata, coalesces, isShareable, summary };
}

export const mallocNames: readonly MallocName[] = Object.keys(mallocInfo) as MallocName[];

export function isMallocName(text: string): text is MallocName {
  return Object.hasOwn(mallocInfo, text);
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
  const mapFor = (shift: number) => new FlatMap(space.carve((memory.limit >>> shift) + 1));
  switch (name) {
    case 'dnmalloc':
      return new Dnmalloc(memory, space);
    case 'dsmalloc':
      return new Dsmalloc(memory, space);
    case 'psmalloc2':
      return new Psmalloc2(memory, space, arenas, worker);
    case 'sri':
      return new Sri(memory, space, { arenas, worker, map: mapFor(SRI_UNIT_SHIFT) });
    case 'elfpa':
      return new Elfpa(memory, space, { heaps: arenas, worker, map: mapFor(ELFPA_UNIT_SHIFT) });
    case 'bibop':
      return new Bibop(memory, space, seed);
  }
}
