/**
 * KDALLOC: the deterministic allocator for dynamic symbolic execution of Schemmel et al. (`seeds/kdalloc.txt`).
 *
 * Every state of the program under test has its own allocator. So its addresses depend on nothing but what that state
 * itself allocated and freed: not on time, not on other states, not on the order in which states run. Objects lie as
 * far apart as they can, regions and size classes do not disturb each other, and freed places are reused late.
 *
 * Addresses decode themselves (see `layout.ts`): region by comparison, bin and slot by arithmetic; the slot's page
 * then says whether it is live. That is `locate`, in a handful of loads, without searching. Only in the large-object bin
 * a treap is searched.
 *
 * A fork shares everything. The handle has an array of bins that is copied by the first write after a fork; a bin is
 * copied when it is first written, and then shares its pages and nodes, which are copied one by one:
 *
 *   handle ──▶ bins[36] ──▶ bin (counters) ──▶ pages / treap nodes / quarantine
 *   owner        owner        owner              owner                          copied if the owner is another
 *
 * Invariants: a bin is written only if its owner is the handle's; two handles never have the same owner.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
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
  PLACE_SLOTS,
  type Place,
  type Region,
  tooLarge,
} from './allocator.js';
import { LargeBin } from './large-bin.js';
import {
  BINS_PER_REGION,
  BLOCK_SIZE,
  LARGE_BIN,
  LARGEST_SLOT,
  type Layout,
  placeOf,
  type RegionLayout,
  SLOT_SIZES,
} from './layout.js';
import type { Owner } from './owner.js';
import { LiveSlot, SlotBin, type SlotBinShape, slotAddress, slotBinShape } from './slot-bin.js';
import { indexOfNode, NODES, usableLevels } from './slot-order.js';
import { FREED, FRESH } from './slot-table.js';

/** The bin for each size up to LARGEST_SLOT. */
const binOfSize: Uint8Array = Uint8Array.from({ length: LARGEST_SLOT + 1 }, (_, size) =>
  SLOT_SIZES.findIndex(slotSize => size <= slotSize),
);

const BINS_PER_NODE = 1 / NODES;

/** What all states of a run have in common; bins are numbered region * 9 + bin. */
interface Plan {
  readonly layout: Layout;
  readonly quarantine: number;
  readonly shapes: readonly SlotBinShape[];
  /** Made once, since `locate` answers little else so often. */
  readonly redzones: readonly Location[];
  /** What `locate` reads of the layout, by region: numbers this large are boxes when they are fields of objects. */
  readonly bases: Float64Array;
  readonly sizes: Float64Array;
  /** What a byte is worth when bins are scaled to NODES slots (see `slot-order.ts`). */
  readonly nodesPerByte: Float64Array;
  /** By bin: the bits of a node that tell slots apart, … */
  readonly nodeMasks: Int32Array;
  /** … and the bits of an address that say where in a node, or in a slot that covers several, it is. */
  readonly innerMasks: Int32Array;
  readonly usableLevels: Int32Array;
}

