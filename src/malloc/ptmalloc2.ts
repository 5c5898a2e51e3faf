/**
 * ptmalloc2: Wolfram Gloger's malloc, which became glibc's; with the checks that glibc had from
 * 2.3.4 (2004) on.
 *
 * Chunks are those of `dlmalloc.ts`: sizes and links in line, boundary tags, bins. What is new:
 *
 *   fast bins    freed chunks of up to 128 bytes are put on a singly linked list of their size, marked as in use, not merged.
 *   unsorted     other freed chunks, and rests of splits, wait in one list until a malloc has to walk through it; each
 *                is then used at once if it fits exactly, or put in its bin.
 *   arenas       several heaps, each with a lock; a worker takes the one it prefers, or one whose lock is free.
 *
 * Everything is in the program's memory. The states of the arenas come first, then segments:
 *
 *     start ─▶ ┌─────────┬─────────┬───┐ ┌────────┬──────────────────────┐ ┌────────┬─────────────
 *              │ arena 0 │ arena 1 │ … │ │ header │ chunks … top         │ │ header │ chunks …
 *              └─────────┴─────────┴───┘ └────────┴──────────────────────┘ └────────┴─────────────
 *
 *     arena     lock, have-fast flag, fast bins, top, last remainder, memory in all, first segment, bit map, heads of bins
 *     segment   arena, next segment of the arena, end
 *     size      … │ N │ M │ P │   P: previous in use   M: belongs to no block, closes a segment   N: not of the main arena
 *
 * The main arena (0) extends its segment with the break, whatever size is needed. The others have
 * segments of 1 MiB at multiples of 1 MiB; the arena of a chunk marked N is found by rounding its
 * address down. A larger request goes to the main arena. When a segment is full, its top is closed
 * by two chunks of 16 bytes in use, and freed.
 *
 * Checked, by the names of glibc's messages, and reported as `corrupted` unless said otherwise
 *   - unlink: "corrupted double-linked list";
 *   - malloc: "memory corruption (fast)", a fast chunk of another size; "memory corruption", an
 *     unsorted one of impossible size;
 *   - free: "invalid pointer" (`invalid-free`); "double free or corruption" fasttop, top, out,
 *     !prev (`double-free`); "invalid next size".
 * Not checked, because glibc did not then: taking from the unsorted, small and large bins; the size
 * of the top. Left out: mmap, and giving back.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest has 24 bytes; the largest just under 1 GiB
 *   Overhead       8 bytes in line for each block, and up to 15 for rounding; 2176 bytes for each arena, 32 for each segment. Nothing apart
 *   Threads        any number; those that need the same arena wait
 *   Notices        what the list above says
 *
 * Invariants (`check`): those of dlmalloc for each segment, where chunks in fast bins count as in
 * use; each chunk of a fast bin has the size of that bin.
 */
import { isPowerOfTwo } from '../support/power-of-two.js';
import {
  BINS_BYTES,
  chunkSize,
  GROWTH,
  HEADER,
  headOf,
  InlineChunks,
  LARGEST_REQUEST,
  MINIMUM,
  OVERHEAD,
  PREVIOUS_IN_USE,
} from './inline-chunks.js';
import { LARGE, UNSORTED } from './lea-bins.js';
import type { LinearMemory } from './linear-memory.js';
import { acquire, release } from './lock.js';
import { ALIGNMENT, type FreeOutcome, type Visit } from './malloc.js';

const CLOSING = 2;
const NOT_MAIN = 4;
const LARGEST_FAST = 128;
/** Freeing this much at once merges the fast chunks. */
const CONSOLIDATE_AT = 65_536;

/** An arena, in bytes. */
const LOCK = 0;
const HAS_FAST = 4;
const FAST = 8;
const TOP = 72;
const LAST_REMAINDER = 80;
const MEMORY_IN_ALL = 88;
const SEGMENTS = 96;
const BIN_SET = 104;
const ARENA_BYTES = BIN_SET + BINS_BYTES;

