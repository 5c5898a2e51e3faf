/**
 * The accesses that threads may still make from a state on. The explorer uses them to decide which
 * orders cannot make a difference.
 *
 * An *access set* describes a step, or all steps that a thread may still make: which words are
 * accessed, which of them are written, and whether calls begin or end. A *future* has such a set
 * for each thread. Both are numbered: millions of states share some hundred thousand futures and
 * ten thousand sets, so a state stores one number, and results for pairs of numbers are
 * cached.
 *
 *     bits of an access set      0: a call begins     1: a call ends     2 + 2w: word w is touched     3 + 2w: word w is written
 *
 * **Invariants.** A word that is written is also accessed. Equal sets have equal numbers, and so do
 * equal futures.
 */
import type { StepEvent } from './simulated-thread.js';

/** The number of the set without an access, and of the future in which nothing happens. */
export const NO_ACCESS = 0;
export const NO_FUTURE = 0;

/** Words that a step counts as writing. */
export interface ByteRange {
  readonly at: number;
  readonly byteCount: number;
}

export class Futures {
  readonly #sets = new Numbering<bigint>(set => set.toString(32));
  readonly #futures = new Numbering<readonly number[]>(sets => sets.join());
  readonly #unions = new PairCache();
  readonly #conflicts = new PairCache();
  readonly #prefixed = new PairCache();
  readonly #joined = new PairCache();
  readonly #threadCount: number;
  /** All bits that say that a word is written. */
  readonly #writes: bigint;
  /** The numbers of sets with one access, by word. */
  readonly #touching: number[] = [];
  readonly #writing: number[] = [];
  readonly #beginning: number;
  readonly #ending: number;
  /** The future of an unknown state, in which every thread may do everything. */
  readonly anything: number;

  constructor(threadCount: number, wordCount: number) {
    const futureOfAll = (set: bigint): number =>
      this.#futures.numberOf(new Array(threadCount).fill(this.#sets.numberOf(set)));
    this.#threadCount = threadCount;
    this.#writes = BigInt(`0b${'10'.repeat(wordCount)}00`);
    futureOfAll(0n);
    this.anything = futureOfAll((1n << BigInt(2 * wordCount + 2)) - 1n);
    this.#beginning = this.#sets.numberOf(1n);
    this.#ending = this.#sets.numberOf(2n);
  }

  /**
   * The access set of a move. `concerns` gives the words that a step counts as writing, in addition
   * to those that it writes.
   */
  accessesOf(move: readonly StepEvent[], concerns: (event: StepEvent) => ByteRange | undefined): number {
    let set = NO_ACCESS;
    const add = (at: number, byteCount: number, isWrite: boolean): void => {
      for (let word = at >> 2; 4 * word < at + byteCount; word++)
        set = this.#union(set, isWrite ? this.#writingOf(word) : this.#touchingOf(word));
    };
    for (const event of move) {
      add(event.at, event.byteCount, false);
      if (event.wroteByteCount > 0) add(event.wroteAt, event.wroteByteCount, true);
      const concerned = concerns(event);
      if (concerned) add(concerned.at, concerned.byteCount, true);
      if (event.first) set = this.#union(set, this.#beginning);
      if (event.last) set = this.#union(set, this.#ending);
    }
    return set;
  }

  /**
   * Whether the order of two moves of different threads can matter, or of any two of those that the
   * sets stand for.
   */
  conflict(a: number, b: number): boolean {
    const compute = (): number => {
      const [one, other] = [this.#sets.at(a), this.#sets.at(b)];
      const written = ((one & this.#writes) >> 1n) & other;
      const overwritten = ((other & this.#writes) >> 1n) & one;
      const ordered = ((one << 1n) & other) | ((other << 1n) & one);
      return Number((written | overwritten | (ordered & 2n)) !== 0n);
    };
    return a !== NO_ACCESS && b !== NO_ACCESS && this.#conflicts.get(a, b, compute) === 1;
  }

  /** The access set of a thread in a future. */
  of(future: number, thread: number): number {
    return this.#futures.at(future)[thread]!;
  }

  /** A move of a thread, and then a future. */
  prefixed(thread: number, accesses: number, future: number): number {
    return this.#prefixed.get(future * this.#threadCount + thread, accesses, () => {
      const sets = this.#futures.at(future);
      return this.#futures.numberOf(sets.with(thread, this.#union(sets[thread]!, accesses)));
    });
  }

  /** All that happens in either of two futures. */
  joined(a: number, b: number): number {
    return this.#joined.get(a, b, () => {
      const others = this.#futures.at(b);
      return this.#futures.numberOf(
        this.#futures.at(a).map((set, thread) => this.#union(set, others[thread]!)),
      );
    });
  }

  #union(a: number, b: number): number {
    return this.#unions.get(a, b, () => this.#sets.numberOf(this.#sets.at(a) | this.#sets.at(b)));
  }

  #touchingOf(word: number): number {
    this.#touching[word] ??= this.#sets.numberOf(1n << BigInt(2 + 2 * word));
    return this.#touching[word];
  }

  #writingOf(word: number): number {
    this.#writing[word] ??= this.#sets.numberOf(3n << BigInt(2 + 2 * word));
    return this.#writing[word];
  }
}

/** Numbers things from 0 on, equal ones alike. */
class Numbering<Thing> {
  readonly #things: Thing[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #keyOf: (thing: Thing) => string;

  constructor(keyOf: (thing: Thing) => string) {
    this.#keyOf = keyOf;
  }

  at(number: number): Thing {
    return this.#things[number]!;
  }

  numberOf(thing: Thing): number {
    const key = this.#keyOf(thing);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#things.push(thing) - 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** A cache of results for pairs of numbers; a new pair may evict an old one. */
class PairCache {
  /** Triples: the pair and the result. */
  readonly #slots = new Int32Array(3 << 16).fill(-1);

  get(a: number, b: number, compute: () => number): number {
    const slots = this.#slots;
    const slot = 3 * ((Math.imul(a, 0x9e3779b1) + Math.imul(b, 0x85ebca6b)) >>> 16);
    if (slots[slot] !== a || slots[slot + 1] !== b) {
      const value = compute();
      slots[slot] = a;
      slots[slot + 1] = b;
      slots[slot + 2] = value;
    }
    return slots[slot + 2]!;
  }
}
