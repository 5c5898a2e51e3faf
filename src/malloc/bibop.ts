/**
 * bibop: a big bag of pages, after Otto Moerbeek's malloc for OpenBSD (2009), which makes attacks a
 * matter of luck.
 *
 * A page holds blocks of one size, a power of two from 16 to 2048; what is larger has pages of its
 * own. Nothing is kept in the pages:
 *
 *     program's memory   │█ █░█ ░█│██░░██░█│ guard │ large block, 3 pages      │ guard │█  ░█   │
 *     ────────────────────────────────────────────────────────────────────────────────
 *     apart              page number ─▶ record of the page: size of its blocks, how many are free, a bit for each
 *                                    or the run of pages that a large block has
 *
 * Random placement a malloc takes a random free block of a page with room; a large block begins a
 * random number of pages into its run Guard pages the rest of the run, at least one page after the
 * block. Wasm cannot protect a page, so the first bytes of the
 *                    guard hold a pattern that `free` compares: an overflow into it is `corrupted`
 * Delayed free a freed block takes a random place among 16 and pushes out the one that was there,
 * which only then is free: how soon
 *                    memory is used again cannot be foreseen
 *
 * Instead of coalescing: blocks are not joined, but a page whose blocks are all free goes back
 * to the heap of pages, a `ChunkHeap` whose unit is a page, where free neighbours are joined.
 *
 * Vital statistics
 *   Blocks         at multiples of 16, or of their size if that is less than a page; the smallest has 16 bytes; above 2 KiB, whole pages
 *   Overhead       none in line but for rounding, up to half of a block, and one to four guard pages for a large one; apart 64 bytes for each page
 *   Threads        one
 *   Notices        a free of anything but a live block; double frees by their name, if the page has not been given back since, or was that of one of
 *                  the last 256 large blocks; a guard that was overwritten
 *
 * Invariants (`check`): those of the heap of pages; a page's count is the number of its set bits; a
 * page is in the list of its size exactly if it has a free block; delayed blocks count as in use.
 */
import { isPowerOfTwo } from '../support/power-of-two.js';
import { Random } from '../support/random.js';
import type { LinearMemory } from './linear-memory.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, type Problem, type Visit } from './malloc.js';
import { layOutArenas } from './separate/arenas.js';
import type { MetadataSpace } from './separate/metadata-space.js';
import { RECENT_WORDS, RecentAddresses } from './separate/recent-addresses.js';
import { ADDRESS, IN_USE, INDEXED, type Records, SIZE, STATE } from './separate/records.js';
import type { Arena } from './separate/separate-malloc.js';

const PAGE = 4096;
const PAGE_SHIFT = 12;
const LARGEST_SMALL = 2048;
const SMALLEST_SHIFT = 4;
const DELAYED = 16;
const GUARD_BYTES = 64;
const GUARD = 0xd0;

/** A page of small blocks, in words. */
const BASE = 0;
const SHIFT = 1;
const COUNT = 2;
const NEXT = 3;
const PREVIOUS = 4;
const RUN = 5;
/** Set bits are free blocks. */
const BITS = 8;
const PAGE_RECORD = BITS + PAGE / 16 / 32;

export class Bibop extends CommonMalloc {
  readonly #random: Random;
  readonly #runs: Arena;
  readonly #records: Records;
  /** For each page, 0, or 2 × page record, or 2 × run of a large block + 1. */
  readonly #pages: Int32Array;
  readonly #firstPage: number;
  readonly #words: Int32Array;
  /** The first page with room for each size, by its shift. */
  readonly #withRoom = new Int32Array(12);
  readonly #delayed = new Int32Array(DELAYED);
  /** Where the guard after the large block of a run begins. */
  readonly #ends = new Map<number, number>();
  readonly #recentLarge = new RecentAddresses(new Int32Array(RECENT_WORDS));
  #unused = 0;
  #used = PAGE_RECORD;

  constructor(memory: LinearMemory, space: MetadataSpace, seed: number) {
    super(memory);
    this.#random = new Random(seed);
    this.#firstPage = memory.start >>> PAGE_SHIFT;
    const pages = (memory.limit >>> PAGE_SHIFT) - this.#firstPage + 1;
    this.#pages = space.carve(pages);
    const records = Math.min(pages, Math.floor(space.freeWords / 2 / PAGE_RECORD));
    this.#words = space.carve(records * PAGE_RECORD);
    const laidOut = layOutArenas(memory, space, { count: 1, unit: PAGE });
    this.#records = laidOut.records;
    this.#runs = laidOut.arenas[0]!;
  }

  get bytesApart(): number {
    const pages = (this.memory.break >>> PAGE_SHIFT) - this.#firstPage;
    return pages * 4 + this.#used * 4 + this.#records.bytesUsed + this.#runs.index.bytesUsed;
  }

