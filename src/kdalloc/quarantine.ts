/**
 * The quarantine of a bin: a first-in-first-out queue of freed places that can be forked in
 * constant time.
 *
 * It is measured by count, not by bytes: a place in quarantine takes no memory but this entry. Each
 * bin has its own, so that deallocations in one bin do not move addresses in another.
 *
 * Entries go into a short array at the end; a full one becomes an immutable chunk that all forks
 * share. A ring buffer would be copied whole by the first push after a fork; here a fork copies at
 * most one chunk, however long the queue.
 *
 *   head (partly consumed)   #full: chunk, chunk, …, chunk   tail (partly filled)
 *   oldest ─────────────────────────────────────────────────────────▶ youngest
 *
 * Invariants: chunks in `#full` have CHUNK entries and consecutive numbers; only the tail is ever
 * written.
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import { PersistentMap } from '../support/persistent-map.js';

/** The size of a quarantine that holds everything until the space is needed. */
export const UNLIMITED: number = Number.POSITIVE_INFINITY;

const CHUNK = 64;

/** Whether both hold the same places in the same order. An empty queue may be undefined. */
export function areQueuesAlike(one: Quarantine | undefined, another: Quarantine | undefined): boolean {
  if ((one?.length ?? 0) !== (another?.length ?? 0)) return false;
  if (one === undefined || another === undefined) return true;
  const others = another.values();
  for (const place of one.values()) if (place !== others.next().value) return false;
  return true;
}

export class Quarantine {
  #head: readonly number[] = [];
  /** How many entries of the head are gone. */
  #consumed = 0;
  readonly #full: PersistentMap<readonly number[]>;
  /** The number of the oldest chunk in `#full`. */
  #firstFull = 0;
  #tail: number[] = [];

  /** An empty queue, or one with the contents of `other`. */
  constructor(other?: Quarantine) {
    this.#full = other === undefined ? new PersistentMap() : other.#full.fork();
    if (other === undefined) return;
    this.#head = other.#head;
    this.#consumed = other.#consumed;
    this.#firstFull = other.#firstFull;
    this.#tail = other.#tail.slice();
  }

  get length(): number {
    return this.#head.length - this.#consumed + this.#full.size * CHUNK + this.#tail.length;
  }

  push(value: number): void {
    this.#tail.push(value);
    if (this.#tail.length < CHUNK) return;
    this.#full.set((this.#firstFull + this.#full.size) >>> 0, this.#tail);
    this.#tail = [];
  }

  /** Removes the oldest entry. Requires that there is one. */
  shift(): number {
    if (this.#consumed === this.#head.length) this.#nextHead();
    const value = this.#head[this.#consumed++];
    assert(value !== undefined, 'shift from an empty queue');
    return value;
  }

  #nextHead(): void {
    this.#consumed = 0;
    const chunk = this.#full.get(this.#firstFull);
    if (chunk === undefined) {
      this.#head = this.#tail;
      this.#tail = [];
      return;
    }
    this.#head = chunk;
    this.#full.delete(this.#firstFull);
    this.#firstFull = (this.#firstFull + 1) >>> 0;
  }

  /** From the oldest to the youngest. */
  *values(): IterableIterator<number> {
    yield* this.#head.slice(this.#consumed);
    for (let i = 0; i < this.#full.size; i++) yield* this.#full.get((this.#firstFull + i) >>> 0)!;
    yield* this.#tail;
  }

  /** Throws if an invariant is broken. */
  check(level: CheckLevel): void {
    assert(this.#consumed <= this.#head.length && this.#tail.length < CHUNK, 'head and tail are in bounds');
    this.#full.check(level);
    if (level < 2) return;
    for (const chunk of this.#full.values()) assert(chunk.length === CHUNK, 'chunks in the middle are full');
    assert([...this.values()].length === this.length, 'the length counts the entries');
  }
}
