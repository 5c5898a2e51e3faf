/**
 * The slot allocator: one per-size bin of one region, with its quarantine.
 *
 * The usable slot with the lowest index is used next; `slot-order.ts` turns
 * indices into addresses that are far apart. A freed slot waits in the quarantine before it may be
 * used again:
 *
 *   quarantine 0            a freed slot is fresh at once: the same path reuses the same address
 *   quarantine k            the k slots freed last wait, first in first out
 *   quarantine Infinity     all wait while a slot is fresh; then the one that has waited longest is reused
 *
 * In the last case a freed slot becomes *old* at once (see `slot-table.ts`), and a queue remembers
 * the order of the 4,096 youngest. When the bin is full for the first time, it begins to *recycle*:
 * the slots in the queue are pinned, old slots are reused, lowest index first, and when there are
 * none those of the queue, oldest first. So memory is bounded by what is live, and what is reused
 * was freed before the 4,096 youngest, or is the very oldest.
 *
 * Why a queue per bin: frees of one size must not move the addresses of another (stability).
 *
 * Invariants: used = live + quarantined <= usable slots; queue <= its bound; pinned = live + queue,
 * or just live in an unlimited quarantine that does not recycle yet.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from '../support/owner.js';
import type { Location, Region } from './allocator.js';
import { areQueuesAlike, Quarantine, UNLIMITED } from './quarantine.js';
import { type RegionLayout, SLOT_SIZES } from './region-layout.js';
import { indexOf, indexOfNode, NODES, positionOf, usableLevels, usableSlots } from './slot-order.js';
import { type CodeBits, codeBitsFor, FREED, FRESH, type LiveVisitor, SlotTable } from './slot-table.js';

/** With an unlimited quarantine, how many freed slots keep their order. */
const ORDERED_YOUNGEST = 4096;

/** The fixed facts of a bin, shared by all states. */
export interface SlotBinShape {
  readonly region: Region;
  readonly bin: number;
  readonly base: number;
  readonly slotSize: number;
  /** The bin has 2^levels slots. */
  readonly levels: number;
  readonly usable: number;
  readonly usableLevels: number;
  /** The bits of a node (see `slot-order.ts`) that distinguish slots, … */
  readonly nodeMask: number;
  /**
   * … and the bits of an address that say where in a node, or in a slot that covers several, it is.
   */
  readonly innerMask: number;
  readonly codeBits: CodeBits;
  /** Made once, because `locate` often returns it. */
  readonly redzone: Location;
  /** How many freed slots wait: 0, k, or Infinity. */
  readonly quarantine: number;
  /** How many of them keep their order. */
  readonly queueBound: number;
}

export function slotBinShape(layout: RegionLayout, bin: number, quarantine: number): SlotBinShape {
  const slotSize = SLOT_SIZES[bin]!;
  const levels = Math.log2(layout.binSize / slotSize);
  return {
    region: layout.region,
    bin,
    base: layout.base + bin * layout.binSize,
    slotSize,
    levels,
    usable: usableSlots(levels),
    usableLevels: usableLevels(levels),
    // `| 0` makes them small integers for the engine, too.
    nodeMask: (NODES - Math.max(1, NODES / 2 ** levels)) | 0,
    innerMask: (slotSize * Math.max(1, 2 ** levels / NODES) - 1) | 0,
    codeBits: codeBitsFor(slotSize),
    redzone: { kind: 'redzone', region: layout.region, bin },
    quarantine,
    queueBound: quarantine === UNLIMITED ? ORDERED_YOUNGEST : quarantine,
  };
}

export function slotAddress(shape: SlotBinShape, slot: number): number {
  return shape.base + positionOf(slot, shape.levels) * shape.slotSize;
}

/**
 * The slot that a node falls into, used or not, or -1. Of `nodes` only the bits of the node count.
 */
export function slotOfNode(shape: SlotBinShape, nodes: number): number {
  return indexOfNode(nodes & shape.nodeMask, shape.usableLevels);
}

/**
 * The result of `locate` for a live slot. A million results a second are garbage at once, and pass
 * through the cache that holds the table: so a result is three words, and the rest is computed from
 * the shape on demand.
 */
class LiveSlot {
  readonly #shape: SlotBinShape;

  constructor(
    shape: SlotBinShape,
    readonly slot: number,
    readonly size: number,
  ) {
    this.#shape = shape;
  }

  get kind(): 'object' {
    return 'object';
  }

  get region(): Region {
    return this.#shape.region;
  }

  get bin(): number {
    return this.#shape.bin;
  }

  get base(): number {
    return slotAddress(this.#shape, this.slot);
  }
}

export class SlotBin {
  readonly owner: Owner;
  readonly #shape: SlotBinShape;
  readonly #table: SlotTable;
  /** Freed slots in the order of their deallocation; made when the first one comes. */
  #queue: Quarantine | undefined;
  #used = 0;
  #live = 0;
  /** Whether the bin was full and an unlimited quarantine gives its slots back. */
  #recycles = false;

