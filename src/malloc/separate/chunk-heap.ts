/**
 * The algorithm of ptmalloc2 on records instead of headers: one heap, whose metadata are all apart
 * from the chunks.
 *
 *     records   ┌───┐◀─▶┌───┐◀─▶┌───┐◀─▶┌───┐◀─▶┌─────┐     before / after: the row of chunks
 *               └─┬─┘   └─┬─┘   └─┬─┘   └─┬─┘   └──┬──┘     next / previous: the bins
 *       ▲ an edge begins each row
 *     memory    ▐█████▌▐███▌▐░░░░░░▌▐████████▌▐░░░ top ░░▌
 *
 * A chunk is found from its address by an index, which is what the mallocs of this kind differ in.
 * From there on everything is as in `ptmalloc2.ts`: fast lists, one list of unsorted chunks, bins,
 * a top that borders the segment's end. Neighbours are reached by links, so nothing has to be
 * written into the chunk, not even when it is free: a block of 16 bytes takes 16 bytes. Sizes and
 * addresses are multiples of a *unit*: 16 bytes, or a page for the mallocs that allocate pages.
 *
 * `lead` bytes before each block may be the malloc's own (psmalloc2 keeps a number there): the
 * chunk then covers [address - lead, address - lead + size).
 *
 * Why not every record is in the index: a rest that was cut off is usually merged again before the
 * program could have its address. It is entered when it comes into use, and stays while it is free,
 * which is how a second free of the same address is recognised.
 *
 * All state is in arrays that workers may share; the caller holds the arena's lock.
 *
 * Invariants (`check`)
 *   - before and after agree, and so do the addresses and sizes of neighbours.
 *   - No two FREE chunks are neighbours, none is a neighbour of the TOP.
 *   - Each FREE chunk is in the unsorted list or in the bin of its size, which is sorted if it has
 *     several sizes.
 *   - The chunks of a fast list are FAST and have its size.
 *   - What is IN_USE or FAST is INDEXED; the index finds exactly what is INDEXED.
 */
import { BINS, binOf, LARGE, nextMarked } from '../lea-bins.js';
import type { LinearMemory } from '../linear-memory.js';
import type { AddressIndex } from './address-index.js';
import { RECENT_WORDS, RecentAddresses } from './recent-addresses.js';
import {
  ADDRESS,
  AFTER,
  BEFORE,
  EDGE,
  FAST,
  FREE,
  IN_USE,
  INDEXED,
  NEXT,
  PREVIOUS,
  RECORD,
  type Records,
  SIZE,
  STATE,
  TOP,
} from './records.js';

/** The state of a heap, in words. */
const HAS_FAST = 0;
const TOP_RECORD = 1;
const LAST_REMAINDER = 2;
const UNUSED_RECORDS = 3;
const HEADS = 4;
/** The newest edge; their `next` leads to the others. */
const EDGES = 5;
const FAST_LISTS = 8;
const BIN_MAP = 44;
const RECENT = 48;
export const HEAP_STATE: number = RECENT + RECENT_WORDS;

/** Chunks may have one unit, whose bin is 1: those that wait to be sorted are in bin 0. */
const UNSORTED = 0;

/** As in ptmalloc2. */
const usualFast = 128;
const CONSOLIDATE_AT = 65_536;
export const SEGMENT_UNIT = 65_536;
/** Sizes are far below what small integers hold. */
const LARGEST = 0x4000_0000;

export interface ChunkHeapOptions {
  readonly memory: LinearMemory;
  readonly records: Records;
  readonly index: AddressIndex;
  readonly state: Int32Array;
  /** 16, or the size of a page. */
  readonly unit?: number;
  readonly lead?: number;
  /** Chunks up to this size, at most 512, are not merged when they are freed. */
  readonly largestFast?: number;
  /** Segments begin and end at multiples of SEGMENT_UNIT, and are announced. */
  readonly onSegment?: (address: number, bytes: number) => void;
}

export class ChunkHeap {
  readonly #memory: LinearMemory;
  readonly #records: Records;
  readonly #words: Int32Array;
  readonly #index: AddressIndex;
  readonly #state: Int32Array;
  /** The addresses of records that are no longer in use. */
  readonly #recent: RecentAddresses;
  readonly #unit: number;
  /** A size in units, in 16ths: bins are as for a unit of 16. */
  readonly #shift: number;
  readonly #largestFast: number;
  readonly #lead: number;
  readonly #onSegment: ((address: number, bytes: number) => void) | undefined;

