/**
 * Words that several workers read and change, one step at a time. A malloc that takes no lock is
 * written over these interfaces, so that the source which ships also runs under a scheduler that
 * owns every step (`superblocks.test.ts`).
 *
 * Two kinds of accesses: `read` and `write` are plain, for words that only one worker may change at
 * that time or of which a later atomic step says whether they were worth anything; the others are
 * atomic, and no step passes them.
 */

export interface PlainWords {
  read(index: number): number;
  write(index: number, value: number): void;
}

export interface SharedWords extends PlainWords {
  load(index: number): number;
  store(index: number, value: number): void;
  /** False if the word is not the expected one. */
  replace(index: number, expected: number, desired: number): boolean;
  /** These three return the previous value. */
  add(index: number, change: number): number;
  setBits(index: number, bits: number): number;
  clearBits(index: number, bits: number): number;
}

/** Integers up to 2^52, replaced in one atomic step. */
export interface TaggedWords {
  get(index: number): number;
  /** False if the word is not the expected one. */
  replace(index: number, expected: number, desired: number): boolean;
}

/** Words of a buffer. */
export class BufferWords implements SharedWords {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  get length(): number {
    return this.#words.length;
  }

  read(index: number): number {
    return this.#words[index]!;
  }

  write(index: number, value: number): void {
    this.#words[index] = value;
  }

  load(index: number): number {
    return Atomics.load(this.#words, index);
  }

  store(index: number, value: number): void {
    Atomics.store(this.#words, index, value);
  }

  replace(index: number, expected: number, desired: number): boolean {
    return Atomics.compareExchange(this.#words, index, expected, desired) === expected;
  }

  add(index: number, change: number): number {
    return Atomics.add(this.#words, index, change);
  }

  setBits(index: number, bits: number): number {
    return Atomics.or(this.#words, index, bits);
  }

  clearBits(index: number, bits: number): number {
    return Atomics.and(this.#words, index, ~bits);
  }
}

/** Halves of the words of a buffer, twice as many. */
export class BufferHalves implements PlainWords {
  readonly #halves: Uint16Array;

  constructor({ buffer, byteOffset, length }: Int32Array) {
    this.#halves = new Uint16Array(buffer, byteOffset, 2 * length);
  }

  read(index: number): number {
    return this.#halves[index]!;
  }

  write(index: number, value: number): void {
    this.#halves[index] = value;
  }
}
