/**
 * The two allocators that the KDALLOC paper compares KDALLOC with. Both are shared by all states of
 * a run:
 *
 *   global   like a system's malloc: a freed block is given to the next request that it fits
 *   bump     never reuses a block
 *
 * They differ in one flag, so they are one class. Blocks are cut one after the other from each
 * region, in steps of 16 bytes with 16 bytes between them; block numbers and addresses ascend
 * together, so `locate` is a binary search over the addresses, followed by a look at what this
 * state knows of the block.
 *
 * What a state allocates moves the addresses of all others, which is the defect that KDALLOC mends.
 * When a state frees a block that it shared with others since a fork, they may still use it, and
 * the allocator does not learn when the last of them has ended; so only blocks that a state
 * allocated after its last fork are reused.
 *
 * With a seed, the blocks of each region begin somewhere else, as under address space layout
 * randomization, so that two runs with different seeds have different addresses.
 *
 * Invariants: block starts ascend; a block in a free list is live in no state.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from '../support/owner.js';
import { PersistentMap } from '../support/persistent-map.js';
import { Random } from '../support/random.js';
import {
  type Allocation,
  type Allocator,
  type Deallocation,
  exhausted,
  invalidRequest,
  isValidRequest,
  type LiveObject,
  type Location,
  outside,
  type Region,
  tooLarge,
} from './allocator.js';
import { BINS_PER_REGION, type Layout, type RegionLayout } from './region-layout.js';

const STEP = 16;
const GAP = 16;
/** The number of steps by which a seed may move the blocks of a region: up to 16 MiB. */
const MOST_SHIFTS = 2 ** 20;
/** These allocators have no bins; places say 0. */
const BIN = 0;

/** One region, as all states see it. */
class SharedRegion {
  readonly starts: number[] = [];
  readonly capacities: number[] = [];
  /** Blocks that may be reused, the one freed last at the end, by capacity. */
  readonly #free = new Map<number, number[]>();
  #cursor: number;

  constructor(
    readonly layout: RegionLayout,
    shift: number,
  ) {
    this.#cursor = layout.base + GAP + shift;
  }

  /** The number of a block with room for `size` bytes, or -1. */
  take(size: number, alignment: number): number {
    const capacity = Math.max(STEP, Math.ceil(size / STEP) * STEP);
    const reusable = this.#free.get(capacity);
    const last = reusable?.at(-1);
    if (reusable !== undefined && last !== undefined && this.starts[last]! % alignment === 0) {
      reusable.pop();
      return last;
    }
    const start = Math.ceil(this.#cursor / alignment) * alignment;
    if (start + capacity + GAP > this.layout.base + this.layout.size) return -1;
    this.#cursor = start + capacity + GAP;
    this.capacities.push(capacity);
    return this.starts.push(start) - 1;
  }

  giveBack(block: number): void {
    const capacity = this.capacities[block]!;
    const reusable = this.#free.get(capacity);
    if (reusable === undefined) this.#free.set(capacity, [block]);
    else reusable.push(block);
  }

  /** The number of the block that covers an address, or -1. */
  find(address: number): number {
    let low = 0;
    let high = this.starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    const block = low - 1;
    return block >= 0 && address < this.starts[block]! + this.capacities[block]! ? block : -1;
  }
}

/** What one state knows of a block. */
interface BlockView {
  readonly size: number;
  readonly freed: boolean;
  /** The state and the time between two forks in which it was allocated. */
  readonly owner: Owner;
}

function regionOf(table: number): Region {
  return ((table / BINS_PER_REGION) | 0) as Region;
}

export class SharedAllocator implements Allocator {
  readonly #regions: readonly SharedRegion[];
  readonly #reuses: boolean;
  table = 0;
  readonly #blocks: readonly PersistentMap<BlockView>[];
  #owner: Owner = {};

  private constructor(
    regions: readonly SharedRegion[],
    reuses: boolean,
    blocks: readonly PersistentMap<BlockView>[],
  ) {
    this.#regions = regions;
    this.#reuses = reuses;
    this.#blocks = blocks;
  }

