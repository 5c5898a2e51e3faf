/** The malloc family, as other rooms and `redzone/malloc` see it. `docs/heap.md` is the guide. */
export { createMalloc, type MallocOptions } from './create-malloc.js';
export { type ByteSource, LinearMemory } from './linear-memory.js';
export type { FreeOutcome, Malloc, Problem, RegionKind, Visit } from './malloc.js';
export { isMallocName, type MallocInfo, type MallocName, mallocInfo, mallocNames } from './malloc-names.js';
export { type AttachedMalloc, attachMalloc, type SharedMalloc, shareMalloc } from './share-malloc.js';