  malloc(bytes: number): number {
    this.problem = undefined;
    return bytes <= LARGEST_SMALL ? this.#takeSmall(shiftFor(bytes)) : this.#takeLarge(bytes, PAGE);
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    if (!isPowerOfTwo(alignment)) return 0;
    // Blocks of a power of two begin at multiples of it.
    if (Math.max(bytes, alignment) <= LARGEST_SMALL)
      return this.#takeSmall(shiftFor(Math.max(bytes, alignment)));
    return this.#takeLarge(bytes, Math.max(alignment, PAGE));
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const found = this.#liveOrProblem(address);
    if (typeof found !== 'number') return this.refuse(found);
    if (found & 1) return this.#giveLarge(address, found >> 1);
    const at = this.#random.uint32() % DELAYED;
    const old = this.#delayed[at]!;
    this.#delayed[at] = address;
    if (old !== 0) this.#giveSmall(old);
    return 'ok';
  }

  usableSize(address: number): number {
    const found = address === 0 ? 'invalid-free' : this.#liveOrProblem(address);
    if (typeof found !== 'number') return 0;
    if (found & 1) return this.#largeEnd(found >> 1) - address;
    return 1 << this.#words[(found >> 1) + SHIFT]!;
  }

  // -------------------------------------------------------------------------------- small blocks