/** A bin that nothing was allocated in is undefined. The large-object bin of each region is in `large`. */
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

  private constructor(plan: Plan, bins: Bins) {
    this.#plan = plan;
    this.#bins = bins;
  }

  /** The allocator of the first state. Each bin's quarantine holds `quarantine` places: 0, k, or UNLIMITED. */
  static create(layout: Layout, quarantine: number): Kdalloc {
    assert(quarantine >= 0, 'the size of a quarantine is not negative');
    const bins = layout.flatMap(({ region }) =>
      Array.from({ length: BINS_PER_REGION }, (_, bin) => ({ region, bin })),
    );
    const shapes = bins.map(({ region, bin }) =>
      slotBinShape(layout[region]!, Math.min(bin, LARGE_BIN - 1), quarantine),
    );
    const plan: Plan = {
      layout,
      quarantine,
      shapes,
      redzones: bins.map(({ region, bin }) => ({ kind: 'redzone', region, bin })),
      bases: Float64Array.from(layout, ({ base }) => base),
      sizes: Float64Array.from(layout, ({ size }) => size),
      nodesPerByte: Float64Array.from(layout, ({ binSize }) => NODES / binSize),
      nodeMasks: Int32Array.from(shapes, ({ levels }) => NODES - Math.max(1, NODES / 2 ** levels)),
      innerMasks: Int32Array.from(
        shapes,
        ({ slotSize, levels }) => slotSize * Math.max(1, 2 ** levels / NODES) - 1,
      ),
      usableLevels: Int32Array.from(shapes, ({ levels }) => usableLevels(levels)),
    };
    return new Kdalloc(plan, {
      owner: {},
      slots: bins.map(() => undefined),
      large: layout.map(() => undefined),
    });
  }

  fork(): Kdalloc {
    this.#owner = undefined;
    return new Kdalloc(this.#plan, this.#bins);
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
    if (region < 0) return outside;
    const plan = this.#plan;
    const offset = address - plan.bases[region]!;
    const nodes = offset * plan.nodesPerByte[region]!;
    const bin = (nodes * BINS_PER_NODE) | 0;
    if (bin >= LARGE_BIN) return this.#locateLarge(plan.layout[region]!, address);
    const number = region * BINS_PER_REGION + bin;
    const slot = indexOfNode(nodes & plan.nodeMasks[number]!, plan.usableLevels[number]!);
    const owner = slot < 0 ? undefined : this.#bins.slots[number];
    const size = owner === undefined ? FRESH : owner.table.get(slot);
    if (size === FRESH) return plan.redzones[number]!;
    const shape = plan.shapes[number]!;
    const inSlot = offset & plan.innerMasks[number]!;
    if (inSlot >= shape.slotSize) return plan.redzones[number]!;
    if (size === FREED) {
      return { kind: 'freed', region: shape.region, bin, slot, base: address - inSlot, size: shape.slotSize };
    }
    if (inSlot >= size && inSlot > 0) return plan.redzones[number]!;
    return new LiveSlot(shape, slot, size);
  }

  placeAt(address: number): number {
    const region = this.#regionOf(address);
    if (region < 0) return -1;
    const plan = this.#plan;
    const offset = address - plan.bases[region]!;
    const nodes = offset * plan.nodesPerByte[region]!;
    const bin = (nodes * BINS_PER_NODE) | 0;
    const number = region * BINS_PER_REGION + Math.min(bin, LARGE_BIN);
    let slot: number;
    if (bin >= LARGE_BIN) {
      const block = Math.floor((address - plan.layout[region]!.largeBase) / BLOCK_SIZE);
      slot = this.#bins.large[region]?.find(block)?.firstBlock ?? -1;
    } else {
      slot = indexOfNode(nodes & plan.nodeMasks[number]!, plan.usableLevels[number]!);
      if ((offset & plan.innerMasks[number]!) >= plan.shapes[number]!.slotSize) return -1;
    }
    return slot < 0 ? -1 : number * PLACE_SLOTS + slot;
  }

  addressAt(place: number): number {
    const number = (place / PLACE_SLOTS) | 0;
    const slot = place >>> 0;
    const bin = number % BINS_PER_REGION;
    if (bin < LARGE_BIN) return slotAddress(this.#plan.shapes[number]!, slot);
    return this.#plan.layout[(number / BINS_PER_REGION) | 0]!.largeBase + slot * BLOCK_SIZE;
  }

  take(region: Region, size: number, alignment: number): number {
    const extent = size > alignment ? size : alignment;
    if (extent > LARGEST_SLOT || !isValidRequest(size, alignment))
      return placeOf(this.allocate(region, size, alignment));
    const number = region * BINS_PER_REGION + binOfSize[extent]!;
    const slot = this.#writableSlotBin(number).allocate(size);
    return slot < 0 ? -1 : number * PLACE_SLOTS + slot;
  }

  release(place: number): void {
    const number = (place / PLACE_SLOTS) | 0;
    const slot = place >>> 0;
    if (number % BINS_PER_REGION < LARGE_BIN) this.#writableSlotBin(number).deallocate(slot);
    else this.#writableLargeBin(((number / BINS_PER_REGION) | 0) as Region).deallocate(slot);
  }

  /** The address of a place; the inverse of what `locate` says about it. */
  addressOf({ region, bin, slot }: Place): number {
    if (bin === LARGE_BIN) return this.#plan.layout[region]!.largeBase + slot * BLOCK_SIZE;
    return slotAddress(this.#plan.shapes[region * BINS_PER_REGION + bin]!, slot);
  }

  *objects(region: Region): IterableIterator<LiveObject> {
    for (let bin = 0; bin < LARGE_BIN; bin++) {
      for (const [slot, size] of this.#bins.slots[region * BINS_PER_REGION + bin]?.live() ?? []) {
        yield { region, bin, slot, base: this.addressOf({ region, bin, slot }), size };
      }
    }
    for (const { firstBlock: slot, size } of this.#bins.large[region]?.live() ?? []) {
      yield { region, bin: LARGE_BIN, slot, base: this.addressOf({ region, bin: LARGE_BIN, slot }), size };
    }
  }

  /** The region of an address, or -1. The heap first: most questions are about it, then the stack. */
  #regionOf(address: number): number {
    const { bases, sizes } = this.#plan;
    for (let region = bases.length - 1; region >= 0; region--) {
      const offset = address - bases[region]!;
      if (offset >= 0 && offset < sizes[region]!) return region;
    }
    return -1;
  }

  #locateLarge({ region, largeBase }: RegionLayout, address: number): Location {
    const redzone = this.#plan.redzones[region * BINS_PER_REGION + LARGE_BIN]!;
    const object = this.#bins.large[region]?.find(Math.floor((address - largeBase) / BLOCK_SIZE));
    if (object === undefined) return redzone;
    const { firstBlock: slot, blocks, size, freed } = object;
    const base = largeBase + slot * BLOCK_SIZE;
    if (freed) return { kind: 'freed', region, bin: LARGE_BIN, slot, base, size: blocks * BLOCK_SIZE };
    if (address >= base + size && address > base) return redzone;
    return { kind: 'object', region, bin: LARGE_BIN, slot, base, size };
  }

  #allocateLarge(region: Region, size: number, alignment: number): Allocation {
    const layout = this.#plan.layout[region]!;
    if (Math.ceil(size / BLOCK_SIZE) + 2 > layout.largeBlocks) return tooLarge;
    if (alignment > layout.size) return tooLarge;
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
    const { owner, slots } = this.#writableBins();
    let bin = slots[number];
    if (bin === undefined || bin.owner !== owner) {
      bin = new SlotBin(owner, this.#plan.shapes[number]!, bin);
      slots[number] = bin;
    }
    return bin;
  }

  #writableLargeBin(region: Region): LargeBin {
    const { owner, large } = this.#writableBins();
    let bin = large[region];
    if (bin === undefined || bin.owner !== owner) {
      bin = new LargeBin(owner, this.#plan.layout[region]!, this.#plan.quarantine, bin);
      large[region] = bin;
    }
    return bin;
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    const { slots, large } = this.#bins;
    for (const bin of [...slots, ...large]) bin?.check(level);
    if (level < 3) return;
    for (const { region } of this.#plan.layout) {
      let end = 0;
      for (const object of [...this.objects(region)].sort((a, b) => a.base - b.base)) {
        assert(object.base > end, 'objects do not touch each other');
        end = object.base + object.size;
        const location = this.locate(object.base);
        assert(location.kind === 'object' && location.base === object.base, 'locate finds the live objects');
        assert(this.addressOf(location) === object.base, 'addressOf is the inverse of locate');
        const place = (region * BINS_PER_REGION + object.bin) * PLACE_SLOTS + object.slot;
        assert(this.placeAt(object.base) === place, 'placeAt says what locate says');
        assert(this.addressAt(place) === object.base, 'addressAt is the inverse of placeAt');
      }
    }
  }
}
