/**
 * elfpa: Maged Michael's lock-free malloc (PLDI 2004), with its metadata apart, as the SRI report's
 * prototype of that name.
 *
 * Blocks of one size class are carved from *superblocks* of 8 KiB. Everything that changes about a
 * superblock is in one word of its *descriptor*, the anchor, so each step is one compare-and-swap,
 * and no thread ever waits for another:
 *
 *     program's memory   ▐ superblock: 8 KiB of blocks of one size ▌▐ superblock ▌ …
 *     ─────────────────────────────────────────────────────────────────────────────
 *     anchor      │ tag: 32 │ state: 2 │ count: 9 │ available: 9 │      in a word of 64 bits
 *                 available  the first block of the free list        count  free blocks that are not reserved
 *                 state      ACTIVE, FULL, PARTIAL, EMPTY            tag    changes with each block taken, against ABA
 *     links       for each block the next of the free list: in the block itself in Michael's paper, apart here
 *     bits        for each block whether a program has it: so a double free is seen
 *     active      for each class and each processor heap: │ descriptor │ credits: 6 │
 *
 * A malloc first takes a *credit* of the active superblock, which reserves a block, then pops one.
 * Without credits it takes a superblock from the list of partial ones, or a new one. A free pushes
 * the block; the first free in a FULL superblock puts it on the partial list; the last makes it
 * EMPTY, and its memory goes to the list of unused superblocks. Its descriptor is retired when it
 * comes off its list, or when descriptors run out.
 *
 * Instead of coalescing: blocks are not joined, but a superblock whose blocks are all free
 * serves every class, and when the break is at its limit, neighbouring ones are joined for large
 * blocks. The active superblocks, one for each class in use and processor heap, stay with their
 * class.
 *
 * Memory for superblocks comes from that list, or eight at a time from the break, which moves by
 * compare-and-swap. An address leads to its descriptor by a map without locks, one entry for each 8
 * KiB.
 *
 * **Where a lock remains.** Blocks of more than 2 KiB have units of 8 KiB of their own from a
 * `ChunkHeap`, which has one, where Michael's paper calls mmap (and the kernel takes one). Small
 * blocks come there only when the break is at its limit: then superblocks are made of what large
 * blocks left, and the reverse (`#reclaim`).
 *
 * `superblocks.ts` is the part without locks, and runs under a scheduler that tries all
 * interleavings, too. The words that need tags are numbers of 52 bits, in the memory of that map,
 * where 64 bits can be compared and swapped (`AtomicWords`).
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 16 bytes; above 2 KiB, multiples of 8 KiB; the largest just under 1 GiB
 *   Overhead       none in line but for rounding: up to 15 bytes, a fifth of a block above 128 bytes; apart some 1.1 KiB for each superblock
 *   Threads        any number; none waits for another, except as said above
 *   Notices        a free of anything but a live block; double frees by their name, if the memory has not become part of a large block since
 *
 * Invariants: those of `Superblocks` and of `ChunkHeap`.
 */
import { isPowerOfTwo } from '../support/power-of-two.js';
import type { LinearMemory } from './linear-memory.js';
import { acquire, release } from './lock.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, type Visit } from './malloc.js';
import type { ArenaMap } from './separate/arena-map.js';
import { layOutArenas } from './separate/arenas.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { ADDRESS, IN_USE, INDEXED, type Records, SIZE, STATE } from './separate/records.js';
import type { Arena } from './separate/separate-malloc.js';
import { BufferHalves, BufferWords } from './shared-words.js';
import {
  ACTIVES_PER_HEAP,
  CLASS_OF,
  DESCRIPTOR,
  LARGE,
  LARGEST_SMALL,
  LINKS,
  SUPERBLOCK,
  Superblocks,
  taggedWordCount,
  UNIT_SHIFT,
  UNUSED,
} from './superblocks.js';

const SPARE_DESCRIPTORS = 64;

export interface ElfpaOptions {
  /** Processor heaps: each has an active superblock of each class. */
  readonly heaps: number;
  readonly worker?: number;
  readonly map: ArenaMap;
}

export class Elfpa extends CommonMalloc {
  readonly #map: ArenaMap;
  readonly #small: Superblocks;
  readonly #records: Records;
  readonly #runs: Arena;
  readonly #isShared: boolean;

