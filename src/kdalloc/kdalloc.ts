/**
 * KDALLOC: the deterministic allocator for dynamic symbolic execution of Schemmel et al.
 * (`seeds/kdalloc.txt`).
 *
 * Every state of the program under test has its own allocator. So its addresses depend on nothing
 * but what that state itself allocated and freed: not on time, not on other states, not on the
 * order in which states run. Objects lie as far apart as they can, regions and size classes do not
 * disturb each other, and freed places are reused late.
 *
 * Addresses decode themselves (see `region-layout.ts`): region by comparison, bin and slot by
 * arithmetic; the slot's page then says whether it is live. That is `locate`, in a handful of
 * loads, without searching. Only in the large-object bin a treap is searched.
 *
 * A fork shares everything. The handle has an array of bins that is copied by the first write after
 * a fork; a bin is copied when it is first written, and then shares its pages and nodes, which are
 * copied one by one:
 *
 *   handle ──▶ bins[36] ──▶ bin (counters) ──▶ pages / treap nodes / quarantine
 *   owner        owner        owner              owner                          copied if the owner is another
 *
 * Invariants: a bin is written only if its owner is the handle's; two handles never have the same
 * owner.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from '../support/owner.js';
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
  type Place,
  Region,
  tooLarge,
} from './allocator.js';
import { fitsEmptyBin, LargeBin } from './large-bin.js';
import {
  BINS_PER_REGION,
  BLOCK_SIZE,
  LARGE_BIN,
  LARGEST_SLOT,
  type LargeBinLayout,
  type Layout,
  SLOT_SIZES,
} from './region-layout.js';
import { SlotBin, type SlotBinShape, slotAddress, slotBinShape, slotOfNode } from './slot-bin.js';
import { NODES } from './slot-order.js';

/** The bin for each size up to LARGEST_SLOT. */
const binOfSize: Uint8Array = Uint8Array.from({ length: LARGEST_SLOT + 1 }, (_, size) =>
  SLOT_SIZES.findIndex(slotSize => size <= slotSize),
);

const BINS_PER_NODE = 1 / NODES;
/**
 * Bins before the large-object bin. A constant of this file, which is cheaper for `locate` than an
 * imported one.
 */
const SLOT_BINS = 8;

/**
 * The data of a region that a lookup reads. These are fields of a small object and not columns of
 * typed arrays, which took twice the instructions; with fewer instructions, a processor overlaps
 * more lookups while one waits for memory.
 */
interface RegionPlan extends LargeBinLayout {
  readonly region: Region;
  readonly base: number;
  readonly size: number;
  /** What a byte is worth when bins are scaled to NODES slots (see `slot-order.ts`). */
  readonly nodesPerByte: number;
  /** The number of its first bin: bins are numbered region * 9 + bin. */
  readonly firstBin: number;
  /** The location in the large-object bin where there is no object. */
  readonly largeRedzone: Location;
}

/** What all states of a run have in common. */
interface Plan {
  readonly quarantine: number;
  readonly regions: readonly RegionPlan[];
  /** The last of them. */
  readonly heap: RegionPlan;
  /** By the number of the bin; the large-object bins have none of use. */
  readonly shapes: readonly SlotBinShape[];
}

/**
 * A bin that nothing was allocated in is undefined. The large-object bin of each region is in
 * `large`.
 */
interface Bins {
  readonly owner: Owner;
  readonly slots: (SlotBin | undefined)[];
  readonly large: (LargeBin | undefined)[];
}

export class Kdalloc implements Allocator {
  readonly #plan: Plan;
  #bins: Bins;
  /** The token of what this handle may edit; made at the first write after a fork. */
  #owner: Owner | undefined;
  table = 0;

  private constructor(plan: Plan, bins: Bins) {
    this.#plan = plan;
    this.#bins = bins;
  }

  /**
   * The allocator of the first state. Each bin's quarantine holds `quarantine` places: 0, k, or
   * UNLIMITED.
   */
  static create(layout: Layout, quarantine: number, ofStack: number = quarantine): Kdalloc {
    assert(quarantine >= 0, 'the size of a quarantine is not negative');
    const regions = layout.map(
      ({ region, base, size, binSize, largeBase, largeBlocks }): RegionPlan => ({
        region,
        base,
        size,
        nodesPerByte: NODES / binSize,
        firstBin: region * BINS_PER_REGION,
        largeBase,
        largeBlocks,
        largeRedzone: { kind: 'redzone', region, bin: LARGE_BIN },
      }),
    );
    const shapes = layout.flatMap(region =>
      Array.from({ length: BINS_PER_REGION }, (_, bin) =>
        slotBinShape(
          region,
          Math.min(bin, LARGE_BIN - 1),
          region.region === Region.stack ? ofStack : quarantine,
        ),
      ),
    );
    const plan: Plan = { quarantine, regions, heap: regions[Region.heap]!, shapes };
    return new Kdalloc(plan, {
      owner: {},
      slots: shapes.map(() => undefined),
      large: layout.map(() => undefined),
    });
  }

