/**
 * dlmalloc: Doug Lea's malloc as it was in the 2.6 series (1996–2000), before it began to check what it reads.
 *
 * Memory is a row of chunks. A chunk tells its own size, and a free one also tells it at its end, to the chunk behind it
 * (the *boundary tag*): so both neighbours of a chunk are found, and merged with, in constant time. All of this lies
 * in the program's memory, between its own data, as on an LP64 machine:
 *
 *     chunk  ─▶ ┌────────────────────────────────┐
 *          +0   │ size of the chunk before,      │   belongs to the chunk before while that is in use
 *               │ if that one is free            │
 *          +8   │ size of this chunk         │ │P│   P: the chunk before is in use
 *  address ─▶   ├────────────────────────────────┤
 *         +16   │ fd: next in its bin            │   in use: the program's bytes begin here
 *         +24   │ bk: previous in its bin        │
 *               │ ...                            │
 *               └────────────────────────────────┘
 *       +size   │ size of this chunk, if free    │   in use: the program's last 8 bytes
 *
 * Free chunks wait in bins (`lea-bins.ts`), lists whose heads are laid out as if they were chunks of which only fd and bk exist,
 * so that `unlink` need not know about heads. The heads, the bit map and the address of the top chunk lie at the start
 * of the heap, as they lie in libc's data in a real process. The *top* chunk borders the break and is used last.
 *
 *     malloc   the bin of the size; then the smallest chunk of the next bin that has one, split; then the top
 *     free     merges with both neighbours at once; what borders the top becomes part of it
 *
 * Nothing is verified. `unlink` of a chunk whose fd and bk an attacker has written stores two words wherever they say: that
 * is the classic attack, and it works here. Left out of 2.6.6: the "last remainder" list and mmap.
 *
 * Invariants (`check`)
 *   - Chunks tile the heap from its first to the top; sizes are multiples of 16, at least 32.
 *   - No two free chunks are neighbours; P tells the truth; a free chunk's size stands at its end too.
 *   - Each free chunk but the top is in exactly the bin of its size, sorted by size if that bin holds several.
 *   - A bin that is not empty has its bit set.
 */
import { BINS, binOf, LARGE, nextMarked } from './lea-bins.js';
import type { LinearMemory } from './linear-memory.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, isPowerOfTwo, type Visit } from './malloc.js';

const HEADER = 16;
/** What a chunk needs besides the program's bytes: the size; the first field is lent. */
const OVERHEAD = 8;
const MINIMUM = 32;
const PREVIOUS_IN_USE = 1;
const FLAGS = 7;
/** Larger requests would overflow when they are rounded up. */
const LARGEST_REQUEST = 0xffff_ff00;
const GROWTH = 65_536;

/** The state at the heap's start, in bytes. */
const TOP = 0;
const BIN_MAP = 8;
const BIN_HEADS = 32;
const STATE_BYTES = BIN_HEADS + BINS * 16;

export class Dlmalloc extends CommonMalloc {
  readonly #state: number;

  constructor(memory: LinearMemory) {
    super(memory);
    this.#state = memory.start;
    if (memory.sbrk(STATE_BYTES + MINIMUM) < 0) return;
    for (let bin = 0; bin < BINS; bin++) this.#link(this.#head(bin), this.#head(bin));
    this.#setTop(this.#first, MINIMUM);
  }

  readonly bytesApart: number = 0;