  constructor(memory: LinearMemory, space: MetadataSpace, { heaps, worker = 0, map }: ElfpaOptions) {
    super(memory);
    this.#map = map;
    this.#isShared = heaps > 1;
    const actives = space.carve(heaps * ACTIVES_PER_HEAP);
    const supply = space.carve(8);
    const nextUnit = space.carve(Math.ceil(memory.limit / SUPERBLOCK));
    // More than superblocks, since some are on their way from one list to another.
    const wanted = Math.ceil((memory.limit - memory.start) / SUPERBLOCK) + SPARE_DESCRIPTORS;
    const affordable = Math.floor((space.freeWords * 0.8) / (DESCRIPTOR + LINKS / 2));
    const descriptorCount = Math.min(wanted, affordable);
    const descriptors = space.carve((descriptorCount + 1) * DESCRIPTOR);
    const nextDescriptor = space.carve(descriptorCount + 1);
    // The first worker makes them, before the others attach.
    supply[1] ||= map.allocateWords(taggedWordCount(descriptorCount));
    const links = space.carve((descriptorCount + 1) * (LINKS / 2));
    this.#small = new Superblocks({
      words: {
        actives: new BufferWords(actives),
        supply: new BufferWords(supply),
        descriptors: new BufferWords(descriptors),
        links: new BufferHalves(links),
        nextDescriptor: new BufferWords(nextDescriptor),
        nextUnit: new BufferWords(nextUnit),
        tagged: map.wordsAt(supply[1]!),
        map,
      },
      ...{ descriptorCount, heapCount: heaps, heap: worker % heaps },
      sbrk: bytes => memory.sbrkAligned(bytes, SUPERBLOCK),
      lastResort: () => {
        const run = this.#takeRun(SUPERBLOCK, 0);
        return run === 0 ? 0 : this.#records.words[run + ADDRESS]!;
      },
    });
    const { records, arenas } = layOutArenas(memory, space, { count: 1, unit: SUPERBLOCK });
    this.#records = records;
    this.#runs = arenas[0]!;
  }

  get bytesApart(): number {
    return (
      this.#small.descriptorsMade * (DESCRIPTOR * 4 + 8 + 4 + 4 + LINKS * 2) +
      this.#records.bytesUsed +
      this.#runs.index.bytesUsed +
      this.#map.bytesUsed
    );
  }

  malloc(bytes: number): number {
    this.problem = undefined;
    return bytes <= LARGEST_SMALL
      ? this.#small.take(CLASS_OF[(bytes + 15) >> 4]!)
      : this.#takeLarge(bytes, 0);
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    if (!isPowerOfTwo(alignment)) return 0;
    if (alignment <= ALIGNMENT) return this.malloc(bytes);
    // Superblocks begin at multiples of 8 KiB, so a power of two is aligned to itself.
    const power = bytes <= alignment ? alignment : 2 ** (32 - Math.clz32(bytes - 1));
    if (power <= LARGEST_SMALL) return this.#small.take(CLASS_OF[power >> 4]!);
    return this.#takeLarge(bytes, alignment <= SUPERBLOCK ? 0 : alignment);
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const entry = this.#map.get(address >>> UNIT_SHIFT);
    if (entry < 0) return this.refuse(this.#wasLarge(address) ? 'double-free' : 'invalid-free');
    // Which blocks an unused superblock had is not known any more.
    if (entry === UNUSED) return this.refuse(address % ALIGNMENT === 0 ? 'double-free' : 'invalid-free');
    if (entry === LARGE) return this.#giveLarge(address);
    const outcome = this.#small.give(address, entry >> 1);
    return outcome === 'ok' ? 'ok' : this.refuse(outcome);
  }

  usableSize(address: number): number {
    const entry = this.#map.get(address >>> UNIT_SHIFT);
    if (address === 0 || entry < 0 || entry === UNUSED) return 0;
    if (entry === LARGE) {
      const run = this.#largeRun(address);
      return run === 0 ? 0 : this.#records.words[run + SIZE]!;
    }
    return this.#small.usableSize(address, entry >> 1);
  }

  /**
   * Makes the unused superblocks free chunks of the heap for large blocks, joined; false if there
   * are none. Requires the lock.
   */
  #reclaim(): boolean {
    const units: number[] = [];
    for (let unit = this.#small.popUnusedUnit(); unit !== 0; unit = this.#small.popUnusedUnit()) {
      this.#map.remove(unit);
      units.push(unit);
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
    this.#small.walk(visit);
  }

  check(): string | undefined {
    return this.#small.check() ?? this.#runs.heap.check();
  }
}
