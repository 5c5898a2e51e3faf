/**
 * elfpa: Maged Michael's lock-free malloc (PLDI 2004), with its metadata apart, as the report's prototype of that name.
 *
 * Blocks of one size class are carved from *superblocks* of 8 KiB. Everything that changes about a superblock is in one word of its
 * *descriptor*, the anchor, so each step is one compare-and-swap, and no thread ever waits for another:
 *
 *     program's memory   ▐ superblock: 8 KiB of blocks of one size ▌▐ superblock ▌ …
 *     ─────────────────────────────────────────────────────────────────────────────
 *     anchor      │ tag: 32 │ state: 2 │ count: 9 │ available: 9 │      in a word of 64 bits
 *                 available  the first block of the free list        count  free blocks that nobody has reserved
 *                 state      ACTIVE, FULL, PARTIAL, EMPTY            tag    changes with each block taken, against ABA
 *     links       for each block the next of the free list: in the block itself in Michael's paper, apart here
 *     bits        for each block whether a program has it: so a double free is seen
 *     active      for each class and each processor heap: │ descriptor │ credits: 6 │
 *
 * A malloc first takes a *credit* of the active superblock, which reserves a block, then pops one. Without credits it takes a superblock from
 * the list of partial ones, or a new one. A free pushes the block; the first free in a FULL superblock puts it on the partial list; the
 * last makes it EMPTY, and its memory goes to the list of unused superblocks. Its descriptor is retired when it comes off its list.
 *
 * Memory for superblocks comes from that list, or eight at a time from the break, which moves by compare-and-swap. An address leads to its descriptor
 * by a map without locks, one entry for each 8 KiB.
 *
 * **Where a lock remains.** Blocks of more than 2 KiB have units of 8 KiB of their own from a `ChunkHeap`, which has one, where the paper calls mmap (and the
 * kernel takes one). Small blocks come there only when the break is at its limit: then superblocks are made of what large blocks left, and the reverse
 * (`#reclaim`).
 *
 * The words that need tags are numbers of 52 bits, in the memory of that map, where 64 bits can be compared and swapped (`AtomicWords`).
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 16 bytes; above 2 KiB, multiples of 8 KiB; the largest just under 1 GiB
 *   Overhead       none in line but for rounding: up to 15 bytes, a fifth of a block above 128 bytes; apart some 1.1 KiB for each superblock
 *   Threads        any number; none waits for another, except as said above
 *   Notices        a free of anything but a live block; double frees by their name, if the memory has not become part of a large block since
 *
 * Invariants (`check`, while no call is in progress)
 *   - count + credits + blocks in use = all blocks of the superblock; the free list is as long as count + credits.
 *   - A PARTIAL superblock is in the partial list of its class; an ACTIVE one is the active one of a heap.
 *   - The map knows a unit in the list of unused superblocks as UNUSED, or not at all.
 */
import type { AtomicWords } from '../hashtable/index.js';
import type { LinearMemory } from './linear-memory.js';
import { acquire, release } from './lock.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, isPowerOfTwo, type Visit } from './malloc.js';
import type { ArenaMap } from './separate/arena-map.js';
import { layOutArenas } from './separate/arenas.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { ADDRESS, IN_USE, INDEXED, type Records, SIZE, STATE } from './separate/records.js';
import type { Arena } from './separate/separate-malloc.js';

const SUPERBLOCK = 8192;
const UNIT_SHIFT = 13;
const LARGEST_SMALL = 2048;
const MAX_CREDITS = 63;
/** Superblocks that are taken from the break at once. */
const HYPERBLOCK = 8;
/** What the map says of a unit: a descriptor's number doubled, LARGE for a block of its own, or UNUSED for a superblock that is empty again. */
const UNUSED = 0;
const LARGE = 1;