  constructor(options: ChunkHeapOptions) {
    const { memory, records, index, state, unit = 16, lead = 0 } = options;
    this.#memory = memory;
    this.#records = records;
    this.#words = records.words;
    this.#index = index;
    this.#state = state;
    this.#recent = new RecentAddresses(state.subarray(RECENT, HEAP_STATE));
    this.#unit = unit;
    this.#shift = 27 - Math.clz32(unit);
    this.#largestFast = unit === 16 ? (options.largestFast ?? usualFast) : 0;
    this.#lead = lead;
    this.#onSegment = options.onSegment;
    if (state[HEADS] === 0) this.#makeHeads();
  }

  #makeHeads(): void {
    const words = this.#words;
    const first = this.#records.reserve(BINS);
    this.#state[HEADS] = first;
    for (let head = first; head < first + BINS * RECORD; head += RECORD) {
      words[head + NEXT] = head;
      words[head + PREVIOUS] = head;
    }
  }

  /**
   * The size of the chunk for a block of that many bytes; larger than any memory if the request is.
   */
  sizeFor(bytes: number): number {
    const size = bytes + this.#lead + this.#unit - 1;
    if (size >= LARGEST) return LARGEST;
    const rounded = size & -this.#unit;
    return rounded === 0 ? this.#unit : rounded;
  }

  /** The record of a chunk of that size or a little more, IN_USE; 0 when there is none. */
  take(size: number): number {
    const words = this.#words;
    const state = this.#state;
    if (size <= this.#largestFast) {
      const list = FAST_LISTS + (size >> 4);
      const record = state[list]!;
      if (record !== 0) {
        state[list] = words[record + NEXT]!;
        words[record + STATE] = IN_USE | INDEXED;
        return record;
      }
    }
    if (size >= LARGEST) return 0;
    const bin = binOf(size >> this.#shift);
    if (size >> this.#shift < LARGE) {
      const head = state[HEADS]! + bin * RECORD;
      const record = words[head + PREVIOUS]!;
      if (record !== head) {
        this.#unlink(record);
        return this.#use(record);
      }
    } else if (state[HAS_FAST] !== 0) {
      this.#mergeFast();
    }
    return this.#sortUntilFound(size) || this.#fromBins(size, bin) || this.#fromTop(size);
  }

  /**
   * A chunk whose block begins at a multiple of `alignment`, a power of two that exceeds the unit.
   */
  takeAligned(alignment: number, size: number): number {
    const words = this.#words;
    const whole = size >= LARGEST || alignment >= LARGEST ? 0 : this.take(size + alignment);
    if (whole === 0) return 0;
    const address = words[whole + ADDRESS]!;
    const aligned = (address + alignment - 1) & -alignment;
    let record = whole;
    if (aligned !== address) {
      record = this.#splitOff(whole, aligned - address);
      if (record === 0) {
        this.give(whole);
        return 0;
      }
      this.#use(record);
      this.#merge(whole);
    }
    this.trim(record, size);
    return record;
  }

  /** Requires a record that is IN_USE. */
  give(record: number): void {
    const words = this.#words;
    const size = words[record + SIZE]!;
    if (size <= this.#largestFast) {
      const list = FAST_LISTS + (size >> 4);
      words[record + STATE] = FAST | INDEXED;
      words[record + NEXT] = this.#state[list]!;
      this.#state[list] = record;
      this.#state[HAS_FAST] = 1;
      return;
    }
    const merged = this.#merge(record);
    if (merged >= CONSOLIDATE_AT && this.#state[HAS_FAST] !== 0) this.#mergeFast();
  }

  /**
   * Whether a block that began at this address was freed recently. Called when the index does not
   * find it.
   */
  wasFreed(address: number): boolean {
    return this.#recent.has(address);
  }

  /** Makes the chunk, IN_USE, as long as `size` if what lies after it allows. */
  resize(record: number, size: number): boolean {
    const words = this.#words;
    const have = words[record + SIZE]!;
    if (size > have) {
      const after = words[record + AFTER]!;
      if (after === 0) return false;
      const gained = words[after + SIZE]!;
      const kind = words[after + STATE]! & ~INDEXED;
      if (kind === TOP) {
        if (have + gained <= size) return false;
        words[record + SIZE] = size;
        words[after + ADDRESS]! += size - have;
        words[after + SIZE] = gained - (size - have);
        return true;
      }
      if (kind !== FREE || have + gained < size) return false;
      this.#unlink(after);
      this.#absorbAfter(record, after);
    }
    this.trim(record, size);
    return true;
  }

  /** Gives back what lies after the first `size` bytes of a chunk that is IN_USE. */
  trim(record: number, size: number): void {
    if (this.#words[record + SIZE]! - size < this.#unit) return;
    const rest = this.#splitOff(record, size);
    if (rest !== 0) this.#merge(rest);
  }

  /** Memory that is not a chunk yet becomes a free one, if there are records for it. */
  adopt(start: number, bytes: number): void {
    const record = this.#openSegment(start, bytes);
    if (record !== 0) this.#wait(record);
  }

  // ------------------------------------------------------------------------------------- taking

  #sortUntilFound(size: number): number {
    const words = this.#words;
    const state = this.#state;
    const unsorted = state[HEADS]! + UNSORTED * RECORD;
    for (;;) {
      const record = words[unsorted + PREVIOUS]!;
      if (record === unsorted) return 0;
      const found = words[record + SIZE]!;
      const isLast = words[record + PREVIOUS] === unsorted;
      if (isLast && record === state[LAST_REMAINDER] && found > size && size >> this.#shift < LARGE)
        return this.#cut(record, size);
      this.#unlink(record);
      if (found === size) return this.#use(record);
      this.#insert(record, found);
    }
  }

  #fromBins(size: number, first: number): number {
    const words = this.#words;
    const state = this.#state;
    const heads = state[HEADS]!;
    let bin = first;
    if (size >> this.#shift >= LARGE) {
      const head = heads + bin * RECORD;
      let record = words[head + PREVIOUS]!;
      while (record !== head && words[record + SIZE]! < size) record = words[record + PREVIOUS]!;
      if (record !== head) return this.#cut(record, size);
    }
    for (bin = nextMarked(state, BIN_MAP, bin + 1); bin < BINS; bin = nextMarked(state, BIN_MAP, bin + 1)) {
      const head = heads + bin * RECORD;
      const record = words[head + PREVIOUS]!;
      if (record !== head) return this.#cut(record, size);
      state[BIN_MAP + (bin >> 5)]! &= ~(1 << (bin & 31));
    }
    return 0;
  }

  /** The first `size` bytes of a FREE chunk come into use; the rest waits to be sorted. */
  #cut(record: number, size: number): number {
    this.#unlink(record);
    if (this.#words[record + SIZE] !== size) {
      const rest = this.#splitOff(record, size);
      if (rest === 0) {
        this.#wait(record);
        return 0;
      }
      this.#wait(rest);
      if (size >> this.#shift < LARGE) this.#state[LAST_REMAINDER] = rest;
    }
    return this.#use(record);
  }

  #use(record: number): number {
    const words = this.#words;
    if ((words[record + STATE]! & INDEXED) === 0) this.#index.insert(record);
    words[record + STATE] = IN_USE | INDEXED;
    return record;
  }

  #fromTop(size: number): number {
    const words = this.#words;
    const top = this.#state[TOP_RECORD]!;
    if (top !== 0 && words[top + SIZE]! > size) {
      const record = this.#newRecord(words[top + ADDRESS]!, size);
      if (record === 0) return 0;
      words[top + ADDRESS]! += size;
      words[top + SIZE]! -= size;
      this.#place(record, words[top + BEFORE]!, top);
      return this.#use(record);
    }
    if (this.#state[HAS_FAST] !== 0) {
      this.#mergeFast();
      return this.take(size);
    }
    return this.#grow(size) ? this.#fromTop(size) : 0;
  }

  #grow(size: number): boolean {
    const words = this.#words;
    const top = this.#state[TOP_RECORD]!;
    const inUnits = this.#onSegment !== undefined;
    const smallest = inUnits ? SEGMENT_UNIT : Math.max(this.#unit, 16);
    const least = (size + 2 * this.#unit + smallest - 1) & -smallest;
    let bytes = (least + SEGMENT_UNIT - 1) & -SEGMENT_UNIT;
    let start = this.#sbrk(bytes, smallest);
    if (start < 0 && top !== 0) {
      // The top chunk reduces the required size.
      bytes = (size + 2 * this.#unit - words[top + SIZE]! + smallest - 1) & -smallest;
      start = this.#sbrk(bytes, smallest);
    }
    if (start < 0) return false;
    this.#onSegment?.(start, bytes);
    if (top !== 0 && start === words[top + ADDRESS]! + words[top + SIZE]!) {
      words[top + SIZE]! += bytes;
      return true;
    }
    return this.#open(start, bytes) && bytes >= least;
  }

  #sbrk(bytes: number, alignment: number): number {
    return alignment === 16 ? this.#memory.sbrk(bytes) : this.#memory.sbrkAligned(bytes, alignment);
  }

  /** The record of a chunk, in no list, that is a whole segment; or 0. */
  #openSegment(start: number, bytes: number): number {
    const words = this.#words;
    const record = this.#newRecord(start, bytes);
    const edge = record === 0 ? 0 : this.#newRecord(start, 0);
    if (edge === 0) return 0;
    words[edge + STATE] = EDGE;
    words[edge + NEXT] = this.#state[EDGES]!;
    this.#state[EDGES] = edge;
    this.#place(record, edge, 0);
    return record;
  }

  /** A segment that does not continue the last one: the old top becomes a free chunk. */
  #open(start: number, bytes: number): boolean {
    const words = this.#words;
    const margin = this.#lead === 0 ? 0 : 16;
    const record = this.#openSegment(start + margin, bytes - margin);
    if (record === 0) return false;
    const old = this.#state[TOP_RECORD]!;
    words[record + STATE] = TOP;
    this.#state[TOP_RECORD] = record;
    if (old !== 0) {
      words[old + STATE] = FREE;
      this.#wait(old);
    }
    return true;
  }

  // ------------------------------------------------------------------------------------- giving

  /** Joins the chunk with its free neighbours; the size of the result. */
  #merge(record: number): number {
    const words = this.#words;
    let whole = record;
    words[whole + STATE]! &= INDEXED;
    const before = words[whole + BEFORE]!;
    if ((words[before + STATE]! & ~INDEXED) === FREE) {
      this.#unlink(before);
      this.#absorbAfter(before, whole);
      whole = before;
    }
    const after = words[whole + AFTER]!;
    if (after !== 0) {
      const kind = words[after + STATE]! & ~INDEXED;
      if (kind === TOP) return this.#intoTop(whole, after);
      if (kind === FREE) {
        this.#unlink(after);
        this.#absorbAfter(whole, after);
      }
    }
    this.#wait(whole);
    return words[whole + SIZE]!;
  }

  #intoTop(record: number, top: number): number {
    const words = this.#words;
    const before = words[record + BEFORE]!;
    words[top + ADDRESS] = words[record + ADDRESS]!;
    words[top + SIZE]! += words[record + SIZE]!;
    words[top + BEFORE] = before;
    words[before + AFTER] = top;
    this.#discard(record);
    return words[top + SIZE]!;
  }

  /** `record` grows by the chunk after it, whose record ends. */
  #absorbAfter(record: number, after: number): void {
    const words = this.#words;
    const beyond = words[after + AFTER]!;
    words[record + SIZE]! += words[after + SIZE]!;
    words[record + AFTER] = beyond;
    if (beyond !== 0) words[beyond + BEFORE] = record;
    this.#discard(after);
  }

  #mergeFast(): void {
    const words = this.#words;
    const state = this.#state;
    state[HAS_FAST] = 0;
    for (let list = FAST_LISTS + 1; list < BIN_MAP; list++) {
      let record = state[list]!;
      state[list] = 0;
      while (record !== 0) {
        const next = words[record + NEXT]!;
        this.#merge(record);
        record = next;
      }
    }
  }

  // ------------------------------------------------------------------------------------ records

  #newRecord(address: number, size: number): number {
    const words = this.#words;
    const record = this.#records.take(this.#state, UNUSED_RECORDS);
    if (record === 0) return 0;
    words[record + ADDRESS] = address;
    words[record + SIZE] = size;
    words[record + STATE] = FREE;
    words[record + BEFORE] = 0;
    words[record + AFTER] = 0;
    return record;
  }

  #discard(record: number): void {
    if (this.#words[record + STATE]! & INDEXED) {
      this.#index.remove(record);
      this.#recent.note(this.#words[record + ADDRESS]!);
    }
    if (this.#state[LAST_REMAINDER] === record) this.#state[LAST_REMAINDER] = 0;
    this.#records.give(record, this.#state, UNUSED_RECORDS);
  }

  #place(record: number, before: number, after: number): void {
    const words = this.#words;
    words[record + BEFORE] = before;
    words[record + AFTER] = after;
    words[before + AFTER] = record;
    if (after !== 0) words[after + BEFORE] = record;
  }

  /** The chunk keeps its first `size` bytes; a new record, FREE and in no list, has the others. */
  #splitOff(record: number, size: number): number {
    const words = this.#words;
    const rest = this.#newRecord(words[record + ADDRESS]! + size, words[record + SIZE]! - size);
    if (rest === 0) return 0;
    words[record + SIZE] = size;
    this.#place(rest, record, words[record + AFTER]!);
    return rest;
  }

  // --------------------------------------------------------------------------------------- bins

  #unlink(record: number): void {
    const words = this.#words;
    const next = words[record + NEXT]!;
    const previous = words[record + PREVIOUS]!;
    words[previous + NEXT] = next;
    words[next + PREVIOUS] = previous;
  }

  #linkBefore(record: number, next: number): void {
    const words = this.#words;
    const previous = words[next + PREVIOUS]!;
    words[record + NEXT] = next;
    words[record + PREVIOUS] = previous;
    words[previous + NEXT] = record;
    words[next + PREVIOUS] = record;
  }

  #wait(record: number): void {
    const unsorted = this.#state[HEADS]! + UNSORTED * RECORD;
    this.#linkBefore(record, this.#words[unsorted + NEXT]!);
  }

  #insert(record: number, size: number): void {
    const words = this.#words;
    const bin = binOf(size >> this.#shift);
    const head = this.#state[HEADS]! + bin * RECORD;
    let next = words[head + NEXT]!;
    if (size >> this.#shift >= LARGE)
      while (next !== head && words[next + SIZE]! > size) next = words[next + NEXT]!;
    this.#linkBefore(record, next);
    this.#state[BIN_MAP + (bin >> 5)]! |= 1 << (bin & 31);
  }

  // ------------------------------------------------------------------------------------ looking

  /** All chunks of the heap, segment by segment. */
  *chunks(): Generator<number> {
    const words = this.#words;
    for (let edge = this.#state[EDGES]!; edge !== 0; edge = words[edge + NEXT]!)
      for (let record = words[edge + AFTER]!; record !== 0; record = words[record + AFTER]!) yield record;
  }

  check(): string | undefined {
    const words = this.#words;
    for (let list = FAST_LISTS; list < BIN_MAP; list++)
      for (let record = this.#state[list]!; record !== 0; record = words[record + NEXT]!)
        if (words[record + STATE] !== (FAST | INDEXED) || words[record + SIZE] !== (list - FAST_LISTS) << 4)
          return `record ${record} does not belong in its fast list`;
    const waiting = new Set<number>();
    const problem = this.#checkBins(waiting);
    if (problem !== undefined) return problem;
    for (const record of this.chunks()) {
      const wrong = this.#checkChunk(record, waiting);
      if (wrong !== undefined) return wrong;
    }
    return this.#index.check();
  }

  #checkBins(waiting: Set<number>): string | undefined {
    const words = this.#words;
    for (let bin = UNSORTED; bin < BINS; bin++) {
      const head = this.#state[HEADS]! + bin * RECORD;
      let last = Number.POSITIVE_INFINITY;
      for (let record = words[head + NEXT]!; record !== head; record = words[record + NEXT]!) {
        const size = words[record + SIZE]!;
        waiting.add(record);
        if ((words[record + STATE]! & ~INDEXED) !== FREE)
          return `record ${record} is in bin ${bin} and not free`;
        if (words[words[record + PREVIOUS]! + NEXT] !== record)
          return `bin ${bin}: broken links at ${record}`;
        if (bin === UNSORTED) continue;
        if (binOf(size >> this.#shift) !== bin) return `record ${record} of ${size} bytes is in bin ${bin}`;
        if (size > last) return `bin ${bin} is not sorted at ${record}`;
        if (!((this.#state[BIN_MAP + (bin >> 5)]! >> (bin & 31)) & 1))
          return `the bit of bin ${bin} is clear`;
        last = size;
      }
    }
    return undefined;
  }

  #checkChunk(record: number, waiting: ReadonlySet<number>): string | undefined {
    const words = this.#words;
    const state = words[record + STATE]!;
    const kind = state & ~INDEXED;
    const address = words[record + ADDRESS]!;
    const size = words[record + SIZE]!;
    const after = words[record + AFTER]!;
    if (size <= 0 || size % this.#unit !== 0) return `record ${record} has ${size} bytes`;
    if ((kind === FREE) !== waiting.has(record))
      return `record ${record} is free and in no bin, or the reverse`;
    if ((kind === IN_USE || kind === FAST) && !(state & INDEXED)) return `record ${record} is not indexed`;
    if (state & INDEXED && this.#index.find(address) !== record) return `the index does not find ${record}`;
    if (kind === TOP && (after !== 0 || record !== this.#state[TOP_RECORD])) return `${record} is not a top`;
    if (after === 0) return undefined;
    if (words[after + BEFORE] !== record) return `the neighbours ${record} and ${after} disagree`;
    if (words[after + ADDRESS] !== address + size) return `there is a gap between ${record} and ${after}`;
    const next = words[after + STATE]! & ~INDEXED;
    return kind === FREE && (next === FREE || next === TOP) ? `two free neighbours at ${record}` : undefined;
  }
}
