/**
 * The large-object allocator: the last bin of a region, for objects above 2048 bytes, with its
 * quarantine.
 *
 * Objects take whole blocks of 4096 bytes. Each is placed in the middle of the longest free span,
 * so that distances stay as large as can be at that moment, and at least one block stays free
 * before and after it. A freed object waits in the quarantine (0, k, or until its space is
 * needed); when it leaves, the spans around it become one.
 *
 * An unlimited quarantine costs about 100 bytes per freed large object, because its span cannot be
 * shared with others. A program that frees tens of millions of them is better served by a limited
 * one.
 *
 * Invariants: live + queued objects are those of the treap; the queue is within its bound; those of
 * `SpanTreap`.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Owner } from '../support/owner.js';
import { areQueuesAlike, Quarantine, UNLIMITED } from './quarantine.js';
import { BLOCK_SIZE, type LargeBinLayout } from './region-layout.js';
import { NO_OBJECT, type Span, SpanTreap } from './span-treap.js';

/** What lies at a block. */
export interface LargeObject {
  readonly firstBlock: number;
  readonly blocks: number;
  readonly size: number;
  readonly freed: boolean;
}

interface Blocks {
  readonly start: number;
  readonly length: number;
}

/** Whether an object could be placed if there were no others. */
export function fitsEmptyBin(layout: LargeBinLayout, size: number, alignment: number): boolean {
  return placeIn(layout, { start: 0, length: layout.largeBlocks }, blocksFor(size), alignment) >= 0;
}

/**
 * The first block of an object in the middle of free blocks, one of which stays free on both sides;
 * -1 if it cannot be.
 */
function placeIn(
  { largeBase }: LargeBinLayout,
  { start, length }: Blocks,
  blocks: number,
  alignment: number,
): number {
  const first = start + 1;
  const last = start + length - 1 - blocks;
  if (last < first) return -1;
  const middle = start + Math.floor((length - blocks) / 2);
  if (alignment <= BLOCK_SIZE) return middle;
  const step = alignment / BLOCK_SIZE;
  const misaligned = (largeBase / BLOCK_SIZE + middle) % step;
  const below = middle - misaligned;
  if (below >= first) return below;
  return below + step <= last ? below + step : -1;
}

export class LargeBin {
  readonly owner: Owner;
  readonly #layout: LargeBinLayout;
  readonly #quarantine: number;
  readonly #spans: SpanTreap;
  /**
   * First blocks of freed objects in the order of their deallocation; made when the first one
   * comes.
   */
  #queue: Quarantine | undefined;
  #live = 0;

  /** An empty bin, or one that begins as a copy of `other` and shares its spans. */
  constructor(owner: Owner, layout: LargeBinLayout, quarantine: number, other?: LargeBin) {
    this.owner = owner;
    this.#layout = layout;
    this.#quarantine = quarantine;
    this.#spans = new SpanTreap(owner, other === undefined ? undefined : other.#spans);
    if (other === undefined) {
      if (layout.largeBlocks > 0) this.#spans.insert(0, layout.largeBlocks, NO_OBJECT, false);
      return;
    }
    this.#queue = other.#queue && new Quarantine(other.#queue);
    this.#live = other.#live;
  }

  /** Places an object and returns its first block, or -1 if no span is long enough. */
  allocate(size: number, alignment: number): number {
    const blocks = blocksFor(size);
    for (;;) {
      const span = this.#spans.longest;
      const start = span === undefined ? -1 : placeIn(this.#layout, span, blocks, alignment);
      if (start >= 0) {
        this.#occupy(span!, start, blocks, size);
        this.#live++;
        return start;
      }
      if (this.#quarantine !== UNLIMITED || !this.#queue?.length || !this.#wouldFit(blocks, alignment))
        return -1;
      this.#release(this.#queue.shift());
    }
  }

  /** Requires that a live object begins at this block. */
  deallocate(firstBlock: number): void {
    this.#live--;
    if (this.#quarantine === 0) {
      this.#release(firstBlock);
      return;
    }
    this.#spans.markFreed(this.#spans.before(firstBlock)!.start);
    this.#queue ??= new Quarantine();
    this.#queue.push(firstBlock);
    if (this.#queue.length > this.#quarantine) this.#release(this.#queue.shift());
  }

  /** The object that covers a block, unless the block is free. */
  find(block: number): LargeObject | undefined {
    const span = this.#spans.before(block);
    if (span === undefined || block < span.start + span.length || span.objectSize === NO_OBJECT)
      return undefined;
    return objectBehind(span);
  }

  /** Whether both bins, of one layout, have the same contents. */
  isLike(other: LargeBin): boolean {
    return (
      this.#live === other.#live &&
      areQueuesAlike(this.#queue, other.#queue) &&
      this.#spans.isLike(other.#spans)
    );
  }

  *live(): IterableIterator<LargeObject> {
    for (const span of this.#spans.spans()) {
      if (span.objectSize !== NO_OBJECT && !span.objectFreed) yield objectBehind(span);
    }
  }

  /**
   * Whether there would be room if the quarantine were empty. Otherwise a request that must fail,
   * such as one for most of the bin, would empty it needlessly. Linear in the number of spans, but
   * called only when space is short.
   */
  #wouldFit(blocks: number, alignment: number): boolean {
    let runStart = 0;
    for (const { start, length, objectSize, objectFreed } of this.#spans.spans()) {
      const run = { start: runStart, length: start + length - runStart };
      if (placeIn(this.#layout, run, blocks, alignment) >= 0) return true;
      if (!objectFreed) runStart = start + length + blocksFor(objectSize);
    }
    return false;
  }

  #occupy(span: Span, start: number, blocks: number, size: number): void {
    const { start: spanStart, length, objectSize, objectFreed } = span;
    const end = start + blocks;
    this.#spans.remove(spanStart);
    this.#spans.insert(spanStart, start - spanStart, size, false);
    this.#spans.insert(end, spanStart + length - end, objectSize, objectFreed);
  }

  /** Merges an object and the spans around it into one span. */
  #release(firstBlock: number): void {
    const before = this.#spans.before(firstBlock)!;
    const after = this.#spans.after(firstBlock)!;
    this.#spans.remove(before.start);
    this.#spans.remove(after.start);
    const length = after.start + after.length - before.start;
    this.#spans.insert(before.start, length, after.objectSize, after.objectFreed);
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    const queued = this.#queue?.length ?? 0;
    assert(queued <= this.#quarantine, 'the quarantine holds no more than it may');
    this.#queue?.check(level);
    this.#spans.check(level, this.#layout.largeBlocks);
    if (level < 3) return;
    const objects = [...this.#spans.spans()].filter(span => span.objectSize !== NO_OBJECT);
    assert(
      objects.filter(span => !span.objectFreed).length === this.#live,
      'the bin counts the live objects',
    );
    assert(objects.length === this.#live + queued, 'every object is live or in the queue');
    for (const block of this.#queue?.values() ?? []) {
      const object = this.find(block);
      assert(object?.freed && object.firstBlock === block, 'what is in the queue is freed');
    }
    for (const { firstBlock, blocks, size } of this.live()) {
      assert(blocksFor(size) === blocks, 'an object has the blocks that it needs');
      assert(this.find(firstBlock)?.firstBlock === firstBlock, 'lookup finds what is live');
    }
  }
}

function blocksFor(size: number): number {
  return Math.max(1, Math.ceil(size / BLOCK_SIZE));
}

function objectBehind(span: Span): LargeObject {
  const { start, length, objectSize, objectFreed } = span;
  return { firstBlock: start + length, blocks: blocksFor(objectSize), size: objectSize, freed: objectFreed };
}