/** 16 apart up to 128, then four for each power of two. */
const CLASS_SIZES: Int32Array = Int32Array.from([
  ...[16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256],
  ...[320, 384, 448, 512, 640, 768, 896, 1024, 1280, 1536, 1792, 2048],
]);
/** The lists after those of the classes. */
const UNUSED_DESCRIPTORS = CLASS_SIZES.length;
const UNUSED_SUPERBLOCKS = UNUSED_DESCRIPTORS + 1;
/** The class for a size, by the number of 16-byte units. */
const CLASS_OF: Uint8Array = Uint8Array.from({ length: LARGEST_SMALL / 16 + 1 }, (_, units) =>
  CLASS_SIZES.findIndex(size => units * 16 <= size),
);

const ACTIVE = 0;
const FULL = 1;
const PARTIAL = 2;
const EMPTY = 3;

/** A descriptor, in words: the numbers of descriptors are counted from 1. Its anchor is apart. */
const BASE = 0;
const CLASS = 1;
const BLOCKS = 2;
const BITS = 8;
const DESCRIPTOR = BITS + 16;

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

export interface ElfpaOptions {
  /** Processor heaps: each has an active superblock of each class. */
  readonly heaps: number;
  readonly worker?: number;
  readonly map: ArenaMap;
}

export class Elfpa extends CommonMalloc {
  readonly #map: ArenaMap;
  readonly #descriptors: Int32Array;
  readonly #links: Uint16Array;
  /** [heap][class]: the active superblock and its credits. */
  readonly #actives: Int32Array;
  readonly #myActives: number;
  /** By descriptor; and from `#lists` on the first of each list with a tag: partial superblocks by class, unused descriptors, unused superblocks. */
  readonly #words: AtomicWords;
  readonly #lists: number;
  /** What follows in its list, by descriptor and by unit. */
  readonly #nextDescriptor: Int32Array;
  readonly #nextUnit: Int32Array;
  /** [0]: descriptors ever made. [1]: where the words are. */
  readonly #supply: Int32Array;
  readonly #records: Records;
  readonly #runs: Arena;
  readonly #isShared: boolean;

  constructor(memory: LinearMemory, space: MetadataSpace, { heaps, worker = 0, map }: ElfpaOptions) {
    super(memory);
    this.#map = map;
    this.#isShared = heaps > 1;
    this.#actives = space.carve(heaps * 32);
    this.#myActives = (worker % heaps) * 32;
    this.#supply = space.carve(8);
    this.#nextUnit = space.carve(Math.ceil(memory.limit / SUPERBLOCK));
    const wanted = Math.ceil((memory.limit - memory.start) / SUPERBLOCK) + 1;
    const descriptors = Math.min(wanted, Math.floor((space.freeWords * 0.8) / (DESCRIPTOR + 256)));
    this.#descriptors = space.carve((descriptors + 1) * DESCRIPTOR);
    this.#nextDescriptor = space.carve(descriptors + 1);
    this.#lists = descriptors + 1;
    // The first worker makes them, before the others attach.
    this.#supply[1] ||= map.allocateWords(this.#lists + UNUSED_SUPERBLOCKS + 1);
    this.#words = map.wordsAt(this.#supply[1]!);
    const links = space.carve((descriptors + 1) * 256);
    this.#links = new Uint16Array(links.buffer, links.byteOffset, links.length * 2);
    const { records, arenas } = layOutArenas(memory, space, { count: 1, unit: SUPERBLOCK });
    this.#records = records;
    this.#runs = arenas[0]!;
  }

