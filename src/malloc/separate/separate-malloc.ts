/**
 * The common part of the mallocs with one or more `ChunkHeap`s: everything except the mapping from
 * an address to its heap and its record.
 */
import { isPowerOfTwo } from '../../support/power-of-two.js';
import type { LinearMemory } from '../linear-memory.js';
import { acquire, release } from '../lock.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, type Visit } from '../malloc.js';
import type { AddressIndex } from './address-index.js';
import type { ChunkHeap } from './chunk-heap.js';
import { ADDRESS, IN_USE, INDEXED, type Records, SIZE, STATE } from './records.js';

const LIVE = IN_USE | INDEXED;

/** A heap, the way to its records, and its lock. */
export interface Arena {
  readonly heap: ChunkHeap;
  readonly index: AddressIndex;
  readonly lock: Int32Array;
}

export abstract class SeparateMalloc extends CommonMalloc {
  protected readonly words: Int32Array;
  private readonly isShared: boolean;

  constructor(
    memory: LinearMemory,
    protected readonly records: Records,
    protected readonly arenas: readonly Arena[],
    private readonly preferred: number,
    private readonly lead = 0,
  ) {
    super(memory);
    this.words = records.words;
    this.isShared = arenas.length > 1;
  }

  /** The arena whose heap the address may belong to; undefined when there is none. */
  protected abstract arenaOf(address: number): Arena | undefined;

  /** A block has just been taken from the arena. */
  protected abstract marked(address: number, arena: number): number;

  /** Bytes apart besides records and indexes. */
  protected abstract readonly extraBytesApart: number;

  get bytesApart(): number {
    return this.arenas.reduce(
      (total, { index }) => total + index.bytesUsed,
      this.records.bytesUsed + this.extraBytesApart,
    );
  }

  malloc(bytes: number): number {
    this.problem = undefined;
    if (this.isShared) return this.#take(0, bytes);
    const { heap } = this.arenas[0]!;
    const record = heap.take(heap.sizeFor(bytes));
    return record === 0 ? 0 : this.marked(this.words[record + ADDRESS]!, 0);
  }

  memalign(alignment: number, bytes: number): number {
    this.problem = undefined;
    if (!isPowerOfTwo(alignment)) return 0;
    return this.#take(alignment <= ALIGNMENT ? 0 : alignment, bytes);
  }

  free(address: number): FreeOutcome {
    this.problem = undefined;
    if (address === 0) return 'ok';
    const arena = this.arenaOf(address);
    if (arena === undefined) return this.refuse('invalid-free');
    if (this.isShared) acquire(arena.lock, 0);
    const record = arena.index.find(address);
    // Record 0 means not found, and is not live.
    const isLive = this.words[record + STATE] === LIVE;
    if (isLive) arena.heap.give(record);
    const wasFreed = !isLive && (record !== 0 || arena.heap.wasFreed(address));
    if (this.isShared) release(arena.lock, 0);
    return isLive ? 'ok' : this.refuse(wasFreed ? 'double-free' : 'invalid-free');
  }

  usableSize(address: number): number {
    const arena = address === 0 ? undefined : this.arenaOf(address);
    if (arena === undefined) return 0;
    if (this.isShared) acquire(arena.lock, 0);
    const record = arena.index.find(address);
    const isLive = record !== 0 && this.words[record + STATE] === LIVE;
    const usable = isLive ? this.words[record + SIZE]! - this.lead : 0;
    if (this.isShared) release(arena.lock, 0);
    return usable;
  }

  /**
   * Whether the arena has a record for that address, of a live block or of one that was freed and
   * not merged.
   */
  protected knows({ index, lock }: Arena, address: number): boolean {
    if (this.isShared) acquire(lock, 0);
    const record = index.find(address);
    if (this.isShared) release(lock, 0);
    return record !== 0;
  }

  protected override resize(address: number, bytes: number): boolean {
    const arena = this.arenaOf(address);
    if (arena === undefined) return false;
    if (this.isShared) acquire(arena.lock, 0);
    const record = arena.index.find(address);
    const isDone = record !== 0 && arena.heap.resize(record, arena.heap.sizeFor(bytes));
    if (this.isShared) release(arena.lock, 0);
    return isDone;
  }

  // ------------------------------------------------------------------------------------- arenas

  /** From the preferred arena, or from another one when that is full. */
  #take(alignment: number, bytes: number): number {
    const address = this.#takeFrom(this.preferred, alignment, bytes);
    return address === 0 && this.isShared ? this.#takeFromOthers(alignment, bytes) : address;
  }

  #takeFrom(at: number, alignment: number, bytes: number): number {
    const arena = this.arenas[at]!;
    const { heap } = arena;
    if (this.isShared) acquire(arena.lock, 0);
    const size = heap.sizeFor(bytes);
    const record = alignment === 0 ? heap.take(size) : heap.takeAligned(alignment, size);
    const address = record === 0 ? 0 : this.words[record + ADDRESS]!;
    if (this.isShared) release(arena.lock, 0);
    return address === 0 ? 0 : this.marked(address, at);
  }

  #takeFromOthers(alignment: number, bytes: number): number {
    for (let at = 0; at < this.arenas.length; at++) {
      const address = at === this.preferred ? 0 : this.#takeFrom(at, alignment, bytes);
      if (address !== 0) return address;
    }
    return 0;
  }

  // ------------------------------------------------------------------------------------ looking

  walk(visit: Visit): void {
    const { words, lead } = this;
    for (const { heap } of this.arenas)
      for (const record of heap.chunks()) {
        const address = words[record + ADDRESS]!;
        const size = words[record + SIZE]!;
        if (words[record + STATE] !== LIVE) {
          if (size > lead) visit('free', address, size - lead);
          continue;
        }
        if (lead > 0) visit('metadata', address - lead, lead);
        visit('client', address, size - lead);
      }
  }

  check(): string | undefined {
    for (const { heap } of this.arenas) {
      const problem = heap.check();
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}
