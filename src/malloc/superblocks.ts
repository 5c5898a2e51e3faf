/**
 * The part of elfpa that takes no lock: blocks of up to 2 KiB in superblocks, after Maged Michael
 * (PLDI 2004). `elfpa.ts` has the picture and what the words mean.
 *
 * Everything that workers share is in words behind interfaces (`SuperblockWords`), and every access
 * is one step. So this source runs as it is in two ways: on shared buffers, and under a scheduler
 * that tries all interleavings.
 *
 *     anchor      │ tag: 32 │ state: 2 │ count: 9 │ available: 9 │      in a word of 64 bits
 *     active      │ descriptor │ credits: 6 │                          of each class in each processor heap
 *
 * **Which access relies on which.** A worker that pops a block has read its link before; the tag in
 * the anchor shows whether a block was popped since, and a push has written the link
 * before. `base`, `class` and the number of blocks of a descriptor are written before its
 * superblock becomes active, and do not change while one of its blocks is in use. The bit of a
 * block is set after it was popped and cleared before it is pushed.
 *
 * **Invariants** (`check`, while no call is in progress)
 *   - count + credits + blocks in use = all blocks of the superblock; the free list is as long as
 *     count + credits.
 *   - A PARTIAL superblock is in the partial list of its class; an ACTIVE one is the active one of
 *     a heap.
 *   - The map knows a unit in the list of unused superblocks as UNUSED, or not at all.
 *   - A descriptor has memory, or is in the list of unused ones, or is EMPTY in a partial list:
 *     none is lost, and none is in two places.
 */
import type { FreeOutcome, Visit } from './malloc.js';
import type { PlainWords, SharedWords, TaggedWords } from './shared-words.js';

export const SUPERBLOCK = 8192;
export const UNIT_SHIFT = 13;
export const LARGEST_SMALL = 2048;
const MAX_CREDITS = 63;
/** Superblocks that are taken from the break at once. */
const HYPERBLOCK = 8;
/**
 * The map's entry of a unit: a descriptor's number doubled, LARGE for a large block, or UNUSED for
 * an empty superblock.
 */
export const UNUSED = 0;
export const LARGE = 1;

/** 16 apart up to 128, then four for each power of two. */
const CLASS_SIZES: Int32Array = Int32Array.from([
  ...[16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256],
  ...[320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048],
]);
/** The lists after those of the classes. */
const UNUSED_DESCRIPTORS = CLASS_SIZES.length;
const UNUSED_SUPERBLOCKS = UNUSED_DESCRIPTORS + 1;
/** The class for a size, by the number of 16-byte units. */
export const CLASS_OF: Uint8Array = Uint8Array.from({ length: LARGEST_SMALL / 16 + 1 }, (_, units) =>
  CLASS_SIZES.findIndex(size => units * 16 <= size),
);

/** Words of a processor heap in `actives`, of which the classes use the first. */
export const ACTIVES_PER_HEAP = 32;

const ACTIVE = 0;
const FULL = 1;
const PARTIAL = 2;
const EMPTY = 3;

/** A descriptor, in words: the numbers of descriptors are counted from 1. Its anchor is apart. */
const BASE = 0;
const CLASS = 1;
const BLOCKS = 2;
const BITS = 8;
export const DESCRIPTOR: number = BITS + 16;
/** Links of a descriptor. */
export const LINKS = 512;

/** A word with a tag: 20 bits below it. */
const TAGGED = 1 << 20;
const tagOf = (word: number): number => Math.floor(word / TAGGED);
const lowOf = (word: number): number => (word - tagOf(word) * TAGGED) | 0;
const tagged = (low: number, tag: number): number => low + (tag >>> 0) * TAGGED;

const availableOf = (anchor: number): number => lowOf(anchor) & 511;
const countOf = (anchor: number): number => (lowOf(anchor) >> 9) & 511;
const stateOf = (anchor: number): number => lowOf(anchor) >> 18;
const anchorOf = (available: number, count: number, state: number, tag: number): number =>
  tagged(available | (count << 9) | (state << 18), tag);

