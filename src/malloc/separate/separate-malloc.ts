/**
 * What the mallocs with one or more `ChunkHeap`s have in common: everything but how an address leads to its heap and to its record.
 */
import type { LinearMemory } from '../linear-memory.js';
import { acquire, release } from '../lock.js';
import { ALIGNMENT, CommonMalloc, type FreeOutcome, isPowerOfTwo, type Visit } from '../malloc.js';
import type { AddressIndex } from './address-index.js';
import type { ChunkHeap } from './chunk-heap.js';
import { ADDRESS, FAST, FREE, IN_USE, INDEXED, type Records, SIZE, STATE } from './records.js';

/** A heap, the way to its records, and its lock. */
export interface Arena {
  readonly heap: ChunkHeap;
  readonly index: AddressIndex;
  readonly lock: Int32Array;
}

export abstract class SeparateMalloc extends CommonMalloc {
  protected readonly words: Int32Array;

  constructor(
    memory: LinearMemory,
    protected readonly records: Records,
    protected readonly arenas: readonly Arena[],
    private readonly preferred: number,
    private readonly lead = 0,
  ) {
    super(memory);
    this.words = records.words;
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
    return this.#take(0, bytes);
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
    if (arena === undefined) return this.refuse(this.problem ?? 'invalid-free');
    this.#lock(arena);
    const record = arena.index.find(address);
    const outcome = record === 0 ? 'invalid-free' : freeable(this.words[record + STATE]!);
    if (outcome === 'ok') arena.heap.give(record);
    else this.problem = outcome;
    this.#unlock(arena);
    return outcome;
  }

  usableSize(address: number): number {
    const arena = address === 0 ? undefined : this.arenaOf(address);
    if (arena === undefined) return 0;
    this.#lock(arena);
    const record = arena.index.find(address);
    const isLive = record !== 0 && this.words[record + STATE] === (IN_USE | INDEXED);
    const usable = isLive ? this.words[record + SIZE]! - this.lead : 0;
    this.#unlock(arena);
    return usable;
  }

  protected override resize(address: number, bytes: number): boolean {
    const arena = this.arenaOf(address);
    if (arena === undefined) return false;
    this.#lock(arena);
    const record = arena.index.find(address);
    const isDone = record !== 0 && arena.heap.resize(record, arena.heap.sizeFor(bytes));
    this.#unlock(arena);
    return isDone;
  }

  // ------------------------------------------------------------------------------------- arenas

  /** From the preferred arena, or from another one when that is full. */
  #take(alignment: number, bytes: number): number {
    const { arenas } = this;
    for (let i = 0, at = this.preferred; i < arenas.length; i++) {
      const arena = arenas[at]!;
      const { heap } = arena;
      this.#lock(arena);
      const size = heap.sizeFor(bytes);
      const record = alignment === 0 ? heap.take(size) : heap.takeAligned(alignment, size);
      const address = record === 0 ? 0 : this.words[record + ADDRESS]!;
      this.#unlock(arena);
      if (address !== 0) return this.marked(address, at);
      at = at + 1 === arenas.length ? 0 : at + 1;
    }
    return 0;
  }

  #lock(arena: Arena): void {
    if (this.arenas.length > 1) acquire(arena.lock, 0);
  }

  #unlock(arena: Arena): void {
    if (this.arenas.length > 1) release(arena.lock, 0);
  }

  // ------------------------------------------------------------------------------------ looking

  walk(visit: Visit): void {
    const { words, lead } = this;
    for (const { heap } of this.arenas)
      for (const record of heap.chunks()) {
        const address = words[record + ADDRESS]!;
        const size = words[record + SIZE]!;
        if (words[record + STATE] !== (IN_USE | INDEXED)) {
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

function freeable(state: number): FreeOutcome {
  const kind = state & ~INDEXED;
  if (kind === IN_USE) return 'ok';
  return kind === FAST || kind === FREE ? 'double-free' : 'invalid-free';
}