  static create(layout: Layout, kind: 'global' | 'bump', seed: number): SharedAllocator {
    const random = new Random(seed);
    const shift = (): number => (seed === 0 ? 0 : STEP * random.below(MOST_SHIFTS));
    const regions = layout.map(region => new SharedRegion(region, Math.min(shift(), region.size / 2)));
    return new SharedAllocator(
      regions,
      kind === 'global',
      regions.map(() => new PersistentMap()),
    );
  }

  fork(): SharedAllocator {
    this.#owner = {};
    return new SharedAllocator(
      this.#regions,
      this.#reuses,
      this.#blocks.map(blocks => blocks.fork()),
    );
  }

  /** The next address depends on other states: only a state that allocates nothing can return. */
  isLike(other: Allocator): boolean {
    return (
      other instanceof SharedAllocator &&
      this.#blocks.every((blocks, region) => blocks.isLike(other.#blocks[region]!, () => false))
    );
  }

  allocate(region: Region, size: number, alignment: number = 1): Allocation {
    if (!isValidRequest(size, alignment)) return invalidRequest;
    const shared = this.#regions[region]!;
    if (size + 2 * GAP > shared.layout.size || alignment > shared.layout.size) return tooLarge;
    const slot = shared.take(size, Math.max(alignment, STEP));
    if (slot < 0) return exhausted;
    this.#blocks[region]!.set(slot, { size, freed: false, owner: this.#owner });
    return { kind: 'allocated', region, bin: BIN, slot, address: shared.starts[slot]! };
  }

  deallocate(address: number, size?: number): Deallocation {
    const location = this.locate(address);
    if (location.kind !== 'object' || location.base !== address) return { kind: 'not-an-object', location };
    if (size !== undefined && size !== location.size) return { kind: 'size-mismatch', size: location.size };
    const { region, slot } = location;
    this.release(region * BINS_PER_REGION + BIN, slot);
    return { kind: 'freed', region, bin: BIN, slot, size: location.size };
  }

  locate(address: number): Location {
    for (const shared of this.#regions) {
      const { region, base, size } = shared.layout;
      if (address >= base && address < base + size) return this.#locateIn(shared, region, address);
    }
    return outside;
  }

  slotAt(address: number): number {
    const location = this.locate(address);
    if (location.kind !== 'object' && location.kind !== 'freed') return -1;
    this.table = location.region * BINS_PER_REGION + BIN;
    return location.slot;
  }

  addressAt(table: number, slot: number): number {
    return this.#regions[regionOf(table)]!.starts[slot]!;
  }

  take(region: Region, size: number, alignment: number): number {
    const allocation = this.allocate(region, size, alignment);
    if (allocation.kind === 'failed') return -1;
    this.table = region * BINS_PER_REGION + BIN;
    return allocation.slot;
  }

  release(table: number, slot: number): void {
    const region = regionOf(table);
    const { size, owner } = this.#blocks[region]!.get(slot)!;
    this.#blocks[region]!.set(slot, { size, freed: true, owner });
    if (this.#reuses && owner === this.#owner) this.#regions[region]!.giveBack(slot);
  }

  *objects(region: Region): IterableIterator<LiveObject> {
    for (const [slot, { size, freed }] of this.#blocks[region]!.entries()) {
      if (!freed) yield { region, bin: BIN, slot, base: this.#regions[region]!.starts[slot]!, size };
    }
  }

  #locateIn(shared: SharedRegion, region: Region, address: number): Location {
    const slot = shared.find(address);
    const view = slot < 0 ? undefined : this.#blocks[region]!.get(slot);
    if (view === undefined) return { kind: 'redzone', region, bin: BIN };
    const base = shared.starts[slot]!;
    if (view.freed) return { kind: 'freed', region, bin: BIN, slot, base, size: shared.capacities[slot]! };
    if (address >= base + view.size && address > base) return { kind: 'redzone', region, bin: BIN };
    return { kind: 'object', region, bin: BIN, slot, base, size: view.size };
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    for (const blocks of this.#blocks) blocks.check(level);
    if (level < 2) return;
    for (const { starts, capacities } of this.#regions) {
      for (let block = 1; block < starts.length; block++) {
        const end = starts[block - 1]! + capacities[block - 1]!;
        assert(end + GAP <= starts[block]!, 'blocks ascend with gaps between them');
      }
    }
  }
}
