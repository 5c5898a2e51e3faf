/**
 * dlmalloc: Doug Lea's malloc as it was in the 2.6 series (1996–2000), before it began to check
 * what it reads.
 *
 * Memory is a row of chunks. A chunk stores its own size, and a free one also stores it at its end,
 * to the chunk after it (the *boundary tag*): so both neighbours of a chunk are found, and merged
 * with, in constant time. All of this lies in the program's memory, between its own data, as on an
 * LP64 machine:
 *
 *     │ size │ the program's bytes … │ size │ fd │ bk │ free … │ size │ size │ …        drawn in `inline-chunks.ts`
 *
 * Free chunks wait in bins. Those, and the address of the top chunk, lie at the start of the heap,
 * as they lie in libc's data in a real process. The *top* chunk borders the break and is used last.
 * What was left over by the last split, the *last remainder*, waits in a bin of its own, the first:
 * requests that follow each other are cut from it one after the other, and lie side by side.
 *
 *     malloc   a chunk of exactly the size, if small; the last remainder, which goes to its bin if it is too small; the
 *              smallest chunk of the bin, or of the next one that has some, split; the top
 *     free     merges with both neighbours at once; what borders the top becomes part of it, and what borders the last remainder, of that
 *
 * Nothing is verified. `unlink` of a chunk whose fd and bk an attacker has written stores two words
 * wherever they say: that is the classic attack, and it works here. Left out of 2.6.6: mmap.
 *
 * Vital statistics
 *   Blocks         at multiples of 16; the smallest, also that of malloc(0), has 24 bytes; the largest just under 1 GiB
 *   Overhead       8 bytes in line for each block, and up to 15 for rounding; a free chunk needs 32. Nothing apart
 *   Threads        one
 *   Notices        nothing: it frees whatever address it is given
 *
 * Invariants (`check`)
 *   - Chunks tile the heap from its first to the top; sizes are multiples of 16, at least 32.
 *   - No two free chunks are neighbours; P is correct; a free chunk's size stands at its end
 *     too.
 *   - Each free chunk but the top is in exactly one bin: the first has one chunk at most, for the
 *     others see `inline-chunks.ts`.
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
import { ALIGNMENT, type FreeOutcome, type Visit } from './malloc.js';

/** The state at the heap's start, in bytes. */
const TOP = 0;
const BIN_SET = 8;
const STATE_BYTES = BIN_SET + BINS_BYTES;

export class Dlmalloc extends InlineChunks {
  // Not private getters, which V8 calls slowly: they made this malloc three times as slow.
  readonly #state: number;
  readonly #bins: number;
  readonly #first: number;

  constructor(memory: LinearMemory) {
    super(memory);
    this.#state = memory.start;
    this.#bins = this.#state + BIN_SET;
    this.#first = this.#state + STATE_BYTES;
    if (memory.sbrk(STATE_BYTES + MINIMUM) < 0) return;
    this.emptyBins(this.#bins);
    this.#setTop(this.#first, MINIMUM);
  }

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
    if (!this.isMapped(chunk)) return this.refuse('fault');
    this.#release(chunk, this.size(chunk));
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
      this.setSize(rest, this.size(chunk) - before, PREVIOUS_IN_USE);
      this.setSize(chunk, before, this.#previousInUse(chunk));
      this.#release(chunk, before);
      chunk = rest;
    }
    this.#trim(chunk, size);
    return aligned;
  }