  get bytesApart(): number {
    const made = Atomics.load(this.#supply, 0);
    return (
      made * (DESCRIPTOR * 4 + 8 + 4 + 4 + 1024) +
      this.#records.bytesUsed +
      this.#runs.index.bytesUsed +
      this.#map.bytesUsed
    );
  }

  malloc(bytes: number): number {
    this.problem = undefined;
    return bytes <= LARGEST_SMALL ? this.#takeSmall(CLASS_OF[(bytes + 15) >> 4]!) : this.#takeLarge(bytes, 0);
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    if (!isPowerOfTwo(alignment)) return 0;
    if (alignment <= ALIGNMENT) return this.malloc(bytes);
    // Superblocks begin at multiples of 8 KiB, so a power of two is aligned to itself.
    const power = bytes <= alignment ? alignment : 2 ** (32 - Math.clz32(bytes - 1));
    if (power <= LARGEST_SMALL) return this.#takeSmall(CLASS_OF[power >> 4]!);
    return this.#takeLarge(bytes, alignment <= SUPERBLOCK ? 0 : alignment);
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const entry = this.#map.get(address >>> UNIT_SHIFT);
    if (entry < 0) return this.refuse(this.#wasLarge(address) ? 'double-free' : 'invalid-free');
    // Which blocks an unused superblock had is not known any more.
    if (entry === UNUSED) return this.refuse(address % ALIGNMENT === 0 ? 'double-free' : 'invalid-free');
    return entry === LARGE ? this.#giveLarge(address) : this.#giveSmall(address, entry >> 1);
  }

  usableSize(address: number): number {
    const entry = this.#map.get(address >>> UNIT_SHIFT);
    if (address === 0 || entry < 0 || entry === UNUSED) return 0;
    if (entry === LARGE) {
      const run = this.#largeRun(address);
      return run === 0 ? 0 : this.#records.words[run + SIZE]!;
    }
    const block = this.#blockAt(address, entry >> 1);
    return block >= 0 && this.#isTaken(entry >> 1, block)
      ? CLASS_SIZES[this.#descriptors[(entry >> 1) * DESCRIPTOR + CLASS]!]!
      : 0;
  }

  // -------------------------------------------------------------------------------- small blocks

  #takeSmall(kind: number): number {
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
      active = Atomics.load(this.#actives, at);
      if (active === 0) return 0;
      // The last credit closes the superblock to others until it has new ones.
    } while (
      Atomics.compareExchange(this.#actives, at, active, (active & 63) === 0 ? 0 : active - 1) !== active
    );
    const number = active >>> 6;
    const isLast = (active & 63) === 0;
    for (;;) {
      const anchor = this.#words.get(number);
      const block = availableOf(anchor);
      const next = this.#links[number * 512 + block]!;
      let count = countOf(anchor);
      let state = stateOf(anchor);
      let credits = 0;
      if (isLast) {
        credits = Math.min(count, MAX_CREDITS);
        if (credits === 0) state = FULL;
        count -= credits;
      }
      const changed = anchorOf(next & 511, count, state, tagOf(anchor) + 1);
      if (!this.#words.replace(number, anchor, changed)) continue;
      if (credits > 0) this.#activate(kind, number, credits);
      return this.#handOut(number, block);
    }
  }

  /** Makes the superblock active with these credits, or gives the credits back if there is another one by now. */
  #activate(kind: number, number: number, credits: number): void {
    const active = (number << 6) | (credits - 1);
    if (Atomics.compareExchange(this.#actives, this.#myActives + kind, 0, active) === 0) return;
    for (;;) {
      const anchor = this.#words.get(number);
      const changed = anchorOf(availableOf(anchor), countOf(anchor) + credits, PARTIAL, tagOf(anchor));
      if (this.#words.replace(number, anchor, changed)) break;
    }
    this.#pushDescriptor(kind, number);
  }

  #fromPartial(kind: number): number {
    for (let number = this.#popDescriptor(kind); number !== 0; number = this.#popDescriptor(kind)) {
      for (;;) {
        const anchor = this.#words.get(number);
        if (stateOf(anchor) === EMPTY) {
          this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
          break;
        }
        const credits = Math.min(countOf(anchor) - 1, MAX_CREDITS);
        const block = availableOf(anchor);
        const next = this.#links[number * 512 + block]!;
        const state = credits > 0 ? ACTIVE : FULL;
        const changed = anchorOf(next & 511, countOf(anchor) - 1 - credits, state, tagOf(anchor) + 1);
        if (!this.#words.replace(number, anchor, changed)) continue;
        if (credits > 0) this.#activate(kind, number, credits);
        return this.#handOut(number, block);
      }
    }
    return 0;
  }

  /** A block of a fresh superblock; 0 when memory is exhausted, -1 when another thread was faster. */
  #fromNew(kind: number): number {
    const number = this.#popDescriptor(UNUSED_DESCRIPTORS) || this.#newDescriptor();
    if (number === 0) return 0;
    const base = this.#takeSuperblock();
    if (base === 0) {
      this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
      return 0;
    }
    const words = this.#descriptors;
    const at = number * DESCRIPTOR;
    const blocks = Math.floor(SUPERBLOCK / CLASS_SIZES[kind]!);
    words[at + BASE] = base;
    words[at + CLASS] = kind;
    words[at + BLOCKS] = blocks;
    words.fill(0, at + BITS, at + DESCRIPTOR);
    for (let block = 0; block < blocks; block++) this.#links[number * 512 + block] = block + 1;
    const credits = Math.min(blocks - 1, MAX_CREDITS);
    // Nobody else changes the anchor of a descriptor that is in no list.
    const retired = this.#words.get(number);
    this.#words.replace(number, retired, anchorOf(1, blocks - 1 - credits, ACTIVE, tagOf(retired) + 1));
    this.#map.set(base >>> UNIT_SHIFT, number * 2);
    const active = (number << 6) | (credits - 1);
    if (Atomics.compareExchange(this.#actives, this.#myActives + kind, 0, active) === 0)
      return this.#handOut(number, 0);
    this.#giveSuperblock(base);
    this.#pushDescriptor(UNUSED_DESCRIPTORS, number);
    return -1;
  }

  #handOut(number: number, block: number): number {
    const words = this.#descriptors;
    const at = number * DESCRIPTOR;
    Atomics.or(words, at + BITS + (block >> 5), 1 << (block & 31));
    return words[at + BASE]! + block * CLASS_SIZES[words[at + CLASS]!]!;
  }

  #giveSmall(address: number, number: number): FreeOutcome {
    const words = this.#descriptors;
    const at = number * DESCRIPTOR;
    const block = this.#blockAt(address, number);
    if (block < 0) return this.refuse('invalid-free');
    const bit = 1 << (block & 31);
    // Of two threads that free the same block, one finds the bit set.
    if ((Atomics.and(words, at + BITS + (block >> 5), ~bit) & bit) === 0) return this.refuse('double-free');
    const last = words[at + BLOCKS]! - 1;
    const base = words[at + BASE]!;
    for (;;) {
      const anchor = this.#words.get(number);
      const state = stateOf(anchor);
      const isEmpty = countOf(anchor) === last;
      this.#links[number * 512 + block] = availableOf(anchor);
      const changed = isEmpty
        ? anchorOf(block, last, EMPTY, tagOf(anchor))
        : anchorOf(block, countOf(anchor) + 1, state === FULL ? PARTIAL : state, tagOf(anchor));
      if (!this.#words.replace(number, anchor, changed)) continue;
      if (isEmpty) this.#giveSuperblock(base);
      else if (state === FULL) this.#pushDescriptor(words[at + CLASS]!, number);
      return 'ok';
    }
  }

  /** Which block of the superblock begins there; -1 if none does. */
  #blockAt(address: number, number: number): number {
    const at = number * DESCRIPTOR;
    const offset = address - this.#descriptors[at + BASE]!;
    const size = CLASS_SIZES[this.#descriptors[at + CLASS]!]!;
    const block = (offset / size) | 0;
    return block * size === offset && block < this.#descriptors[at + BLOCKS]! ? block : -1;
  }

  #isTaken(number: number, block: number): boolean {
    return ((this.#descriptors[number * DESCRIPTOR + BITS + (block >> 5)]! >> (block & 31)) & 1) !== 0;
  }

  // ----------------------------------------------------------------------------------------- lists

  /** Treiber's stack: the first number in the lower 20 bits, a tag above. */
  #push(list: number, next: Int32Array, number: number): void {
    for (;;) {
      const head = this.#words.get(this.#lists + list);
      Atomics.store(next, number, lowOf(head));
      if (this.#words.replace(this.#lists + list, head, tagged(number, tagOf(head) + 1))) return;
    }
  }

  #pop(list: number, next: Int32Array): number {
    for (;;) {
      const head = this.#words.get(this.#lists + list);
      const number = lowOf(head);
      if (number === 0) return 0;
      const second = Atomics.load(next, number);
      if (this.#words.replace(this.#lists + list, head, tagged(second, tagOf(head) + 1))) return number;
    }
  }

  /** The numbers in a list, while no call is in progress. */
  *#listed(list: number, next: Int32Array): Generator<number> {
    for (let number = lowOf(this.#words.get(this.#lists + list)); number !== 0; number = next[number]!)
      yield number;
  }

  #pushDescriptor(list: number, number: number): void {
    this.#push(list, this.#nextDescriptor, number);
  }

  #popDescriptor(list: number): number {
    return this.#pop(list, this.#nextDescriptor);
  }

  #newDescriptor(): number {
    const number = Atomics.add(this.#supply, 0, 1) + 1;
    if ((number + 1) * DESCRIPTOR <= this.#descriptors.length) return number;
    Atomics.sub(this.#supply, 0, 1);
    return 0;
  }

  // ---------------------------------------------------------------------- memory for superblocks

  /** The address of 8 KiB, or 0. */
  #takeSuperblock(): number {
    const unit = this.#pop(UNUSED_SUPERBLOCKS, this.#nextUnit);
    if (unit !== 0) return unit * SUPERBLOCK;
    const several = this.memory.sbrkAligned(HYPERBLOCK * SUPERBLOCK, SUPERBLOCK);
    if (several > 0) {
      for (let i = HYPERBLOCK - 1; i > 0; i--)
        this.#push(UNUSED_SUPERBLOCKS, this.#nextUnit, (several >>> UNIT_SHIFT) + i);
      return several;
    }
    const one = this.memory.sbrkAligned(SUPERBLOCK, SUPERBLOCK);
    if (one > 0) return one;
    const run = this.#takeRun(SUPERBLOCK, 0);
    return run === 0 ? 0 : this.#records.words[run + ADDRESS]!;
  }

  /** The map goes on to know it, so that a second free of its blocks is named. */
  #giveSuperblock(base: number): void {
    const unit = base >>> UNIT_SHIFT;
    this.#map.set(unit, UNUSED);
    this.#push(UNUSED_SUPERBLOCKS, this.#nextUnit, unit);
  }

  /** Makes the unused superblocks free chunks of the heap for large blocks, joined; false if there are none. Requires the lock. */
  #reclaim(): boolean {
    const units: number[] = [];
    for (let unit = this.#pop(UNUSED_SUPERBLOCKS, this.#nextUnit); unit !== 0; ) {
      this.#map.remove(unit);
      units.push(unit);
      unit = this.#pop(UNUSED_SUPERBLOCKS, this.#nextUnit);
    }
    units.sort((a, b) => a - b);
    const { heap, index } = this.#runs;
    for (let from = 0; from < units.length; ) {
      const base = units[from]! * SUPERBLOCK;
      const run = index.find(base);
      let to = from + 1;
      if (run !== 0) heap.give(run);
      else {
        while (units[to] === units[from]! + to - from && index.find(units[to]! * SUPERBLOCK) === 0) to++;
        heap.adopt(base, (to - from) * SUPERBLOCK);
      }
      from = to;
    }
    return units.length > 0;
  }

  // -------------------------------------------------------------------------------- large blocks

  #takeLarge(bytes: number, alignment: number): number {
    const run = this.#takeRun(this.#runs.heap.sizeFor(bytes), alignment);
    if (run === 0) return 0;
    const address = this.#records.words[run + ADDRESS]!;
    this.#map.set(address >>> UNIT_SHIFT, LARGE);
    return address;
  }

  #giveLarge(address: number): FreeOutcome {
    const run = this.#largeRun(address);
    if (run === 0) return this.refuse('invalid-free');
    this.#map.remove(address >>> UNIT_SHIFT);
    this.#lock();
    this.#runs.heap.give(run);
    this.#unlock();
    return 'ok';
  }

  #largeRun(address: number): number {
    this.#lock();
    const run = this.#runs.index.find(address);
    this.#unlock();
    return run;
  }

  #wasLarge(address: number): boolean {
    const run = this.#largeRun(address);
    if (run === 0) return this.#runs.heap.wasFreed(address);
    return this.#records.words[run + STATE] !== (IN_USE | INDEXED);
  }

  #takeRun(size: number, alignment: number): number {
    this.#lock();
    const { heap } = this.#runs;
    let run: number;
    do run = alignment === 0 ? heap.take(size) : heap.takeAligned(alignment, size);
    while (run === 0 && this.#reclaim());
    this.#unlock();
    return run;
  }

  #lock(): void {
    if (this.#isShared) acquire(this.#runs.lock, 0);
  }

  #unlock(): void {
    if (this.#isShared) release(this.#runs.lock, 0);
  }

  // ------------------------------------------------------------------------------------ looking

  walk(visit: Visit): void {
    const records = this.#records.words;
    for (const run of this.#runs.heap.chunks()) {
      const base = records[run + ADDRESS]!;
      const size = records[run + SIZE]!;
      if ((records[run + STATE]! & ~INDEXED) !== IN_USE) visit('free', base, size);
      else if (this.#map.get(base >>> UNIT_SHIFT) === LARGE) visit('client', base, size);
    }
    for (const number of this.#superblocks()) this.#walkSuperblock(number, visit);
    for (const unit of this.#listed(UNUSED_SUPERBLOCKS, this.#nextUnit))
      visit('free', unit * SUPERBLOCK, SUPERBLOCK);
  }

  /** The descriptors that have memory. */
  *#superblocks(): Generator<number> {
    const made = Atomics.load(this.#supply, 0);
    for (let number = 1; number <= made; number++) {
      const base = this.#descriptors[number * DESCRIPTOR + BASE]!;
      if (this.#map.get(base >>> UNIT_SHIFT) === number * 2) yield number;
    }
  }

  #walkSuperblock(number: number, visit: Visit): void {
    const at = number * DESCRIPTOR;
    const size = CLASS_SIZES[this.#descriptors[at + CLASS]!]!;
    for (let block = 0; block < this.#descriptors[at + BLOCKS]!; block++) {
      const kind = this.#isTaken(number, block) ? 'client' : 'free';
      visit(kind, this.#descriptors[at + BASE]! + block * size, size);
    }
  }

  check(): string | undefined {
    const credits = new Map<number, number>();
    for (const active of this.#actives) if (active !== 0) credits.set(active >>> 6, (active & 63) + 1);
    const listed = this.#checkLists();
    if (typeof listed === 'string') return listed;
    for (const number of this.#superblocks()) {
      const problem = this.#checkSuperblock(number, credits.get(number) ?? 0, listed.has(number));
      if (problem !== undefined) return problem;
    }
    for (const unit of this.#listed(UNUSED_SUPERBLOCKS, this.#nextUnit))
      if (this.#map.get(unit) > UNUSED) return `unit ${unit} is unused and the map does not know`;
    return this.#runs.heap.check();
  }

  #checkLists(): ReadonlySet<number> | string {
    const listed = new Set<number>();
    for (let kind = 0; kind < CLASS_SIZES.length; kind++)
      for (const number of this.#listed(kind, this.#nextDescriptor)) {
        const state = stateOf(this.#words.get(number));
        if (listed.has(number)) return `superblock ${number} is in a list twice`;
        if (state !== PARTIAL && state !== EMPTY) return `superblock ${number} is in a list and not partial`;
        listed.add(number);
      }
    return listed;
  }

  #checkSuperblock(number: number, credits: number, isListed: boolean): string | undefined {
    const at = number * DESCRIPTOR;
    const anchor = this.#words.get(number);
    const blocks = this.#descriptors[at + BLOCKS]!;
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
      block = this.#links[number * 512 + block]!;
    }
    return undefined;
  }
}