  /** An empty bin, or one that begins as a copy of `other` and shares its pages. */
  constructor(owner: Owner, shape: SlotBinShape, other?: SlotBin) {
    this.owner = owner;
    this.#shape = shape;
    this.#table = new SlotTable(owner, shape.codeBits, other === undefined ? undefined : other.#table);
    if (other === undefined) return;
    this.#queue = other.#queue && new Quarantine(other.#queue);
    this.#used = other.#used;
    this.#live = other.#live;
    this.#recycles = other.#recycles;
  }

  /**
   * What is at an address of the bin, given its offset in the region and its node; only the low
   * bits of both count.
   */
  locate(address: number, offset: number, nodes: number): Location {
    const shape = this.#shape;
    const slot = slotOfNode(shape, nodes);
    if (slot < 0) return shape.redzone;
    const size = this.#table.get(slot);
    const inSlot = offset & shape.innerMask;
    if (inSlot < size) return new LiveSlot(shape, slot, size);
    // What follows is rare: no object, or one without bytes.
    if (size === FRESH || inSlot >= shape.slotSize) return shape.redzone;
    const { region, bin, slotSize } = shape;
    if (size === FREED) return { kind: 'freed', region, bin, slot, base: address - inSlot, size: slotSize };
    return inSlot > 0 ? shape.redzone : new LiveSlot(shape, slot, size);
  }

  /** Whether both bins, of one shape, have the same contents. */
  isLike(other: SlotBin): boolean {
    return (
      this.#used === other.#used &&
      this.#live === other.#live &&
      this.#recycles === other.#recycles &&
      areQueuesAlike(this.#queue, other.#queue) &&
      this.#table.isLike(other.#table)
    );
  }

  /** Makes a slot live and returns its index, or -1 if there is none left. */
  allocate(size: number): number {
    if (this.#used < this.#shape.usable) {
      this.#used++;
      this.#live++;
      return this.#table.takeFresh(size);
    }
    if (!this.#makeOldSlot()) return -1;
    this.#live++;
    return this.#table.takeOld(size);
  }

  /** Requires that the slot is live. */
  deallocate(slot: number): void {
    const { quarantine, queueBound } = this.#shape;
    this.#live--;
    if (quarantine === 0) {
      this.#table.release(slot);
      this.#used--;
      return;
    }
    if (this.#pinsQueue()) this.#table.retire(slot);
    else this.#table.unpin(slot);
    this.#queue ??= new Quarantine();
    this.#queue.push(slot);
    if (this.#queue.length <= queueBound) return;
    const oldest = this.#queue.shift();
    if (this.#recycles) {
      this.#table.unpin(oldest);
    } else if (quarantine !== UNLIMITED) {
      this.#table.release(oldest);
      this.#used--;
    }
  }

  forEachLive(visit: LiveVisitor): void {
    if (this.#live > 0) this.#table.forEachLive(visit);
  }

  #pinsQueue(): boolean {
    return this.#recycles || this.#shape.quarantine !== UNLIMITED;
  }

  /**
   * In a full bin: whether there is an old slot, or an entry of an unlimited quarantine to make one
   * of.
   */
  #makeOldSlot(): boolean {
    if (this.#shape.quarantine !== UNLIMITED || this.#queue === undefined) return false;
    if (!this.#recycles) {
      this.#recycles = true;
      for (const slot of this.#queue.values()) this.#table.pin(slot);
    }
    if (this.#used > this.#live + this.#queue.length) return true;
    if (this.#queue.length === 0) return false;
    this.#table.unpin(this.#queue.shift());
    return true;
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    const { usable, quarantine, queueBound, levels } = this.#shape;
    const queued = this.#queue?.length ?? 0;
    assert(this.#live + queued <= this.#used && this.#used <= usable, 'live + queued <= used <= usable');
    assert(queued <= queueBound, 'the quarantine holds no more than it may');
    if (quarantine !== UNLIMITED) {
      assert(this.#used === this.#live + queued, 'only an unlimited quarantine has old slots');
    }
    this.#queue?.check(level);
    const pinned = this.#pinsQueue() ? this.#live + queued : this.#live;
    this.#table.check(level, { used: this.#used, pinned, live: this.#live });
    if (level < 3) return;
    for (const slot of this.#queue?.values() ?? []) {
      assert(this.#table.get(slot) === FREED, 'what is in the queue is freed');
    }
    this.#table.forEachLive(slot =>
      assert(
        slot < usable && indexOf(positionOf(slot, levels), levels) === slot,
        'live slots are usable ones',
      ),
    );
    assert(this.#table.get(usable) === FRESH, 'no slot beyond the usable ones was touched');
  }
}
