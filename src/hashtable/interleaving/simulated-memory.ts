/**
 * A memory on which steps are executed one after the other, and can be undone.
 *
 * It maintains a 64-bit hash of its contents: the exclusive or of a number for each word that is
 * not zero. So a write updates the hash in constant time.
 */
import { assert } from '../../support/assert.js';
import { joined, type StepValue } from '../language/interpret.js';
import type { StepOperation } from '../language/step-program.js';

/**
 * The operations of the language of atomic steps, and two of JavaScript. Both return the previous
 * value.
 */
export type MemoryOperation = StepOperation | 'or32' | 'and32';

export type StepKind = 'load' | 'store' | 'add' | 'cas' | 'zero' | 'own' | 'or' | 'and';

/** A step that can be performed. */
export interface Step {
  readonly step: string;
  readonly operation: MemoryOperation;
  readonly operands: readonly StepValue[];
}

/** The effect of a step. */
export interface Effect {
  readonly answer: StepValue;
  readonly kind: StepKind;
  /** The address of the word, and how many bytes were touched. */
  readonly at: number;
  readonly byteCount: number;
  /** The word's halves before and after; the upper halves are 0 for a 32-bit word. */
  readonly before: readonly [low: number, high: number];
  readonly after: readonly [low: number, high: number];
  /**
   * Which bytes it wrote: none, if a compare-and-swap failed; half of them, if something was added
   * to the upper half.
   */
  readonly wroteAt: number;
  readonly wroteByteCount: number;
  /** The words that were cleared. */
  readonly cleared: Int32Array | undefined;
}

export class SimulatedMemory {
  readonly words: Int32Array;
  hashLow = 0;
  hashHigh = 0;

  constructor(initial: Int32Array) {
    this.words = initial.slice();
    for (let i = 0; i < initial.length; i++) this.#count(i, initial[i]!);
  }

  perform({ operation, operands }: Step): Effect {
    const at = operands[0] as number;
    if (operation === 'zero') return this.#zero(at, operands[1] as number);
    if (operation === 'own') return this.#own(at);
    const isWide = operation.endsWith('64');
    const byteCount = isWide ? 8 : 4;
    const index = at >> 2;
    const before = [this.words[index]!, isWide ? this.words[index + 1]! : 0] as const;
    const found = isWide ? joined(before[0], before[1]) : before[0];
    const kind = operation.slice(0, -2) as StepKind;
    let answer: StepValue = found;
    let written: StepValue | undefined;
    if (kind === 'store') {
      answer = 0;
      written = operands[1]!;
    } else if (kind === 'add') {
      written = isWide
        ? BigInt.asIntN(64, (found as bigint) + (operands[1] as bigint))
        : ((found as number) + (operands[1] as number)) | 0;
      answer = written;
    } else if (kind === 'cas') {
      answer = Number(found === operands[1]);
      if (answer === 1) written = operands[2]!;
    } else if (kind === 'or') written = (found as number) | (operands[1] as number);
    else if (kind === 'and') written = (found as number) & (operands[1] as number);
    if (written !== undefined) this.#write(index, written);
    const after = [this.words[index]!, isWide ? this.words[index + 1]! : 0] as const;
    const wroteAt = kind === 'add' && isWide && before[0] === after[0] ? at + 4 : at;
    const wroteByteCount = written === undefined ? 0 : at + byteCount - wroteAt;
    return { answer, kind, at, byteCount, before, after, wroteAt, wroteByteCount, cleared: undefined };
  }

  undo({ at, byteCount, before, wroteByteCount, cleared }: Effect): void {
    const index = at >> 2;
    if (cleared) for (const [i, word] of cleared.entries()) this.#set(index + i, word);
    else if (wroteByteCount > 0) {
      this.#set(index, before[0]);
      if (byteCount === 8) this.#set(index + 1, before[1]);
    }
  }

  #zero(at: number, byteCount: number): Effect {
    const from = at >> 2;
    const cleared = this.words.slice(from, (at + byteCount) >> 2);
    for (let i = 0; i < cleared.length; i++) this.#set(from + i, 0);
    const before = [0, 0] as const;
    return {
      ...{ answer: 0, kind: 'zero', at, byteCount, before, after: before },
      ...{ wroteAt: at, wroteByteCount: byteCount, cleared },
    };
  }

  /** Nothing is written: the stored value is already there. */
  #own(at: number): Effect {
    const word = this.words[at >> 2]!;
    assert(((word >>> (8 * (at & 3))) & 255) === 0, 'a byte that is stored to bring its line is zero');
    const halves = [word, 0] as const;
    return {
      ...{ answer: 0, kind: 'own', at, byteCount: 1, before: halves, after: halves },
      ...{ wroteAt: at, wroteByteCount: 0, cleared: undefined },
    };
  }

  #write(index: number, value: StepValue): void {
    if (typeof value === 'number') this.#set(index, value);
    else {
      this.#set(index, Number(BigInt.asIntN(32, value)));
      this.#set(index + 1, Number(BigInt.asIntN(32, value >> 32n)));
    }
  }

  #set(index: number, word: number): void {
    this.#count(index, this.words[index]!);
    this.words[index] = word;
    this.#count(index, word);
  }

  /** Adds a word to the hash, or takes it out. */
  #count(index: number, word: number): void {
    if (word === 0) return;
    this.hashLow ^= mixed(word, Math.imul(index + 1, 0x9e3779b1));
    this.hashHigh ^= mixed(word ^ 0x5bd1e995, Math.imul(index + 1, 0x85ebca6b));
  }
}

/** Scatters two numbers over 32 bits. */
export function mixed(a: number, b: number): number {
  let hash = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ Math.imul(b, 0x27d4eb2f), 0x165667b1);
  return hash ^ (hash >>> 15);
}