/** A segment, in bytes. */
const SEGMENT_ARENA = 0;
const SEGMENT_NEXT = 8;
const SEGMENT_END = 16;
const SEGMENT_HEADER = 32;
const SEGMENT_BYTES = 1 << 20;

export class Ptmalloc2 extends InlineChunks {
  readonly #arenas: number;
  readonly #preferred: number;
  readonly #main: number;

  /** The first worker makes the arenas, others attach themselves to the same memory. */
  constructor(memory: LinearMemory, arenas = 1, worker = 0) {
    super(memory);
    this.#arenas = arenas;
    this.#main = memory.start;
    this.#preferred = this.#main + (worker % arenas) * ARENA_BYTES;
    if (memory.break !== memory.start || memory.sbrk(ARENA_BYTES * arenas) < 0) return;
    for (let i = 0; i < arenas; i++) this.emptyBins(this.#main + i * ARENA_BYTES + BIN_SET);
  }

  malloc(bytes: number): number {
    this.problem = undefined;
    if (bytes > LARGEST_REQUEST) return 0;
    const size = chunkSize(bytes);
    const arena = this.#enter();
    let chunk = this.#take(arena, size);
    this.#leave(arena);
    if (chunk === 0 && this.#arenas > 1) chunk = this.#fromOtherArena(arena, size);
    return chunk === 0 ? 0 : chunk + HEADER;
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const chunk = address - HEADER;
    if (!this.isMapped(chunk)) return this.refuse('fault');
    const size = this.size(chunk);
    if (address % ALIGNMENT !== 0 || size < MINIMUM || chunk + size > 0xffff_ffff)
      return this.refuse('invalid-free');
    const arena = this.#arenaOf(chunk);
    if (arena === 0) return this.refuse('fault');
    this.#lock(arena);
    if (size <= LARGEST_FAST) this.#giveFast(arena, chunk, size);
    else this.#give(arena, chunk, size);
    this.#leave(arena);
    return this.problem ?? 'ok';
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    if (!isPowerOfTwo(alignment) || bytes > LARGEST_REQUEST - 2 * alignment) return 0;
    if (alignment <= ALIGNMENT) return this.malloc(bytes);
    const size = chunkSize(bytes);
    const address = this.malloc(size + alignment + MINIMUM);
    if (address === 0) return 0;
    let chunk = address - HEADER;
    const arena = this.#arenaOf(chunk);
    this.#lock(arena);
    let aligned = (address + alignment - 1) & -alignment;
    if (aligned !== address && aligned - address < MINIMUM) aligned += alignment;
    if (aligned !== address) {
      const before = aligned - address;
      const rest = chunk + before;
      this.setSize(rest, this.size(chunk) - before, PREVIOUS_IN_USE | this.#mark(arena));
      this.setSize(chunk, before, this.flags(chunk));
      this.#give(arena, chunk, before);
      chunk = rest;
    }
    this.#trim(arena, chunk, size);
    this.#leave(arena);
    return aligned;
  }

  protected override resize(address: number, bytes: number): boolean {
    if (bytes > LARGEST_REQUEST) return false;
    const chunk = address - HEADER;
    const wanted = chunkSize(bytes);
    const arena = this.#arenaOf(chunk);
    if (arena === 0) return false;
    this.#lock(arena);
    const isDone = this.#resize(arena, chunk, wanted);
    this.#leave(arena);
    return isDone;
  }

  #resize(arena: number, chunk: number, wanted: number): boolean {
    let size = this.size(chunk);
    if (wanted > size) {
      const after = chunk + size;
      if (!this.isMapped(after)) return false;
      const gained = this.size(after);
      if (after === this.word(arena + TOP)) {
        if (size + gained < wanted + MINIMUM) return false;
        this.#setTop(arena, chunk + wanted, size + gained - wanted);
        this.setSize(chunk, wanted, this.flags(chunk));
        return true;
      }
      if (this.isInUse(after, gained) || size + gained < wanted || !this.#unlink(after)) return false;
      size += gained;
      this.setSize(chunk, size, this.flags(chunk));
      this.setPreviousInUse(chunk + size);
    }
    this.#trim(arena, chunk, wanted);
    return this.problem === undefined;
  }

  // ------------------------------------------------------------------------------------- arenas

  /** Locks an arena until it is left: the preferred one, or another whose lock is free. */
  #enter(): number {
    const preferred = this.#preferred;
    if (this.#arenas === 1) return preferred;
    const { words } = this.memory;
    for (let i = 0, arena = preferred; i < this.#arenas; i++) {
      if (Atomics.compareExchange(words, (arena + LOCK) >> 2, 0, 1) === 0) return arena;
      arena += ARENA_BYTES;
      if (arena === this.#main + this.#arenas * ARENA_BYTES) arena = this.#main;
    }
    this.#lock(preferred);
    return preferred;
  }

  #lock(arena: number): void {
    if (this.#arenas > 1) acquire(this.memory.words, (arena + LOCK) >> 2);
  }

  #leave(arena: number): void {
    if (this.#arenas > 1) release(this.memory.words, (arena + LOCK) >> 2);
  }

  #fromOtherArena(full: number, size: number): number {
    for (let i = 0; i < this.#arenas && this.problem === undefined; i++) {
      const arena = this.#main + i * ARENA_BYTES;
      if (arena === full) continue;
      this.#lock(arena);
      const chunk = this.#take(arena, size);
      this.#leave(arena);
      if (chunk !== 0) return chunk;
    }
    return 0;
  }

  /** The arena according to the chunk; 0 if it is invalid. */
  #arenaOf(chunk: number): number {
    if ((this.word(chunk + 8) & NOT_MAIN) === 0) return this.#main;
    const arena = this.word((chunk & -SEGMENT_BYTES) + SEGMENT_ARENA);
    const isArena = arena > this.#main && arena < this.#main + this.#arenas * ARENA_BYTES;
    return isArena && (arena - this.#main) % ARENA_BYTES === 0 ? arena : 0;
  }

  /** The arena bit in the size of a used chunk. */
  #mark(arena: number): number {
    return arena === this.#main ? 0 : NOT_MAIN;
  }

  // ------------------------------------------------------------------------------------- taking

  #take(arena: number, size: number): number {
    const { words } = this.memory;
    if (size <= LARGEST_FAST) {
      const list = (arena + FAST + (size >> 1) - 16) >> 2;
      const chunk = words[list]!;
      if (chunk !== 0) {
        if (!this.isMapped(chunk)) return this.fail('fault');
        if (this.size(chunk) !== size) return this.fail('corrupted');
        words[list] = words[(chunk + 16) >> 2]!;
        return chunk;
      }
    }
    if (size < LARGE) {
      const bin = headOf(arena + BIN_SET, size >> 4);
      const chunk = words[(bin + 24) >> 2]!;
      if (chunk !== bin) {
        if (!this.#takeLast(bin, chunk)) return 0;
        return this.#use(arena, chunk, size);
      }
    } else if (words[(arena + HAS_FAST) >> 2] !== 0) {
      this.#mergeFast(arena);
    }
    if (this.problem !== undefined) return 0;
    const sorted = this.#sortUntilFound(arena, size);
    if (sorted !== 0 || this.problem !== undefined) return sorted;
    const best = this.bestFit(arena + BIN_SET, size);
    if (best !== 0 || this.problem !== undefined) return best && this.#split(arena, best, size);
    return this.#fromTop(arena, size);
  }

  /**
   * Puts the unsorted chunks in their bins; stops at one that fits exactly, or can be split as the
   * last remainder.
   */
  #sortUntilFound(arena: number, size: number): number {
    const { words } = this.memory;
    const unsorted = unsortedOf(arena);
    for (;;) {
      const chunk = words[(unsorted + 24) >> 2]!;
      if (chunk === unsorted) return 0;
      if (!this.isMapped(chunk)) return this.fail('fault');
      const found = this.size(chunk);
      if (found < MINIMUM || found > words[(arena + MEMORY_IN_ALL) >> 2]!) return this.fail('corrupted');
      const isLast = words[(chunk + 24) >> 2] === unsorted;
      const isRemainder = isLast && chunk === words[(arena + LAST_REMAINDER) >> 2];
      if (isRemainder && size < LARGE && found >= size + MINIMUM)
        return this.#splitRemainder(arena, chunk, size);
      if (!this.#takeLast(unsorted, chunk)) return 0;
      if (found === size) return this.#use(arena, chunk, size);
      this.insert(arena + BIN_SET, chunk, found);
      if (this.problem !== undefined) return 0;
    }
  }

  /** Small requests one after another are cut from one chunk, so that they lie together. */
  #splitRemainder(arena: number, chunk: number, size: number): number {
    const { words } = this.memory;
    const rest = chunk + size;
    const left = this.size(chunk) - size;
    const unsorted = unsortedOf(arena);
    this.link(unsorted, rest);
    this.link(rest, unsorted);
    words[(arena + LAST_REMAINDER) >> 2] = rest;
    this.setSize(chunk, size, PREVIOUS_IN_USE | this.#mark(arena));
    this.setFree(rest, left);
    return chunk;
  }

  /** Removes the chunk from its bin; the excess goes to the unsorted bin. */
  #split(arena: number, chunk: number, size: number): number {
    const { words } = this.memory;
    if (!this.isMapped(chunk)) return this.fail('fault');
    const left = this.size(chunk) - size;
    if (!this.#unlink(chunk)) return 0;
    if (left < MINIMUM) return this.#use(arena, chunk, size + left);
    const rest = chunk + size;
    this.setSize(chunk, size, PREVIOUS_IN_USE | this.#mark(arena));
    this.setFree(rest, left);
    this.pushFront(unsortedOf(arena), rest);
    if (size < LARGE) words[(arena + LAST_REMAINDER) >> 2] = rest;
    return chunk;
  }

  /** A whole free chunk, already in no list, comes into use. */
  #use(arena: number, chunk: number, size: number): number {
    const after = (chunk + size) | 0;
    if (!this.isMapped(after)) return this.fail('fault');
    this.setPreviousInUse(after);
    this.memory.words[(chunk + 8) >> 2]! |= this.#mark(arena);
    return chunk;
  }

  #fromTop(arena: number, size: number): number {
    const top = this.word(arena + TOP);
    const room = top === 0 ? 0 : this.size(top);
    if (room >= size + MINIMUM) {
      const rest = (top + size) | 0;
      if (!this.isMapped(rest)) return this.fail('fault');
      this.#setTop(arena, rest, room - size);
      this.setSize(top, size, PREVIOUS_IN_USE | this.#mark(arena));
      return top;
    }
    if (this.word(arena + HAS_FAST) !== 0) {
      this.#mergeFast(arena);
      return this.problem === undefined ? this.#take(arena, size) : 0;
    }
    if (size >= 0x4000_0000) return 0;
    const hasGrown = arena === this.#main ? this.#growMain(size, top, room) : this.#addSegment(arena, size);
    return hasGrown ? this.#fromTop(arena, size) : 0;
  }

  // ------------------------------------------------------------------------------------- giving

  #giveFast(arena: number, chunk: number, size: number): void {
    const { words } = this.memory;
    const list = (arena + FAST + (size >> 1) - 16) >> 2;
    const next = this.size(chunk + size);
    if (next < 16 || next > words[(arena + MEMORY_IN_ALL) >> 2]!) return void this.fail('corrupted');
    if (words[list] === chunk) return void this.fail('double-free');
    words[(chunk + 16) >> 2] = words[list]!;
    words[(chunk + 20) >> 2] = 0;
    words[list] = chunk;
    words[(arena + HAS_FAST) >> 2] = 1;
  }

  #give(arena: number, chunk: number, size: number): void {
    const { words } = this.memory;
    const top = words[(arena + TOP) >> 2]!;
    const after = (chunk + size) | 0;
    if (chunk === top) return void this.fail('double-free');
    if (!this.isMapped(after) || (arena === this.#main && after > this.memory.break))
      return void this.fail('double-free');
    if ((this.word(after + 8) & PREVIOUS_IN_USE) === 0) return void this.fail('double-free');
    const next = this.size(after);
    if (next < 16 || next > words[(arena + MEMORY_IN_ALL) >> 2]!) return void this.fail('corrupted');
    const merged = this.#merge(arena, chunk, size);
    if (merged >= CONSOLIDATE_AT && words[(arena + HAS_FAST) >> 2] !== 0) this.#mergeFast(arena);
  }

  /** Joins the chunk with its free neighbours; the size of the result. */
  #merge(arena: number, chunk: number, size: number): number {
    const { words } = this.memory;
    if ((this.word(chunk + 8) & PREVIOUS_IN_USE) === 0) {
      const before = words[chunk >> 2]!;
      chunk = (chunk - before) | 0;
      size = (size + before) >>> 0;
      if (!this.isMapped(chunk)) return this.fail('fault');
      if (!this.#unlink(chunk)) return 0;
    }
    const after = (chunk + size) | 0;
    const afterSize = this.size(after);
    if (after === words[(arena + TOP) >> 2]) {
      size += afterSize;
      this.#setTop(arena, chunk, size);
      return size;
    }
    if (!this.isInUse(after, afterSize)) {
      if (!this.#unlink(after)) return 0;
      size = (size + afterSize) >>> 0;
    } else {
      words[(after + 8) >> 2]! &= ~PREVIOUS_IN_USE;
    }
    if (!this.isMapped((chunk + size) | 0)) return this.fail('fault');
    this.setFree(chunk, size);
    this.pushFront(unsortedOf(arena), chunk);
    return size;
  }

  /** Empties the fast bins: their chunks are merged like others. */
  #mergeFast(arena: number): void {
    const { words } = this.memory;
    words[(arena + HAS_FAST) >> 2] = 0;
    for (let list = (arena + FAST) >> 2; list < (arena + TOP) >> 2; list += 2) {
      let chunk = words[list]!;
      words[list] = 0;
      while (chunk !== 0) {
        if (!this.isMapped(chunk)) return void this.fail('fault');
        const next = words[(chunk + 16) >> 2]!;
        this.#merge(arena, chunk, this.size(chunk));
        if (this.problem !== undefined) return;
        chunk = next;
      }
    }
  }

  #trim(arena: number, chunk: number, wanted: number): void {
    const rest = this.size(chunk) - wanted;
    if (rest < MINIMUM) return;
    this.setSize(chunk, wanted, this.flags(chunk));
    this.setSize(chunk + wanted, rest, PREVIOUS_IN_USE | this.#mark(arena));
    this.#merge(arena, chunk + wanted, rest);
  }

  // ----------------------------------------------------------------------------------- segments

  #growMain(size: number, top: number, room: number): boolean {
    const least = size + MINIMUM + SEGMENT_HEADER;
    let growth = (least + GROWTH - 1) & -GROWTH;
    let start = this.memory.sbrk(growth);
    if (start < 0 && top !== 0) {
      growth = size + MINIMUM - room;
      start = this.memory.sbrk(growth);
    }
    if (start < 0) {
      growth = least;
      start = this.memory.sbrk(growth);
    }
    if (start < 0) return false;
    const { words } = this.memory;
    if (top !== 0 && start === top + room) {
      words[(this.#main + MEMORY_IN_ALL) >> 2]! += growth;
      words[(words[(this.#main + SEGMENTS) >> 2]! + SEGMENT_END) >> 2] = start + growth;
      this.#setTop(this.#main, top, room + growth);
      return true;
    }
    if (growth < least) return false;
    this.#openSegment(this.#main, start, growth);
    return true;
  }

  #addSegment(arena: number, size: number): boolean {
    if (size + MINIMUM + SEGMENT_HEADER > SEGMENT_BYTES) return false;
    const start = this.memory.sbrkAligned(SEGMENT_BYTES, SEGMENT_BYTES);
    if (start < 0) return false;
    this.#openSegment(arena, start, SEGMENT_BYTES);
    return true;
  }

  #openSegment(arena: number, start: number, bytes: number): void {
    const { words } = this.memory;
    const oldTop = words[(arena + TOP) >> 2]!;
    words[(start + SEGMENT_ARENA) >> 2] = arena;
    words[(start + SEGMENT_NEXT) >> 2] = words[(arena + SEGMENTS) >> 2]!;
    words[(start + SEGMENT_END) >> 2] = start + bytes;
    words[(arena + SEGMENTS) >> 2] = start;
    words[(arena + MEMORY_IN_ALL) >> 2]! += bytes;
    this.#setTop(arena, start + SEGMENT_HEADER, bytes - SEGMENT_HEADER);
    if (oldTop !== 0) this.#close(arena, oldTop);
  }

  /** The old top ends in chunks in use, so that nothing merges across the end of its segment. */
  #close(arena: number, top: number): void {
    const size = this.size(top);
    const flags = this.flags(top);
    this.setSize(top + size - 16, 16, PREVIOUS_IN_USE | CLOSING);
    if (size < 2 * MINIMUM) {
      this.setSize(top, size - 16, flags | CLOSING);
      return;
    }
    this.setSize(top + size - 32, 16, PREVIOUS_IN_USE | CLOSING);
    this.setSize(top, size - 32, flags);
    this.#merge(arena, top, size - 32);
  }

  // -------------------------------------------------------------------------------------- lists

  /** Takes the last chunk of a list. Its bk is believed: that is the unsorted-bin attack. */
  #takeLast(list: number, chunk: number): boolean {
    const before = this.word(chunk + 24);
    if (!this.isMapped(before)) {
      this.problem = 'fault';
      return false;
    }
    this.link(before, list);
    return true;
  }

  #unlink(chunk: number): boolean {
    const fd = this.word(chunk + 16);
    const bk = this.word(chunk + 24);
    if (!this.isMapped(fd) || !this.isMapped(bk)) {
      this.problem = 'fault';
      return false;
    }
    if (this.word(fd + 24) !== chunk || this.word(bk + 16) !== chunk) {
      this.problem = 'corrupted';
      return false;
    }
    this.link(bk, fd);
    return true;
  }

  // ------------------------------------------------------------------------------------- fields

  #setTop(arena: number, chunk: number, size: number): void {
    this.memory.words[(arena + TOP) >> 2] = chunk;
    this.setSize(chunk, size, PREVIOUS_IN_USE);
  }

  // ------------------------------------------------------------------------------------ looking

  protected isLive(chunk: number): boolean {
    const arena = this.#arenaOf(chunk);
    if (arena === 0) return false;
    this.#lock(arena);
    const isLive = this.#isInSegment(arena, chunk) && !this.#fastChunks(arena).has(chunk);
    this.#leave(arena);
    return isLive;
  }

  /** Whether it is a chunk of the arena in use, or in a fast bin. */
  #isInSegment(arena: number, chunk: number): boolean {
    for (const segment of this.#segmentsOf(arena)) {
      const end = this.word(segment + SEGMENT_END);
      if (chunk < segment || chunk >= end) continue;
      const isChunk = chunk !== this.word(arena + TOP) && this.leadsTo(chunk, segment + SEGMENT_HEADER, end);
      return isChunk && (this.flags(chunk) & CLOSING) === 0 && this.isInUse(chunk, this.size(chunk));
    }
    return false;
  }