/** Everything that workers share. All of it is 0 at first. */
export interface SuperblockWords {
  /**
   * For each processor heap 32 words, one for each class: the active superblock and its credits.
   */
  readonly actives: SharedWords;
  /** [0]: descriptors ever made. */
  readonly supply: SharedWords;
  readonly descriptors: SharedWords;
  /** For each descriptor 512: of each block the next of the free list. */
  readonly links: PlainWords;
  /** The successor in its list, by descriptor and by unit. */
  readonly nextDescriptor: SharedWords;
  readonly nextUnit: SharedWords;
  /**
   * By descriptor its anchor; then the first of each list, with a tag: partial superblocks by
   * class, unused descriptors, unused superblocks.
   */
  readonly tagged: TaggedWords;
  /**
   * From a unit of 8 KiB to a descriptor's number doubled, to LARGE or UNUSED; -1 if it knows
   * nothing.
   */
  readonly map: { get(unit: number): number; set(unit: number, value: number): void };
}

export interface SuperblockOptions {
  readonly words: SuperblockWords;
  /** How many descriptors there can be. */
  readonly descriptorCount: number;
  /** How many processor heaps there are, and which this worker uses. */
  readonly heapCount: number;
  readonly heap: number;
  /**
   * Extends the memory by this many bytes, at a multiple of 8 KiB; not positive when the break is
   * at its limit.
   */
  readonly sbrk: (bytes: number) => number;
  /** One superblock when the break is at its limit; 0 if there is none. */
  readonly lastResort: () => number;
}

/** The number of tagged words for this many descriptors. */
export function taggedWordCount(descriptorCount: number): number {
  return descriptorCount + 1 + UNUSED_SUPERBLOCKS + 1;
}

export class Superblocks {
  readonly #actives: SharedWords;
  readonly #supply: SharedWords;
  readonly #descriptors: SharedWords;
  readonly #links: PlainWords;
  readonly #nextDescriptor: SharedWords;
  readonly #nextUnit: SharedWords;
  readonly #tagged: TaggedWords;
  readonly #map: SuperblockWords['map'];
  readonly #descriptorCount: number;
  readonly #lists: number;
  readonly #heapCount: number;
  readonly #myActives: number;
  readonly #sbrk: (bytes: number) => number;
  readonly #lastResort: () => number;

  constructor({ words, descriptorCount, heapCount, heap, sbrk, lastResort }: SuperblockOptions) {
    this.#heapCount = heapCount;
    this.#actives = words.actives;
    this.#supply = words.supply;
    this.#descriptors = words.descriptors;
    this.#links = words.links;
    this.#nextDescriptor = words.nextDescriptor;
    this.#nextUnit = words.nextUnit;
    this.#tagged = words.tagged;
    this.#map = words.map;
    this.#descriptorCount = descriptorCount;
    this.#lists = descriptorCount + 1;
    this.#myActives = heap * ACTIVES_PER_HEAP;
    this.#sbrk = sbrk;
    this.#lastResort = lastResort;
  }

  /** Descriptors ever made. */
  get descriptorsMade(): number {
    return this.#supply.load(0);
  }

  /** A block of a class; 0 when memory is exhausted. */
  take(kind: number): number {
    for (;;) {
      const address = this.#fromActive(kind) || this.#fromPartial(kind);
      if (address !== 0) return address;
      const made = this.#fromNew(kind);
      if (made >= 0) return made;
    }
  }

