/**
 * Chunks with their metadata in line, and the bins they wait in: what dlmalloc and ptmalloc2 have
 * in common.
 *
 *     chunk  ─▶ ┌────────────────────────────────┐
 *          +0   │ size of the chunk before,      │   belongs to the chunk before while that is in use
 *               │ if that one is free            │
 *          +8   │ size of this chunk     │ flags │   the lowest flag: the chunk before is in use
 *  address ─▶   ├────────────────────────────────┤
 *         +16   │ fd: next in its bin            │   in use: the program's bytes begin here
 *         +24   │ bk: previous in its bin        │
 *               │ ...                            │
 *               └────────────────────────────────┘
 *       +size   │ size of this chunk, if free    │   in use: the program's last 8 bytes
 *
 * A set of bins (`lea-bins.ts`) lies in the program's memory too: the bit map, then for each bin
 * the head of a list, laid out as if it were a chunk of which only fd and bk exist, so that taking
 * a chunk out of a list need not know about heads.
 *
 *     bins ─▶ │ bit map: 16 bytes │ unused: 8 │ fd, bk of bin 0 │ fd, bk of bin 1 │ …
 *
 * What is read is believed, as long as it leads to memory that exists. `unlink` is left to the
 * mallocs: whether that looks at what it reads is the difference between them.
 *
 * Invariants (`checkBins`): each chunk is in the bin of its size, sorted by size if that bin holds
 * several; a bin that is not empty has its bit set.
 */
import { BINS, binOf, LARGE, nextMarked, UNSORTED } from './lea-bins.js';
import { ALIGNMENT, CommonMalloc } from './malloc.js';

export const HEADER = 16;
/** The overhead of a chunk: the size; the first field is shared with the previous chunk. */
export const OVERHEAD = 8;
export const MINIMUM = 32;
export const PREVIOUS_IN_USE = 1;
const FLAGS = 7;
/** Larger requests would overflow when they are rounded up. */
export const LARGEST_REQUEST = 0xffff_ff00;
export const GROWTH = 65_536;

const HEADS = 24;
/** A set of bins. */
export const BINS_BYTES: number = HEADS + BINS * 16;

/** The head of a bin, as if it were a chunk. */
export function headOf(bins: number, bin: number): number {
  return bins + HEADS - HEADER + bin * 16;
}

export function chunkSize(bytes: number): number {
  const size = bytes + OVERHEAD + ALIGNMENT - 1;
  const rounded = size - (size % ALIGNMENT);
  return rounded < MINIMUM ? MINIMUM : rounded;
}

export abstract class InlineChunks extends CommonMalloc {
  readonly bytesApart: number = 0;

  /**
   * A header says how long a block is, but not that it is one: for that, the headers of all chunks
   * before it are read.
   */
  usableSize(address: number): number {
    const chunk = address - HEADER;
    return this.isMapped(chunk) && this.isLive(chunk) ? this.size(chunk) - OVERHEAD : 0;
  }

  /** The size in the header, even if it was overwritten: `free` and `realloc` trust it as well. */
  protected override believedSize(address: number): number {
    const chunk = address - HEADER;
    return this.isMapped(chunk) ? this.size(chunk) - OVERHEAD : 0;
  }

  /** Whether a chunk begins there and is in use. */
  protected abstract isLive(chunk: number): boolean;

  /** Whether the chunks that follow each other from `first` to `end` reach it. */
  protected leadsTo(chunk: number, first: number, end: number): boolean {
    let at = first;
    while (at < chunk && chunk < end && this.size(at) >= ALIGNMENT) at += this.size(at);
    return at === chunk && chunk < end;
  }

  // -------------------------------------------------------------------------------------- bins

  protected emptyBins(bins: number): void {
    for (let bin = 0; bin < BINS; bin++) this.link(headOf(bins, bin), headOf(bins, bin));
  }

  /**
   * The smallest chunk that is large enough, still in its bin; 0 if there is none, or a problem.
   */
  protected bestFit(bins: number, size: number): number {
    const { words } = this.memory;
    if (size >= 0x4000_0000) return 0;
    let bin = binOf(size);
    const own = headOf(bins, bin);
    let chunk = words[(own + 24) >> 2]!;
    // One size, or the smallest of them last.
    while (chunk !== own && this.size(chunk) < size) {
      chunk = words[(chunk + 24) >> 2]!;
      if (!this.isMapped(chunk)) return this.fail('fault');
    }
    if (chunk !== own) return chunk;
    const map = bins >> 2;
    for (bin = nextMarked(words, map, bin + 1); bin < BINS; bin = nextMarked(words, map, bin + 1)) {
      const head = headOf(bins, bin);
      chunk = words[(head + 24) >> 2]!;
      if (chunk !== head) return chunk;
      words[map + (bin >> 5)]! &= ~(1 << (bin & 31));
    }
    return 0;
  }