  protected override resize(address: number, bytes: number): boolean {
    if (bytes > LARGEST_REQUEST) return false;
    const chunk = address - HEADER;
    const wanted = chunkSize(bytes);
    let size = this.size(chunk);
    if (wanted > size) {
      const after = chunk + size;
      if (!this.isMapped(after)) return false;
      const gained = this.size(after);
      if (after === this.#top()) {
        if (size + gained < wanted + MINIMUM) return false;
        this.#setTop(chunk + wanted, size + gained - wanted);
        this.setSize(chunk, wanted, this.#previousInUse(chunk));
        return true;
      }
      if (this.isInUse(after, gained) || size + gained < wanted || !this.#unlink(after)) return false;
      size += gained;
      this.setSize(chunk, size, this.#previousInUse(chunk));
      this.setPreviousInUse(chunk + size);
    }
    this.#trim(chunk, wanted);
    return this.problem === undefined;
  }

  // ------------------------------------------------------------------------------------- taking

  #fromBins(size: number): number {
    if (size < LARGE) {
      const head = headOf(this.#bins, size >> 4);
      const exact = this.word(head + 24);
      if (exact !== head) return this.#take(exact, size);
    }
    const remainder = this.#remainder();
    if (remainder !== 0) {
      if (!this.isMapped(remainder)) return this.fail('fault');
      const found = this.size(remainder);
      if (found >= size) return this.#take(remainder, size);
      if (!this.#unlink(remainder)) return 0;
      this.insert(this.#bins, remainder, found);
      if (this.problem !== undefined) return 0;
    }
    const best = this.bestFit(this.#bins, size);
    return best === 0 ? 0 : this.#take(best, size);
  }

  /** Removes the chunk from its bin for use; the excess becomes the last remainder. */
  #take(chunk: number, size: number): number {
    if (!this.#unlink(chunk)) return 0;
    const left = this.size(chunk) - size;
    if (left < MINIMUM) {
      this.setPreviousInUse(chunk + this.size(chunk));
      return chunk;
    }
    const rest = (chunk + size) | 0;
    if (!this.isMapped(rest) || !this.isMapped((rest + left) | 0)) return this.fail('fault');
    this.setSize(chunk, size, this.#previousInUse(chunk));
    this.setFree(rest, left);
    return this.#keepRemainder(rest) ? chunk : 0;
  }

  /**
   * Makes the chunk the only one of the first bin; the previous one is moved to the bin of its
   * size.
   */
  #keepRemainder(chunk: number): boolean {
    const old = this.#remainder();
    if (old !== 0) {
      if (!this.isMapped(old)) this.fail('fault');
      else if (this.#unlink(old)) this.insert(this.#bins, old, this.size(old));
      if (this.problem !== undefined) return false;
    }
    this.pushFront(headOf(this.#bins, UNSORTED), chunk);
    return this.problem === undefined;
  }

  #fromTop(size: number): number {
    let top = this.#top();
    let room = this.size(top);
    if (room < size + MINIMUM) {
      const growth = (size + MINIMUM - room + GROWTH - 1) & -GROWTH;
      const old = size < 0x4000_0000 ? this.memory.sbrk(growth) : -1;
      if (old < 0) return this.#fromLastBytes(size);
      room += growth;
      this.#setTop(top, room);
    }
    const chunk = top;
    top = (chunk + size) | 0;
    if (!this.isMapped(top)) return this.fail('fault');
    this.#setTop(top, room - size);
    this.setSize(chunk, size, PREVIOUS_IN_USE);
    return chunk;
  }

  /** Grows by exactly the missing bytes, where less than a step of growth is left. */
  #fromLastBytes(size: number): number {
    const missing = size + MINIMUM - this.size(this.#top());
    if (missing > this.memory.limit || this.memory.sbrk(missing) < 0) return 0;
    this.#setTop(this.#top(), size + MINIMUM);
    return this.#fromTop(size);
  }

  // ------------------------------------------------------------------------------------- giving

  /**
   * Bytes from `chunk` on are free: merges them with their neighbours and puts them where free
   * chunks are.
   */
  #release(chunk: number, size: number): void {
    const remainder = this.#remainder();
    let isRemainder = false;
    if (!this.#previousInUse(chunk)) {
      const before = this.word(chunk);
      chunk = (chunk - before) | 0;
      size = (size + before) >>> 0;
      if (!this.isMapped(chunk) || !this.#unlink(chunk)) return void this.fail('fault');
      isRemainder = chunk === remainder;
    }
    const after = (chunk + size) | 0;
    if (after === this.#top()) {
      this.#setTop(chunk, size + this.size(after));
      return;
    }
    if (!this.isMapped(after)) return void this.fail('fault');
    const afterSize = this.size(after);
    if (!this.isInUse(after, afterSize)) {
      if (!this.#unlink(after)) return;
      size = (size + afterSize) >>> 0;
      isRemainder ||= after === remainder;
    }
    const behind = (chunk + size) | 0;
    if (!this.isMapped(behind)) return void this.fail('fault');
    this.setFree(chunk, size);
    this.memory.words[(behind + 8) >> 2]! &= ~PREVIOUS_IN_USE;
    if (isRemainder) this.pushFront(headOf(this.#bins, UNSORTED), chunk);
    else this.insert(this.#bins, chunk, size);
  }

  /** Releases the part of a used chunk after its first `wanted` bytes. */
  #trim(chunk: number, wanted: number): void {
    const rest = this.size(chunk) - wanted;
    if (rest < MINIMUM) return;
    this.setSize(chunk, wanted, this.#previousInUse(chunk));
    this.setSize(chunk + wanted, rest, PREVIOUS_IN_USE);
    this.#release(chunk + wanted, rest);
  }

  /** Believes what fd and bk say. */
  #unlink(chunk: number): boolean {
    const { words } = this.memory;
    const fd = words[(chunk + 16) >> 2]!;
    const bk = words[(chunk + 24) >> 2]!;
    if (!this.isMapped(fd) || !this.isMapped(bk)) {
      this.problem = 'fault';
      return false;
    }
    this.link(bk, fd);
    return true;
  }

  // ------------------------------------------------------------------------------------- fields

  #top(): number {
    return this.memory.words[(this.#state + TOP) >> 2]!;
  }

  /** The last remainder, or 0. */
  #remainder(): number {
    const head = headOf(this.#bins, UNSORTED);
    const chunk = this.word(head + 16);
    return chunk === head ? 0 : chunk;
  }

  #setTop(chunk: number, size: number): void {
    this.memory.words[(this.#state + TOP) >> 2] = chunk;
    this.setSize(chunk, size, PREVIOUS_IN_USE);
  }

  #previousInUse(chunk: number): number {
    return this.memory.words[(chunk + 8) >> 2]! & PREVIOUS_IN_USE;
  }

  // ------------------------------------------------------------------------------------ looking

  protected isLive(chunk: number): boolean {
    return this.leadsTo(chunk, this.#first, this.#top()) && this.isInUse(chunk, this.size(chunk));
  }

  walk(visit: Visit): void {
    const top = this.#top();
    visit('metadata', this.#state, STATE_BYTES + OVERHEAD);
    for (let chunk = this.#first; chunk !== top; ) {
      const size = this.size(chunk);
      if (this.isInUse(chunk, size)) {
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
    const top = this.#top();
    const waiting = new Set<number>();
    const problem = this.checkBins(this.#bins, waiting);
    if (problem !== undefined) return problem;
    const remainder = this.#remainder();
    if (remainder !== 0 && this.word(remainder + 16) !== headOf(this.#bins, UNSORTED))
      return 'there are two last remainders';
    let previousIsFree = false;
    for (let chunk = this.#first; chunk !== top; ) {
      const size = this.size(chunk);
      if (size < MINIMUM || size % 16 !== 0 || chunk + size > top) return `chunk ${chunk} has ${size} bytes`;
      const isFree = !this.isInUse(chunk, size);
      if ((this.#previousInUse(chunk) === 0) !== previousIsFree)
        return `chunk ${chunk} is wrong about its past`;
      if (isFree && previousIsFree) return `two free neighbours at ${chunk}`;
      if (isFree && this.word(chunk + size) !== size) return `the boundary tag of ${chunk} is wrong`;
      if (isFree !== waiting.delete(chunk)) return `chunk ${chunk} is free and in no bin, or the reverse`;
      previousIsFree = isFree;
      chunk += size;
    }
    if (previousIsFree) return 'the chunk before the top is free';
    if (top + this.size(top) !== this.memory.break) return 'the top does not end at the break';
    return waiting.size === 0 ? undefined : 'a bin holds what is not a chunk';
  }
}
