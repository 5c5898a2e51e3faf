/** Creates the allocator that the options select. */
import type { Allocator, RegionName } from './allocator.js';
import { type AllocatorKind, allocatorKinds } from './allocator-names.js';
import { Kdalloc } from './kdalloc.js';
import { UNLIMITED } from './quarantine.js';
import { planLayout, type RegionRange } from './region-layout.js';
import { SharedAllocator } from './shared-allocator.js';

export interface AllocatorOptions {
  readonly kind?: AllocatorKind;
  /** The addresses of the regions; `defaultRegions` for those not given. */
  readonly regions?: Partial<Record<RegionName, RegionRange>>;
  /**
   * How many freed places each bin of KDALLOC keeps out of use: 0, k, or UNLIMITED, the default.
   */
  readonly quarantine?: number | undefined;
  /** The same for the stack; `quarantine` by default. */
  readonly stackQuarantine?: number | undefined;
  /** Moves the blocks of an allocator that states share; 0, the default, does not. */
  readonly seed?: number | undefined;
}

export type CreatedAllocator =
  | { readonly kind: 'allocator'; readonly allocator: Allocator }
  | { readonly kind: 'invalid'; readonly problem: string };

/** The allocator of the first state of a run, or what is wrong with the options. */
export function createAllocator(options: AllocatorOptions = {}): CreatedAllocator {
  const { kind = 'kdalloc', regions, quarantine = UNLIMITED, stackQuarantine, seed = 0 } = options;
  if (!allocatorKinds.includes(kind)) {
    return { kind: 'invalid', problem: `the kind must be one of ${allocatorKinds.join(', ')}` };
  }
  const planned = planLayout(regions);
  if (planned.kind === 'invalid') return planned;
  if (quarantine !== UNLIMITED && !(Number.isSafeInteger(quarantine) && quarantine >= 0)) {
    return { kind: 'invalid', problem: 'the size of the quarantine must be a natural number or unlimited' };
  }
  const { layout } = planned;
  const allocator =
    kind === 'kdalloc'
      ? Kdalloc.create(layout, quarantine, stackQuarantine)
      : SharedAllocator.create(layout, kind, seed);
  return { kind: 'allocator', allocator };
}