  malloc(bytes: number): number {
    this.problem = undefined;
    if (bytes > LARGEST_REQUEST) return 0;
    const size = chunkSize(bytes);
    const chunk = this.#fromBins(size) || (this.problem === undefined ? this.#fromTop(size) : 0);
    return chunk === 0 ? 0 : chunk + HEADER;
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const chunk = address - HEADER;
    if (!this.#isMapped(chunk)) return this.refuse('fault');
    this.#release(chunk, this.#size(chunk));
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
    let aligned = (address + alignment - 1) & -alignment;
    if (aligned !== address && aligned - address < MINIMUM) aligned += alignment;
    if (aligned !== address) {
      const before = aligned - address;
      const rest = chunk + before;
      this.#setSize(rest, this.#size(chunk) - before, PREVIOUS_IN_USE);
      this.#setSize(chunk, before, this.#previousInUse(chunk));
      this.#release(chunk, before);
      chunk = rest;
    }
    this.#trim(chunk, size);
    return aligned;
  }

  usableSize(address: number): number {
    return address === 0 ? 0 : this.#size(address - HEADER) - OVERHEAD;
  }

  protected override resize(address: number, bytes: number): boolean {
    if (bytes > LARGEST_REQUEST) return false;
    const chunk = address - HEADER;
    const wanted = chunkSize(bytes);
    let size = this.#size(chunk);
    if (wanted > size) {
      const after = chunk + size;
      if (!this.#isMapped(after)) return false;
      const gained = this.#size(after);
      if (after === this.#top) {
        if (size + gained < wanted + MINIMUM) return false;
        this.#setTop(chunk + wanted, size + gained - wanted);
        this.#setSize(chunk, wanted, this.#previousInUse(chunk));
        return true;
      }
      if (this.#isInUse(after, gained) || size + gained < wanted || !this.#unlink(after)) return false;
      size += gained;
      this.#setSize(chunk, size, this.#previousInUse(chunk));
      this.#setPreviousInUse(chunk + size);
    }
    this.#trim(chunk, wanted);
    return this.problem === undefined;
  }

  // ------------------------------------------------------------------------------------- taking

  #fromBins(size: number): number {
    const { words } = this.memory;
    let bin = size < 0x4000_0000 ? binOf(size) : BINS;
    if (bin < BINS) {
      const head = this.#head(bin);
      let chunk = words[(head + 24) >> 2]!;
      // One size, or the smallest of them last.
      while (chunk !== head && this.#size(chunk) < size) {
        chunk = words[(chunk + 24) >> 2]!;
        if (!this.#isMapped(chunk)) return this.fail('fault');
      }
      if (chunk !== head) return this.#take(chunk, size);
    }
    for (
      bin = nextMarked(words, this.#map, bin + 1);
      bin < BINS;
      bin = nextMarked(words, this.#map, bin + 1)
    ) {
      const head = this.#head(bin);
      const chunk = words[(head + 24) >> 2]!;
      if (chunk !== head) return this.#take(chunk, size);
      words[this.#map + (bin >> 5)]! &= ~(1 << (bin & 31));
    }
    return 0;
  }

  /** The chunk leaves its bin and is in use; what it has too much goes back. */
  #take(chunk: number, size: number): number {
    if (!this.#unlink(chunk)) return 0;
    this.#setPreviousInUse(chunk + this.#size(chunk));
    this.#trim(chunk, size);
    return this.problem === undefined ? chunk : 0;
  }

  #fromTop(size: number): number {
    let top = this.#top;
    let room = this.#size(top);
    if (room < size + MINIMUM) {
      const growth = (size + MINIMUM - room + GROWTH - 1) & -GROWTH;
      const old = size < 0x4000_0000 ? this.memory.sbrk(growth) : -1;
      if (old < 0) return this.#fromLastBytes(size);
      room += growth;
      this.#setTop(top, room);
    }
    const chunk = top;
    top = (chunk + size) | 0;
    if (!this.#isMapped(top)) return this.fail('fault');
    this.#setTop(top, room - size);
    this.#setSize(chunk, size, PREVIOUS_IN_USE);
    return chunk;
  }

  /** Less than a step of growth is left: what exactly is missing may still be there. */
  #fromLastBytes(size: number): number {
    const missing = size + MINIMUM - this.#size(this.#top);
    if (missing > this.memory.limit || this.memory.sbrk(missing) < 0) return 0;
    this.#setTop(this.#top, size + MINIMUM);
    return this.#fromTop(size);
  }

  // ------------------------------------------------------------------------------------- giving

  /** Bytes from `chunk` on are free: merges them with their neighbours and puts them where free chunks are. */
  #release(chunk: number, size: number): void {
    const { words } = this.memory;
    if (!this.#previousInUse(chunk)) {
      const before = words[chunk >> 2]!;
      chunk = (chunk - before) | 0;
      size = (size + before) >>> 0;
      if (!this.#isMapped(chunk) || !this.#unlink(chunk)) return void this.fail('fault');
    }
    const after = (chunk + size) | 0;
    if (after === this.#top) {
      this.#setTop(chunk, size + this.#size(after));
      return;
    }
    if (!this.#isMapped(after)) return void this.fail('fault');
    const afterSize = this.#size(after);
    if (!this.#isInUse(after, afterSize)) {
      if (!this.#unlink(after)) return;
      size = (size + afterSize) >>> 0;
    }
    this.#setSize(chunk, size, PREVIOUS_IN_USE);
    const behind = (chunk + size) | 0;
    if (!this.#isMapped(behind)) return void this.fail('fault');
    words[behind >> 2] = size;
    words[(behind >> 2) + 1] = 0;
    words[(behind + 8) >> 2]! &= ~PREVIOUS_IN_USE;
    this.#insert(chunk, size);
  }

  /** The chunk is in use and gives back what lies behind its first `wanted` bytes. */
  #trim(chunk: number, wanted: number): void {
    const rest = this.#size(chunk) - wanted;
    if (rest < MINIMUM) return;
    this.#setSize(chunk, wanted, this.#previousInUse(chunk));
    this.#setSize(chunk + wanted, rest, PREVIOUS_IN_USE);
    this.#release(chunk + wanted, rest);
  }

  #insert(chunk: number, size: number): void {
    const { words } = this.memory;
    const bin = binOf(size & 0x7fff_fff0);
    const head = this.#head(bin);
    let after = words[(head + 16) >> 2]!;
    if (size >= LARGE) {
      while (after !== head && this.#size(after) > size) {
        after = words[(after + 16) >> 2]!;
        if (!this.#isMapped(after)) return void this.fail('fault');
      }
    }
    const before = words[(after + 24) >> 2]!;
    this.#link(before, chunk);
    this.#link(chunk, after);
    words[this.#map + (bin >> 5)]! |= 1 << (bin & 31);
  }

  /** Believes what fd and bk say. */
  #unlink(chunk: number): boolean {
    const { words } = this.memory;
    const fd = words[(chunk + 16) >> 2]!;
    const bk = words[(chunk + 24) >> 2]!;
    if (!this.#isMapped(fd) || !this.#isMapped(bk)) {
      this.problem = 'fault';
      return false;
    }
    this.#link(bk, fd);
    return true;
  }

  /** Makes `fd` follow `bk` in a list; in the order of the macro, on which attacks rely. */
  #link(bk: number, fd: number): void {
    const { words } = this.memory;
    const forward = (bk + 16) >> 2;
    const backward = (fd + 24) >> 2;
    words[backward] = bk;
    words[backward + 1] = 0;
    words[forward] = fd;
    words[forward + 1] = 0;
  }

  // ------------------------------------------------------------------------------------- fields

  get #first(): number {
    return this.#state + STATE_BYTES;
  }

  get #top(): number {
    return this.memory.words[(this.#state + TOP) >> 2]!;
  }

  /** The index of the bit map's first word. */
  get #map(): number {
    return (this.#state + BIN_MAP) >> 2;
  }

  /** The head of a bin, as if it were a chunk. */
  #head(bin: number): number {
    return this.#state + BIN_HEADS - HEADER + bin * 16;
  }

  #setTop(chunk: number, size: number): void {
    this.memory.words[(this.#state + TOP) >> 2] = chunk;
    this.#setSize(chunk, size, PREVIOUS_IN_USE);
  }

  #size(chunk: number): number {
    return (this.memory.words[(chunk + 8) >> 2]! & ~FLAGS) >>> 0;
  }

  #setSize(chunk: number, size: number, flags: number): void {
    const at = (chunk + 8) >> 2;
    this.memory.words[at] = size | flags;
    this.memory.words[at + 1] = 0;
  }

  #previousInUse(chunk: number): number {
    return this.memory.words[(chunk + 8) >> 2]! & PREVIOUS_IN_USE;
  }

  #setPreviousInUse(chunk: number): void {
    this.memory.words[(chunk + 8) >> 2]! |= PREVIOUS_IN_USE;
  }

  /** The chunk behind it knows. */
  #isInUse(chunk: number, size: number): boolean {
    return (this.memory.words[(((chunk + size) | 0) + 8) >> 2]! & PREVIOUS_IN_USE) !== 0;
  }

  #isMapped(chunk: number): boolean {
    return chunk >>> 0 < this.memory.end - MINIMUM;
  }