  #fromActive(kind: number): number {
    const at = this.#myActives + kind;
    let active: number;
    do {
      active = this.#actives.load(at);
      if (active === 0) return 0;
      // The last credit closes the superblock to others until it has new ones.
    } while (!this.#actives.replace(at, active, (active & 63) === 0 ? 0 : active - 1));
    const number = active >>> 6;
    const isLast = (active & 63) === 0;
    for (;;) {
      const anchor = this.#tagged.get(number);
      const block = availableOf(anchor);
      const next = this.#links.read(number * LINKS + block);
      let count = countOf(anchor);
      let state = stateOf(anchor);
      let credits = 0;
      if (isLast) {
        credits = Math.min(count, MAX_CREDITS);
        if (credits === 0) state = FULL;
        count -= credits;
      }
      const changed = anchorOf(next & 511, count, state, tagOf(anchor) + 1);
      if (!this.#tagged.replace(number, anchor, changed)) continue;
      if (credits > 0) this.#activate(kind, number, credits);
      return this.#handOut(number, block);
    }
  }

  /**
   * Makes the superblock active with these credits, or gives the credits back if there is another
   * one by now.
   */
  #activate(kind: number, number: number, credits: number): void {
    const active = (number << 6) | (credits - 1);
    if (this.#actives.replace(this.#myActives + kind, 0, active)) return;
    for (;;) {
      const anchor = this.#tagged.get(number);
      const changed = anchorOf(availableOf(anchor), countOf(anchor) + credits, PARTIAL, tagOf(anchor));
      if (this.#tagged.replace(number, anchor, changed)) break;
    }
    this.#pushDescriptor(kind, number);
  }

  #fromPartial(kind: number): number {
    for (let number = this.#popDescriptor(kind); number !== 0; number = this.#popDescriptor(kind)) {
      for (;;) {
        const anchor = this.#tagged.get(number);
        if (stateOf(anchor) === EMPTY) {
          this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
          break;
        }
        const credits = Math.min(countOf(anchor) - 1, MAX_CREDITS);
        const block = availableOf(anchor);
        const next = this.#links.read(number * LINKS + block);
        const state = credits > 0 ? ACTIVE : FULL;
        const changed = anchorOf(next & 511, countOf(anchor) - 1 - credits, state, tagOf(anchor) + 1);
        if (!this.#tagged.replace(number, anchor, changed)) continue;
        if (credits > 0) this.#activate(kind, number, credits);
        return this.#handOut(number, block);
      }
    }
    return 0;
  }

  /**
   * A block of a fresh superblock; 0 when memory is exhausted, -1 when another thread was faster.
   */
  #fromNew(kind: number): number {
    const number =
      this.#popDescriptor(UNUSED_DESCRIPTORS) || this.#newDescriptor() || this.#retiredDescriptor();
    if (number === 0) return 0;
    const base = this.#takeSuperblock();
    if (base === 0) {
      this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
      return 0;
    }
    const at = number * DESCRIPTOR;
    const blocks = Math.floor(SUPERBLOCK / CLASS_SIZES[kind]!);
    this.#descriptors.write(at + BASE, base);
    this.#descriptors.write(at + CLASS, kind);
    this.#descriptors.write(at + BLOCKS, blocks);
    for (let word = 0; word << 5 < blocks; word++) this.#descriptors.write(at + BITS + word, 0);
    for (let block = 0; block < blocks; block++) this.#links.write(number * LINKS + block, block + 1);
    const credits = Math.min(blocks - 1, MAX_CREDITS);
    // No other thread changes the anchor of a descriptor that is in no list.
    const retired = this.#tagged.get(number);
    this.#tagged.replace(number, retired, anchorOf(1, blocks - 1 - credits, ACTIVE, tagOf(retired) + 1));
    this.#map.set(base >>> UNIT_SHIFT, number * 2);
    const active = (number << 6) | (credits - 1);
    if (this.#actives.replace(this.#myActives + kind, 0, active)) return this.#handOut(number, 0);
    this.#giveSuperblock(base);
    this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
    return -1;
  }

  #handOut(number: number, block: number): number {
    const at = number * DESCRIPTOR;
    this.#descriptors.setBits(at + BITS + (block >> 5), 1 << (block & 31));
    return this.#descriptors.read(at + BASE) + block * CLASS_SIZES[this.#descriptors.read(at + CLASS)]!;
  }

  /** Takes back a block of the superblock with that descriptor. */
  give(address: number, number: number): FreeOutcome {
    const at = number * DESCRIPTOR;
    const block = this.#blockAt(address, number);
    if (block < 0) return 'invalid-free';
    const bit = 1 << (block & 31);
    // Of two threads that free the same block, one finds the bit set.
    if ((this.#descriptors.clearBits(at + BITS + (block >> 5), bit) & bit) === 0) return 'double-free';
    const last = this.#descriptors.read(at + BLOCKS) - 1;
    const base = this.#descriptors.read(at + BASE);
    for (;;) {
      const anchor = this.#tagged.get(number);
      const state = stateOf(anchor);
      const isEmpty = countOf(anchor) === last;
      this.#links.write(number * LINKS + block, availableOf(anchor));
      const changed = isEmpty
        ? anchorOf(block, last, EMPTY, tagOf(anchor))
        : anchorOf(block, countOf(anchor) + 1, state === FULL ? PARTIAL : state, tagOf(anchor));
      if (!this.#tagged.replace(number, anchor, changed)) continue;
      if (isEmpty) this.#giveSuperblock(base);
      else if (state === FULL) this.#pushDescriptor(this.#descriptors.read(at + CLASS), number);
      return 'ok';
    }
  }

  /** Which block of the superblock begins there; -1 if none does. */
  #blockAt(address: number, number: number): number {
    const at = number * DESCRIPTOR;
    const offset = address - this.#descriptors.read(at + BASE);
    const size = CLASS_SIZES[this.#descriptors.read(at + CLASS)]!;
    const block = (offset / size) | 0;
    return block * size === offset && block < this.#descriptors.read(at + BLOCKS) ? block : -1;
  }

  #isTaken(number: number, block: number): boolean {
    return ((this.#descriptors.read(number * DESCRIPTOR + BITS + (block >> 5)) >> (block & 31)) & 1) !== 0;
  }

  // ----------------------------------------------------------------------------------------- lists

  /** Treiber's stack: the first number in the lower 20 bits, a tag above. */
  #push(list: number, next: SharedWords, number: number): void {
    for (;;) {
      const head = this.#tagged.get(this.#lists + list);
      next.store(number, lowOf(head));
      if (this.#tagged.replace(this.#lists + list, head, tagged(number, tagOf(head) + 1))) return;
    }
  }

  #pop(list: number, next: SharedWords): number {
    for (;;) {
      const head = this.#tagged.get(this.#lists + list);
      const number = lowOf(head);
      if (number === 0) return 0;
      const second = next.load(number);
      if (this.#tagged.replace(this.#lists + list, head, tagged(second, tagOf(head) + 1))) return number;
    }
  }

  /** The numbers in a list, while no call is in progress. */
  *#listed(list: number, next: SharedWords): Generator<number> {
    for (let number = lowOf(this.#tagged.get(this.#lists + list)); number !== 0; number = next.read(number))
      yield number;
  }

  #pushDescriptor(list: number, number: number): void {
    this.#push(list, this.#nextDescriptor, number);
  }

  #popDescriptor(list: number): number {
    return this.#pop(list, this.#nextDescriptor);
  }

  #newDescriptor(): number {
    const number = this.#supply.add(0, 1) + 1;
    if (number <= this.#descriptorCount) return number;
    this.#supply.add(0, -1);
    return 0;
  }

  /**
   * When no descriptor is left: those of superblocks that became empty in the partial list of a
   * class, where they wait to be taken off. A worker that looks into that list meanwhile misses
   * what is partial, and may find memory exhausted though one of these blocks is free.
   */
  #retiredDescriptor(): number {
    for (let kind = 0; kind < CLASS_SIZES.length; kind++) {
      const partial: number[] = [];
      for (let number = this.#popDescriptor(kind); number !== 0; number = this.#popDescriptor(kind))
        if (stateOf(this.#tagged.get(number)) === EMPTY) this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
        else partial.push(number);
      for (const number of partial) this.#pushDescriptor(kind, number);
    }
    return this.#popDescriptor(UNUSED_DESCRIPTORS);
  }

  // ---------------------------------------------------------------------- memory for superblocks

  /**
   * Takes an unused superblock out of service and returns its unit; 0 if there is none.
   */
  popUnusedUnit(): number {
    return this.#pop(UNUSED_SUPERBLOCKS, this.#nextUnit);
  }

  /** The address of 8 KiB, or 0. */
  #takeSuperblock(): number {
    const unit = this.popUnusedUnit();
    if (unit !== 0) return unit * SUPERBLOCK;
    const several = this.#sbrk(HYPERBLOCK * SUPERBLOCK);
    if (several > 0) {
      for (let i = HYPERBLOCK - 1; i > 0; i--)
        this.#push(UNUSED_SUPERBLOCKS, this.#nextUnit, (several >>> UNIT_SHIFT) + i);
      return several;
    }
    const one = this.#sbrk(SUPERBLOCK);
    return one > 0 ? one : this.#lastResort();
  }

  /** The map keeps its entry, so that a second free of its blocks is detected. */
  #giveSuperblock(base: number): void {
    const unit = base >>> UNIT_SHIFT;
    this.#map.set(unit, UNUSED);
    this.#push(UNUSED_SUPERBLOCKS, this.#nextUnit, unit);
  }

  // -------------------------------------------------------------------------------- looking

  /** The bytes of a block; 0 if the address is not that of one in use. */
  usableSize(address: number, number: number): number {
    const block = this.#blockAt(address, number);
    if (block < 0 || !this.#isTaken(number, block)) return 0;
    return CLASS_SIZES[this.#descriptors.read(number * DESCRIPTOR + CLASS)]!;
  }

  walk(visit: Visit): void {
    for (const number of this.#superblocks()) this.#walkSuperblock(number, visit);
    for (const unit of this.#listed(UNUSED_SUPERBLOCKS, this.#nextUnit))
      visit('free', unit * SUPERBLOCK, SUPERBLOCK);
  }

  /** The descriptors that have memory. */
  *#superblocks(): Generator<number> {
    for (let number = 1; number <= this.descriptorsMade; number++) {
      const base = this.#descriptors.read(number * DESCRIPTOR + BASE);
      if (this.#map.get(base >>> UNIT_SHIFT) === number * 2) yield number;
    }
  }

  #walkSuperblock(number: number, visit: Visit): void {
    const at = number * DESCRIPTOR;
    const base = this.#descriptors.read(at + BASE);
    const size = CLASS_SIZES[this.#descriptors.read(at + CLASS)]!;
    for (let block = 0; block < this.#descriptors.read(at + BLOCKS); block++)
      visit(this.#isTaken(number, block) ? 'client' : 'free', base + block * size, size);
  }

  check(): string | undefined {
    const credits = new Map<number, number>();
    for (let at = 0; at < this.#heapCount * ACTIVES_PER_HEAP; at++) {
      const active = this.#actives.read(at);
      if (active !== 0) credits.set(active >>> 6, (active & 63) + 1);
    }
    const listed = this.#checkLists();
    if (typeof listed === 'string') return listed;
    const withMemory = new Set(this.#superblocks());
    for (const number of withMemory) {
      const problem = this.#checkSuperblock(number, credits.get(number) ?? 0, listed.has(number));
      if (problem !== undefined) return problem;
    }
    for (let number = 1; number <= this.descriptorsMade; number++)
      if (!withMemory.has(number) && !listed.has(number)) return `descriptor ${number} is lost`;
    const units = new Set<number>();
    for (const unit of this.#listed(UNUSED_SUPERBLOCKS, this.#nextUnit)) {
      if (units.has(unit)) return `unit ${unit} is unused twice`;
      if (this.#map.get(unit) > UNUSED) return `unit ${unit} is unused and the map does not know`;
      units.add(unit);
    }
    return undefined;
  }

  /** The descriptors in lists: partial, or without memory. */
  #checkLists(): ReadonlySet<number> | string {
    const listed = new Set<number>();
    for (let list = 0; list <= UNUSED_DESCRIPTORS; list++)
      for (const number of this.#listed(list, this.#nextDescriptor)) {
        const state = stateOf(this.#tagged.get(number));
        if (listed.has(number)) return `superblock ${number} is in a list twice`;
        if (list !== UNUSED_DESCRIPTORS && state !== PARTIAL && state !== EMPTY)
          return `superblock ${number} is in a list and not partial`;
        listed.add(number);
      }
    return listed;
  }

  #checkSuperblock(number: number, credits: number, isListed: boolean): string | undefined {
    const at = number * DESCRIPTOR;
    const anchor = this.#tagged.get(number);
    const blocks = this.#descriptors.read(at + BLOCKS);
    let taken = 0;
    for (let block = 0; block < blocks; block++) if (this.#isTaken(number, block)) taken++;
    if (countOf(anchor) + credits + taken !== blocks) return `superblock ${number} has lost blocks`;
    if (credits > 0 !== (stateOf(anchor) === ACTIVE))
      return `superblock ${number} is active and has no credits, or the reverse`;
    if (isListed !== (stateOf(anchor) === PARTIAL))
      return `superblock ${number} is partial and in no list, or the reverse`;
    let block = availableOf(anchor);
    for (let i = 0; i < blocks - taken; i++) {
      if (this.#isTaken(number, block))
        return `block ${block} of superblock ${number} is in use and in the free list`;
      block = this.#links.read(number * LINKS + block);
    }
    return undefined;
  }
}