  fork(): Kdalloc {
    this.#owner = undefined;
    return new Kdalloc(this.#plan, this.#bins);
  }

  isLike(other: Allocator): boolean {
    if (!(other instanceof Kdalloc)) return false;
    const { slots, large } = this.#bins;
    if (this.#bins === other.#bins) return true;
    const areAlike = (one: SlotBin | undefined, another: SlotBin | undefined): boolean =>
      one === another || (one !== undefined && another !== undefined && one.isLike(another));
    return (
      slots.every((bin, number) => areAlike(bin, other.#bins.slots[number])) &&
      large.every((bin, region) => {
        const another = other.#bins.large[region];
        return bin === another || (bin !== undefined && another !== undefined && bin.isLike(another));
      })
    );
  }

  allocate(region: Region, size: number, alignment: number = 1): Allocation {
    if (!isValidRequest(size, alignment)) return invalidRequest;
    const extent = size > alignment ? size : alignment;
    if (extent > LARGEST_SLOT) return this.#allocateLarge(region, size, alignment);
    const bin = binOfSize[extent]!;
    const number = region * BINS_PER_REGION + bin;
    const slot = this.#writableSlotBin(number).allocate(size);
    if (slot < 0) return exhausted;
    return { kind: 'allocated', region, bin, slot, address: slotAddress(this.#plan.shapes[number]!, slot) };
  }

  deallocate(address: number, size?: number): Deallocation {
    const location = this.locate(address);
    if (location.kind !== 'object' || location.base !== address) return { kind: 'not-an-object', location };
    if (size !== undefined && size !== location.size) return { kind: 'size-mismatch', size: location.size };
    const { region, bin, slot } = location;
    if (bin === LARGE_BIN) this.#writableLargeBin(region).deallocate(slot);
    else this.#writableSlotBin(region * BINS_PER_REGION + bin).deallocate(slot);
    return { kind: 'freed', region, bin, slot, size: location.size };
  }

  locate(address: number): Location {
    const region = this.#regionOf(address);
    if (region === undefined) return outside;
    const offset = address - region.base;
    const nodes = offset * region.nodesPerByte;
    const bin = (nodes * BINS_PER_NODE) | 0;
    if (bin >= SLOT_BINS) return this.#locateLarge(region, address);
    const number = region.firstBin + bin;
    const slotBin = this.#bins.slots[number];
    return slotBin === undefined
      ? this.#plan.shapes[number]!.redzone
      : slotBin.locate(address, offset | 0, nodes | 0);
  }

  slotAt(address: number): number {
    const region = this.#regionOf(address);
    if (region === undefined) return -1;
    const offset = address - region.base;
    const nodes = offset * region.nodesPerByte;
    const bin = (nodes * BINS_PER_NODE) | 0;
    if (bin >= SLOT_BINS) {
      const block = Math.floor((address - region.largeBase) / BLOCK_SIZE);
      const object = this.#bins.large[region.region]?.find(block);
      this.table = region.firstBin + SLOT_BINS;
      return object === undefined ? -1 : object.firstBlock;
    }
    const number = region.firstBin + bin;
    const shape = this.#plan.shapes[number]!;
    const slot = slotOfNode(shape, nodes | 0);
    this.table = number;
    return slot < 0 || (offset & shape.innerMask) >= shape.slotSize ? -1 : slot;
  }

  addressAt(table: number, slot: number): number {
    if (table % BINS_PER_REGION < LARGE_BIN) return slotAddress(this.#plan.shapes[table]!, slot);
    return this.#plan.regions[(table / BINS_PER_REGION) | 0]!.largeBase + slot * BLOCK_SIZE;
  }

  take(region: Region, size: number, alignment: number): number {
    const extent = size > alignment ? size : alignment;
    const bin = (alignment & (alignment - 1)) === 0 ? binOfSize[extent] : undefined;
    if (bin === undefined || size < 0) return this.#takeAny(region, size, alignment);
    this.table = region * BINS_PER_REGION + bin;
    return this.#writableSlotBin(this.table).allocate(size);
  }

  #takeAny(region: Region, size: number, alignment: number): number {
    const allocation = this.allocate(region, size, alignment);
    if (allocation.kind === 'failed') return -1;
    this.table = region * BINS_PER_REGION + allocation.bin;
    return allocation.slot;
  }

  release(table: number, slot: number): void {
    if (table % BINS_PER_REGION < LARGE_BIN) this.#writableSlotBin(table).deallocate(slot);
    else this.#writableLargeBin(((table / BINS_PER_REGION) | 0) as Region).deallocate(slot);
  }

  /** The address of a place; the inverse of `locate`. */
  addressOf({ region, bin, slot }: Place): number {
    if (bin === LARGE_BIN) return this.#plan.regions[region]!.largeBase + slot * BLOCK_SIZE;
    return slotAddress(this.#plan.shapes[region * BINS_PER_REGION + bin]!, slot);
  }

  objects(region: Region): LiveObject[] {
    const found: LiveObject[] = [];
    for (let bin = 0; bin < LARGE_BIN; bin++) {
      const number = region * BINS_PER_REGION + bin;
      const shape = this.#plan.shapes[number]!;
      this.#bins.slots[number]?.forEachLive((slot, size) => {
        found.push({ region, bin, slot, base: slotAddress(shape, slot), size });
      });
    }
    const { largeBase } = this.#plan.regions[region]!;
    for (const { firstBlock: slot, size } of this.#bins.large[region]?.live() ?? [])
      found.push({ region, bin: LARGE_BIN, slot, base: largeBase + slot * BLOCK_SIZE, size });
    return found;
  }

  /** The heap first: most lookups are in it, then the stack. */
  #regionOf(address: number): RegionPlan | undefined {
    const { heap, regions } = this.#plan;
    if (address >= heap.base && address - heap.base < heap.size) return heap;
    for (let number: number = Region.stack; number >= 0; number--) {
      const { base, size } = regions[number]!;
      if (address >= base && address - base < size) return regions[number];
    }
    return undefined;
  }

  #locateLarge({ region, largeBase, largeRedzone }: RegionPlan, address: number): Location {
    const object = this.#bins.large[region]?.find(Math.floor((address - largeBase) / BLOCK_SIZE));
    if (object === undefined) return largeRedzone;
    const { firstBlock: slot, blocks, size, freed } = object;
    const base = largeBase + slot * BLOCK_SIZE;
    if (freed) return { kind: 'freed', region, bin: LARGE_BIN, slot, base, size: blocks * BLOCK_SIZE };
    if (address >= base + size && address > base) return largeRedzone;
    return { kind: 'object', region, bin: LARGE_BIN, slot, base, size };
  }

  #allocateLarge(region: Region, size: number, alignment: number): Allocation {
    const layout = this.#plan.regions[region]!;
    if (!fitsEmptyBin(layout, size, alignment)) return tooLarge;
    const slot = this.#writableLargeBin(region).allocate(size, alignment);
    if (slot < 0) return exhausted;
    return { kind: 'allocated', region, bin: LARGE_BIN, slot, address: layout.largeBase + slot * BLOCK_SIZE };
  }

  /** The bins, owned by this handle. */
  #writableBins(): Bins {
    this.#owner ??= {};
    if (this.#bins.owner !== this.#owner) {
      const { slots, large } = this.#bins;
      this.#bins = { owner: this.#owner, slots: slots.slice(), large: large.slice() };
    }
    return this.#bins;
  }

  #writableSlotBin(number: number): SlotBin {
    const bin = this.#bins.slots[number];
    // A bin with the token of this handle is among bins with it.
    return bin !== undefined && bin.owner === this.#owner ? bin : this.#ownSlotBin(number);
  }

  #ownSlotBin(number: number): SlotBin {
    const { owner, slots } = this.#writableBins();
    const bin = new SlotBin(owner, this.#plan.shapes[number]!, slots[number]);
    slots[number] = bin;
    return bin;
  }

  #writableLargeBin(region: Region): LargeBin {
    const { owner, large } = this.#writableBins();
    let bin = large[region];
    if (bin === undefined || bin.owner !== owner) {
      bin = new LargeBin(owner, this.#plan.regions[region]!, this.#plan.quarantine, bin);
      large[region] = bin;
    }
    return bin;
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    const { slots, large } = this.#bins;
    for (const bin of [...slots, ...large]) bin?.check(level);
    if (level < 3) return;
    for (const { region } of this.#plan.regions) {
      let end = 0;
      for (const object of [...this.objects(region)].sort((a, b) => a.base - b.base)) {
        assert(object.base > end, 'objects do not touch each other');
        end = object.base + object.size;
        const location = this.locate(object.base);
        assert(location.kind === 'object' && location.base === object.base, 'locate finds the live objects');
        assert(this.addressOf(location) === object.base, 'addressOf is the inverse of locate');
        assert(this.slotAt(object.base) === object.slot, 'slotAt says what locate says');
        assert(this.table === region * BINS_PER_REGION + object.bin, 'and in which table');
        assert(this.addressAt(this.table, object.slot) === object.base, 'addressAt is its inverse');
      }
    }
  }
}