  *#arenaAddresses(): Generator<number> {
    for (let i = 0; i < this.#arenas; i++) yield this.#main + i * ARENA_BYTES;
  }

  *#segmentsOf(arena: number): Generator<number> {
    // The break only moves up, so each was made at a higher address than the one after it. A link
    // that contradicts this was overwritten by the program.
    for (let at = this.word(arena + SEGMENTS); at !== 0; ) {
      yield at;
      const next = this.word(at + SEGMENT_NEXT);
      at = next < at ? next : 0;
    }
  }

  /** The chunks of the fast bins, which look as if they were in use. */
  #fastChunks(arena: number): Set<number> {
    const chunks = new Set<number>();
    for (let list = arena + FAST; list < arena + TOP; list += 8)
      for (let chunk = this.word(list); chunk !== 0; chunk = this.word(chunk + 16)) {
        // A block that was freed twice leads back to itself.
        if (chunks.has(chunk) || !this.isMapped(chunk)) break;
        chunks.add(chunk);
      }
    return chunks;
  }

  walk(visit: Visit): void {
    visit('metadata', this.#main, this.#arenas * ARENA_BYTES);
    for (const arena of this.#arenaAddresses()) {
      const fast = this.#fastChunks(arena);
      for (const segment of this.#segmentsOf(arena)) this.#walkSegment(arena, segment, fast, visit);
    }
  }

  #walkSegment(arena: number, segment: number, fast: ReadonlySet<number>, visit: Visit): void {
    const top = this.word(arena + TOP);
    const end = this.word(segment + SEGMENT_END);
    visit('metadata', segment, SEGMENT_HEADER + 8);
    let chunk = segment + SEGMENT_HEADER;
    for (; chunk !== top && chunk < end; chunk += this.size(chunk)) {
      const size = this.size(chunk);
      if (this.flags(chunk) & CLOSING) {
        visit('metadata', chunk + 8, Math.min(size, end - chunk - 8));
      } else if (!this.isInUse(chunk, size)) {
        visit('metadata', chunk + 8, 24);
        if (size > MINIMUM) visit('free', chunk + 32, size - MINIMUM);
        visit('metadata', chunk + size, 8);
      } else if (fast.has(chunk)) {
        visit('metadata', chunk + 8, 16);
        visit('free', chunk + 24, size - 16);
      } else {
        visit('metadata', chunk + 8, OVERHEAD);
        visit('client', chunk + HEADER, size - OVERHEAD);
      }
    }
    if (chunk !== top) return;
    visit('metadata', top + 8, OVERHEAD);
    visit('free', top + HEADER, end - top - HEADER);
  }

  check(): string | undefined {
    for (const arena of this.#arenaAddresses()) {
      const waiting = new Set<number>();
      const problem = this.#checkFast(arena) ?? this.checkBins(arena + BIN_SET, waiting);
      if (problem !== undefined) return problem;
      for (const segment of this.#segmentsOf(arena)) {
        const wrong = this.#checkSegment(arena, segment, waiting);
        if (wrong !== undefined) return wrong;
      }
      if (waiting.size > 0) return 'a bin holds what is not a chunk';
    }
    return undefined;
  }

  #checkFast(arena: number): string | undefined {
    for (const chunk of this.#fastChunks(arena)) {
      const size = this.size(chunk);
      if (size > LARGEST_FAST || !this.isInUse(chunk, size))
        return `chunk ${chunk} does not belong in a fast bin`;
      if (this.word(arena + HAS_FAST) === 0) return 'there are fast chunks, but none are expected';
    }
    return undefined;
  }

  #checkSegment(arena: number, segment: number, waiting: Set<number>): string | undefined {
    const top = this.word(arena + TOP);
    const end = this.word(segment + SEGMENT_END);
    let previousIsFree = false;
    let chunk = segment + SEGMENT_HEADER;
    while (chunk !== top && chunk < end) {
      const size = this.size(chunk);
      const isClosing = (this.flags(chunk) & CLOSING) !== 0;
      if (size < (isClosing ? 16 : MINIMUM) || chunk + size > end) return `chunk ${chunk} has ${size} bytes`;
      const isFree = !isClosing && !this.isInUse(chunk, size);
      if (((this.flags(chunk) & PREVIOUS_IN_USE) === 0) !== previousIsFree)
        return `chunk ${chunk} is wrong about its past`;
      if (isFree && previousIsFree) return `two free neighbours at ${chunk}`;
      if (isFree && this.word(chunk + size) !== size) return `the boundary tag of ${chunk} is wrong`;
      if (isFree !== waiting.delete(chunk)) return `chunk ${chunk} is free and in no bin, or the reverse`;
      previousIsFree = isFree;
      chunk += size;
    }
    if (chunk === top && previousIsFree) return 'the chunk before the top is free';
    return chunk === top && top + this.size(top) !== end
      ? 'the top does not end with its segment'
      : undefined;
  }
}

function unsortedOf(arena: number): number {
  return headOf(arena + BIN_SET, UNSORTED);
}