  /** Into its bin: small ones in front, large ones by size, the smallest last. */
  protected insert(bins: number, chunk: number, size: number): void {
    const { words } = this.memory;
    const bin = binOf(size & 0x7fff_fff0);
    const head = headOf(bins, bin);
    let after = words[(head + 16) >> 2]!;
    if (size >= LARGE) {
      while (after !== head && this.size(after) > size) {
        after = words[(after + 16) >> 2]!;
        if (!this.isMapped(after)) return void this.fail('fault');
      }
    }
    const before = words[(after + 24) >> 2]!;
    if (!this.isMapped(before)) return void this.fail('fault');
    this.link(before, chunk);
    this.link(chunk, after);
    words[(bins >> 2) + (bin >> 5)]! |= 1 << (bin & 31);
  }

  /** In front of a list. */
  protected pushFront(list: number, chunk: number): void {
    const first = this.word(list + 16);
    this.link(list, chunk);
    this.link(chunk, first);
  }

  /** Makes `fd` follow `bk` in a list; in the order of the macro, on which attacks rely. */
  protected link(bk: number, fd: number): void {
    const { words } = this.memory;
    const forward = (bk + 16) >> 2;
    const backward = (fd + 24) >> 2;
    words[backward] = bk;
    words[backward + 1] = 0;
    words[forward] = fd;
    words[forward + 1] = 0;
  }

  // ------------------------------------------------------------------------------------- fields

  protected word(address: number): number {
    return this.memory.words[address >> 2]!;
  }

  protected size(chunk: number): number {
    return (this.memory.words[(chunk + 8) >> 2]! & ~FLAGS) >>> 0;
  }

  protected flags(chunk: number): number {
    return this.memory.words[(chunk + 8) >> 2]! & FLAGS;
  }

  protected setSize(chunk: number, size: number, flags: number): void {
    const at = (chunk + 8) >> 2;
    this.memory.words[at] = size | flags;
    this.memory.words[at + 1] = 0;
  }

  /** The size of a free chunk at both its ends; the chunk before a free one is in use. */
  protected setFree(chunk: number, size: number): void {
    this.setSize(chunk, size, PREVIOUS_IN_USE);
    const tag = ((chunk + size) | 0) >> 2;
    this.memory.words[tag] = size;
    this.memory.words[tag + 1] = 0;
  }

  protected setPreviousInUse(chunk: number): void {
    this.memory.words[(chunk + 8) >> 2]! |= PREVIOUS_IN_USE;
  }

  /** The flag is in the chunk after it. */
  protected isInUse(chunk: number, size: number): boolean {
    return (this.memory.words[(((chunk + size) | 0) + 8) >> 2]! & PREVIOUS_IN_USE) !== 0;
  }

  protected isMapped(chunk: number): boolean {
    return chunk >>> 0 < this.memory.end - MINIMUM;
  }

  // ----------------------------------------------------------------------------------- checking

  /** Adds the chunks of all bins to `waiting`. In the first one they may have any size. */
  protected checkBins(bins: number, waiting: Set<number>): string | undefined {
    for (let bin = UNSORTED; bin < BINS; bin++) {
      const head = headOf(bins, bin);
      let last = Number.POSITIVE_INFINITY;
      for (let chunk = this.word(head + 16); chunk !== head; chunk = this.word(chunk + 16)) {
        const size = this.size(chunk);
        if (this.word(this.word(chunk + 24) + 16) !== chunk) return `bin ${bin}: broken links at ${chunk}`;
        waiting.add(chunk);
        if (bin === UNSORTED) continue;
        if (binOf(size) !== bin) return `chunk ${chunk} of ${size} bytes is in bin ${bin}`;
        if (size > last) return `bin ${bin} is not sorted at chunk ${chunk}`;
        if (!((this.word(bins + (bin >> 5) * 4) >> (bin & 31)) & 1)) return `the bit of bin ${bin} is clear`;
        last = size;
      }
    }
    return undefined;
  }
}