  // ------------------------------------------------------------------------------------ looking

  walk(visit: Visit): void {
    const top = this.#top;
    visit('metadata', this.#state, STATE_BYTES + OVERHEAD);
    for (let chunk = this.#first; chunk !== top; ) {
      const size = this.#size(chunk);
      if (this.#isInUse(chunk, size)) {
        visit('metadata', chunk + 8, OVERHEAD);
        visit('client', chunk + HEADER, size - OVERHEAD);
      } else {
        visit('metadata', chunk + 8, 24);
        if (size > MINIMUM) visit('free', chunk + 32, size - MINIMUM);
        visit('metadata', chunk + size, 8);
      }
      chunk += size;
    }
    visit('metadata', top + 8, OVERHEAD);
    visit('free', top + HEADER, this.memory.break - top - HEADER);
  }

  check(): string | undefined {
    const { words } = this.memory;
    const top = this.#top;
    const waiting = new Map<number, number>();
    for (let bin = 2; bin < BINS; bin++) {
      const head = this.#head(bin);
      let last = Number.POSITIVE_INFINITY;
      for (let chunk = words[(head + 16) >> 2]!; chunk !== head; chunk = words[(chunk + 16) >> 2]!) {
        const size = this.#size(chunk);
        if (binOf(size) !== bin) return `chunk ${chunk} of ${size} bytes is in bin ${bin}`;
        if (size > last) return `bin ${bin} is not sorted at chunk ${chunk}`;
        if (words[(words[(chunk + 24) >> 2]! + 16) >> 2] !== chunk)
          return `bin ${bin}: broken links at ${chunk}`;
        if (!((words[this.#map + (bin >> 5)]! >> (bin & 31)) & 1)) return `the bit of bin ${bin} is clear`;
        waiting.set(chunk, size);
        last = size;
      }
    }
    let previousIsFree = false;
    for (let chunk = this.#first; chunk !== top; ) {
      const size = this.#size(chunk);
      if (size < MINIMUM || size % 16 !== 0 || chunk + size > top) return `chunk ${chunk} has ${size} bytes`;
      const isFree = !this.#isInUse(chunk, size);
      if ((this.#previousInUse(chunk) === 0) !== previousIsFree)
        return `chunk ${chunk} is wrong about its past`;
      if (isFree && previousIsFree) return `two free neighbours at ${chunk}`;
      if (isFree && words[(chunk + size) >> 2] !== size) return `the boundary tag of ${chunk} is wrong`;
      if (isFree !== waiting.delete(chunk)) return `chunk ${chunk} is free and in no bin, or the reverse`;
      previousIsFree = isFree;
      chunk += size;
    }
    if (previousIsFree) return 'the chunk before the top is free';
    if (top + this.#size(top) !== this.memory.break) return 'the top does not end at the break';
    return waiting.size === 0 ? undefined : 'a bin holds what is no chunk';
  }
}

function chunkSize(bytes: number): number {
  const size = bytes + OVERHEAD + ALIGNMENT - 1;
  const rounded = size - (size % ALIGNMENT);
  return rounded < MINIMUM ? MINIMUM : rounded;
}
