/**
 * The deterministic allocator, as other rooms see it. `docs/kdalloc.md` is the guide.
 */
export type {
  Allocation,
  Allocator,
  Deallocation,
  LiveObject,
  Location,
  Place,
  RegionName,
} from './allocator.js';
export { Region, regionNames } from './allocator.js';
export { type AllocatorKind, allocatorKinds } from './allocator-names.js';
export type { AllocatorOptions, CreatedAllocator } from './create-allocator.js';
export { createAllocator } from './create-allocator.js';
export { Kdalloc } from './kdalloc.js';
export { UNLIMITED } from './quarantine.js';
export type { Layout, LayoutResult, RegionLayout, RegionRange } from './region-layout.js';
export { BINS_PER_REGION, defaultRegions, LARGE_BIN, planLayout, SLOT_SIZES } from './region-layout.js';