  #takeSmall(shift: number): number {
    const page = this.#withRoom[shift] || this.#newPage(shift);
    if (page === 0) return 0;
    const words = this.#words;
    const slot = this.#randomSlot(page, PAGE >> shift);
    words[page + BITS + (slot >> 5)]! &= ~(1 << (slot & 31));
    words[page + COUNT]!--;
    if (words[page + COUNT] === 0) this.#unlink(page, shift);
    return words[page + BASE]! + (slot << shift);
  }

  /** The first free slot from a random one on, round the page. */
  #randomSlot(page: number, slots: number): number {
    const words = this.#words;
    const start = this.#random.uint32() & (slots - 1);
    const last = (slots - 1) >> 5;
    let word = start >> 5;
    let bits = words[page + BITS + word]! & (-1 << (start & 31));
    while (bits === 0) {
      word = word === last ? 0 : word + 1;
      bits = words[page + BITS + word]!;
    }
    return (word << 5) + 31 - Math.clz32(bits & -bits);
  }

  #giveSmall(address: number): void {
    const words = this.#words;
    const page = this.#pages[(address >>> PAGE_SHIFT) - this.#firstPage]! >> 1;
    const shift = words[page + SHIFT]!;
    const slot = (address & (PAGE - 1)) >> shift;
    words[page + BITS + (slot >> 5)]! |= 1 << (slot & 31);
    words[page + COUNT]!++;
    if (words[page + COUNT] === 1) this.#link(page, shift);
    // An empty page goes back, unless it is the only one with room.
    const isOnly = words[page + NEXT] === 0 && words[page + PREVIOUS] === 0;
    if (words[page + COUNT] === PAGE >> shift && !isOnly) this.#dropPage(page, shift);
  }

  #newPage(shift: number): number {
    const words = this.#words;
    const page = this.#unused || this.#used;
    if (page + PAGE_RECORD > words.length) return 0;
    const run = this.#runs.heap.take(PAGE);
    if (run === 0) return 0;
    if (page === this.#unused) this.#unused = words[page + NEXT]!;
    else this.#used += PAGE_RECORD;
    const base = this.#records.words[run + ADDRESS]!;
    const slots = PAGE >> shift;
    words[page + BASE] = base;
    words[page + SHIFT] = shift;
    words[page + COUNT] = slots;
    words[page + RUN] = run;
    words.fill(0, page + BITS, page + PAGE_RECORD);
    for (let slot = 0; slot < slots; slot += 32)
      words[page + BITS + (slot >> 5)] = slots < 32 ? (1 << slots) - 1 : -1;
    this.#pages[(base >>> PAGE_SHIFT) - this.#firstPage] = page * 2;
    this.#link(page, shift);
    return page;
  }

  #dropPage(page: number, shift: number): void {
    const words = this.#words;
    this.#unlink(page, shift);
    this.#pages[(words[page + BASE]! >>> PAGE_SHIFT) - this.#firstPage] = 0;
    this.#runs.heap.give(words[page + RUN]!);
    words[page + NEXT] = this.#unused;
    this.#unused = page;
  }

  #link(page: number, shift: number): void {
    const words = this.#words;
    const first = this.#withRoom[shift]!;
    words[page + NEXT] = first;
    words[page + PREVIOUS] = 0;
    if (first !== 0) words[first + PREVIOUS] = page;
    this.#withRoom[shift] = page;
  }

  #unlink(page: number, shift: number): void {
    const words = this.#words;
    const next = words[page + NEXT]!;
    const previous = words[page + PREVIOUS]!;
    if (next !== 0) words[next + PREVIOUS] = previous;
    if (previous !== 0) words[previous + NEXT] = next;
    else this.#withRoom[shift] = next;
  }

  // -------------------------------------------------------------------------------- large blocks

  /** A run with a random number of pages before the block and at least one after it. */
  #takeLarge(bytes: number, alignment: number): number {
    const { heap } = this.#runs;
    const size = heap.sizeFor(bytes);
    const slack = (this.#random.uint32() & 3) * PAGE + alignment - PAGE;
    const run = heap.take(heap.sizeFor(size + slack + PAGE)) || heap.take(heap.sizeFor(size + alignment));
    if (run === 0) return 0;
    const base = this.#records.words[run + ADDRESS]!;
    const last = base + this.#records.words[run + SIZE]! - PAGE - size;
    const address = last & -alignment;
    // The memory before and after the block is guarded.
    this.memory.bytes.fill(GUARD, address + size, address + size + GUARD_BYTES);
    this.#pages[(address >>> PAGE_SHIFT) - this.#firstPage] = run * 2 + 1;
    this.#records.words[run + STATE] = IN_USE | INDEXED;
    this.#ends.set(run, address + size);
    return address;
  }

  #largeEnd(run: number): number {
    return this.#ends.get(run) ?? 0;
  }

  #giveLarge(address: number, run: number): FreeOutcome {
    const end = this.#largeEnd(run);
    for (let at = end; at < end + GUARD_BYTES; at++) {
      if (this.memory.bytes[at] !== GUARD) return this.refuse('corrupted');
    }
    this.#pages[(address >>> PAGE_SHIFT) - this.#firstPage] = 0;
    this.#ends.delete(run);
    this.#recentLarge.note(address);
    this.#runs.heap.give(run);
    return 'ok';
  }

  // ------------------------------------------------------------------------------------ looking

  /** The entry of the page table for a live block that begins there, or the problem. */
  #liveOrProblem(address: number): number | Problem {
    const number = (address >>> PAGE_SHIFT) - this.#firstPage;
    const entry = number >= 0 && number < this.#pages.length ? this.#pages[number]! : 0;
    if (entry === 0) return this.#recentLarge.has(address) ? 'double-free' : 'invalid-free';
    if (entry & 1) return address % PAGE === 0 ? entry : 'invalid-free';
    const words = this.#words;
    const page = entry >> 1;
    const shift = words[page + SHIFT]!;
    if (address & ((1 << shift) - 1)) return 'invalid-free';
    const slot = (address & (PAGE - 1)) >> shift;
    const isFree = (words[page + BITS + (slot >> 5)]! >> (slot & 31)) & 1;
    return isFree || this.#delayed.includes(address) ? 'double-free' : entry;
  }

  walk(visit: Visit): void {
    const records = this.#records.words;
    for (const run of this.#runs.heap.chunks()) {
      const base = records[run + ADDRESS]!;
      const size = records[run + SIZE]!;
      if ((records[run + STATE]! & ~INDEXED) !== IN_USE) visit('free', base, size);
      else if (this.#ends.has(run)) this.#walkLarge(run, base, size, visit);
      else this.#walkPage(this.#pages[(base >>> PAGE_SHIFT) - this.#firstPage]! >> 1, visit);
    }
  }

  #walkLarge(run: number, base: number, size: number, visit: Visit): void {
    const end = this.#largeEnd(run);
    let address = base;
    while (this.#pages[(address >>> PAGE_SHIFT) - this.#firstPage] !== run * 2 + 1) address += PAGE;
    if (address > base) visit('guard', base, address - base);
    visit('client', address, end - address);
    visit('guard', end, base + size - end);
  }

  #walkPage(page: number, visit: Visit): void {
    const words = this.#words;
    const shift = words[page + SHIFT]!;
    for (let slot = 0; slot < PAGE >> shift; slot++) {
      const address = words[page + BASE]! + (slot << shift);
      const isFree = (words[page + BITS + (slot >> 5)]! >> (slot & 31)) & 1;
      visit(isFree || this.#delayed.includes(address) ? 'free' : 'client', address, 1 << shift);
    }
  }

  check(): string | undefined {
    const words = this.#words;
    const listed = new Set<number>();
    for (let shift = SMALLEST_SHIFT; shift < this.#withRoom.length; shift++)
      for (let page = this.#withRoom[shift]!; page !== 0; page = words[page + NEXT]!) {
        if (words[page + SHIFT] !== shift) return `page ${page} is in a list of another size`;
        listed.add(page);
      }
    for (const entry of this.#pages) {
      if (entry === 0 || entry & 1) continue;
      const page = entry >> 1;
      let free = 0;
      for (let bit = 0; bit < PAGE / 16; bit++) free += (words[page + BITS + (bit >> 5)]! >> (bit & 31)) & 1;
      if (free !== words[page + COUNT])
        return `page ${page} counts ${words[page + COUNT]} free blocks and has ${free}`;
      if (free > 0 !== listed.has(page)) return `page ${page} has room and is in no list, or the reverse`;
    }
    return this.#runs.heap.check();
  }
}

/** The logarithm of the smallest power of two that holds this many bytes. */
function shiftFor(bytes: number): number {
  return bytes <= ALIGNMENT ? SMALLEST_SHIFT : 32 - Math.clz32(bytes - 1);
}
