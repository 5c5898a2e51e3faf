/**
 * Mutates inputs by a few stacked random changes.
 *
 * Changes work on one buffer of the maximal length, and the result is a view of it: a new array of
 * more than 64 bytes would cost as much as the mutation. All randomness comes from one generator:
 * the same generator, input and words give the same result.
 */
import type { Random } from '../support/random.js';

/** Boundary values: ends of ranges, powers of two and their neighbours. */
const interesting8 = [0, 1, 0x7f, 0x80, 0xff, 0x10, 0x20, 0x40, 0x64];
const interesting16 = [0, 0x80, 0xff, 0x100, 0x200, 0x3e8, 0x400, 0x1000, 0x7fff, 0x8000, 0xffff];
const interesting32 = [
  0, 1, 0x7f, 0xffff, 0x1_0000, 0x5_ffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fffe,
];

/** The largest amount that is added to a number of either byte order. */
const mostAdded = 35;

/** The number of stacked changes is 1, 2, 4, ... up to two to this power. */
const mostDoublings = 4;

/** Numbers in decimal that are read have one digit less, so that twice as much fits. */
const mostDigits = 16;

/** Copies up to this length are loops, because a call of a method of an array takes longer. */
const shortCopy = 64;

/** Views of inputs up to this length are kept. */
const longestView = 4096;

export interface MutateOptions {
  readonly maxLength: number;
  readonly onlyAscii: boolean;
}

export class Mutator {
  readonly #buffer: Uint8Array;
  readonly #view: DataView;
  readonly #views: (Uint8Array | undefined)[];
  #length = 0;
  #random!: Random;
  #words: readonly Uint8Array[] = [];
  #other: Uint8Array = new Uint8Array(0);
  readonly #digits = new Uint8Array(mostDigits);

  constructor(private readonly options: MutateOptions) {
    this.#buffer = new Uint8Array(options.maxLength + 8);
    this.#view = new DataView(this.#buffer.buffer);
    this.#views = new Array(Math.min(options.maxLength, longestView) + 1).fill(undefined);
  }

  /**
   * Mutates the input; `other` is a source of parts. The result is a view that is valid until the
   * next mutation.
   */
  mutate(input: Uint8Array, other: Uint8Array, words: readonly Uint8Array[], random: Random): Uint8Array {
    const { maxLength, onlyAscii } = this.options;
    this.#length = Math.min(input.length, maxLength);
    if (this.#length > shortCopy) this.#buffer.set(input.subarray(0, this.#length));
    else for (let i = 0; i < this.#length; i++) this.#buffer[i] = input[i]!;
    this.#random = random;
    this.#words = words;
    this.#other = other;
    for (let left = 1 << random.below(mostDoublings); left > 0; left--) this.#change();
    if (onlyAscii) this.#makeAscii();
    return this.#result;
  }

  /** The input; views of short ones are kept, because a new one costs as much as a small change. */
  get #result(): Uint8Array {
    const length = this.#length;
    const kept = this.#views[length];
    if (kept !== undefined) return kept;
    const made = this.#buffer.subarray(0, length);
    if (length <= longestView) this.#views[length] = made;
    return made;
  }

  #change(): void {
    const random = this.#random;
    if (this.#length === 0) {
      this.#insertRandom();
      return;
    }
    const kinds = this.#words.length > 0 ? 16 : 14;
    switch (random.below(kinds)) {
      case 0:
        this.#buffer[this.#at()]! ^= 1 << random.below(8);
        return;
      case 1:
        this.#buffer[this.#at()] = random.below(256);
        return;
      case 2:
        this.#buffer[this.#at()]! += 1 + random.below(mostAdded);
        return;
      case 3:
        this.#buffer[this.#at()]! -= 1 + random.below(mostAdded);
        return;
      case 4:
        this.#addToNumber();
        return;
      case 5:
        this.#interesting();
        return;
      case 6:
        this.#remove();
        return;
      case 7:
        this.#insertRandom();
        return;
      case 8:
        this.#repeat();
        return;
      case 9:
        this.#copyPart();
        return;
      case 10:
        this.#shuffle();
        return;
      case 11:
        this.#changeDigits();
        return;
      case 12:
        this.#takePart(true);
        return;
      case 13:
        this.#takePart(false);
        return;
      default:
        this.#word();
        return;
    }
  }

  #at(): number {
    return this.#random.below(this.#length);
  }

  /** Most parts are short. */
  #partLength(most: number): number {
    const random = this.#random;
    const limit = random.below(4) === 0 ? most : Math.min(most, 16);
    return 1 + random.below(limit);
  }

  #addToNumber(): void {
    const random = this.#random;
    const width = 2 << random.below(2);
    if (this.#length < width) return;
    const at = random.below(this.#length - width + 1);
    const isLittle = random.below(2) === 0;
    const delta = random.below(2 * mostAdded + 1) - mostAdded;
    if (width === 2) this.#view.setUint16(at, this.#view.getUint16(at, isLittle) + delta, isLittle);
    else this.#view.setUint32(at, this.#view.getUint32(at, isLittle) + delta, isLittle);
  }

  #interesting(): void {
    const random = this.#random;
    const width = 1 << random.below(3);
    if (this.#length < width) return;
    const at = random.below(this.#length - width + 1);
    const isLittle = random.below(2) === 0;
    const pick = (values: readonly number[]): number => values[random.below(values.length)]!;
    if (width === 1) this.#buffer[at] = pick(interesting8);
    else if (width === 2) this.#view.setUint16(at, pick(interesting16), isLittle);
    else this.#view.setUint32(at, pick(interesting32), isLittle);
  }

  #remove(): void {
    if (this.#length < 2) return;
    const at = this.#at();
    const bytes = Math.min(this.#partLength(this.#length), this.#length - at);
    this.#move(at, at + bytes);
    this.#length -= bytes;
  }

  /** Makes room for bytes; returns the number that fit. */
  #open(at: number, bytes: number): number {
    const room = Math.min(bytes, this.options.maxLength - this.#length);
    if (room <= 0) return 0;
    this.#move(at + room, at);
    this.#length += room;
    return room;
  }

  #insertRandom(): void {
    const random = this.#random;
    const at = random.below(this.#length + 1);
    const bytes = this.#open(at, this.#partLength(Math.max(16, this.#length)));
    for (let i = at; i < at + bytes; i++) this.#buffer[i] = random.below(256);
  }

  #repeat(): void {
    const at = this.#at();
    const value = this.#random.below(2) === 0 ? this.#buffer[at]! : this.#random.below(256);
    const bytes = this.#open(at, this.#partLength(Math.max(64, this.#length)));
    this.#buffer.fill(value, at, at + bytes);
  }

  #copyPart(): void {
    const random = this.#random;
    const from = this.#at();
    const bytes = Math.min(this.#partLength(this.#length), this.#length - from);
    if (random.below(2) === 0) {
      const at = random.below(this.#length + 1);
      const room = this.#open(at, bytes);
      // The bytes after the position have moved, perhaps only the end of the part.
      const before = Math.max(0, Math.min(room, at - from));
      this.#buffer.copyWithin(at, from, from + before);
      this.#buffer.copyWithin(at + before, from + before + room, from + 2 * room);
    } else {
      const at = random.below(this.#length - bytes + 1);
      this.#buffer.copyWithin(at, from, from + bytes);
    }
  }

  #shuffle(): void {
    const random = this.#random;
    const from = this.#at();
    const bytes = Math.min(8, this.#length - from);
    for (let i = bytes - 1; i > 0; i--) {
      const j = random.below(i + 1);
      const kept = this.#buffer[from + i]!;
      this.#buffer[from + i] = this.#buffer[from + j]!;
      this.#buffer[from + j] = kept;
    }
  }

  /** Changes a decimal number. */
  #changeDigits(): void {
    const isDigit = (at: number): boolean => this.#buffer[at]! >= 0x30 && this.#buffer[at]! <= 0x39;
    let at = this.#at();
    while (at < this.#length && !isDigit(at)) at++;
    if (at >= this.#length) return;
    let end = at;
    while (end < this.#length && isDigit(end) && end - at < mostDigits - 1) end++;
    let value = 0;
    for (let i = at; i < end; i++) value = value * 10 + this.#buffer[i]! - 0x30;
    const start = this.#decimal(this.#otherNumber(value));
    this.#replace(at, end - at, this.#digits, start, mostDigits - start);
  }

  #otherNumber(value: number): number {
    const random = this.#random;
    const byte = random.below(256);
    switch (random.below(6)) {
      case 0:
        return value + 1;
      case 1:
        return Math.max(0, value - 1);
      case 2:
        return value * 2;
      case 3:
        return Math.floor(value / 2);
      case 4:
        return byte;
      default:
        return 0xffff_ffff;
    }
  }

  /** Writes a number in decimal at the end of `#digits`; returns where it begins. */
  #decimal(value: number): number {
    let start = mostDigits;
    do {
      this.#digits[--start] = 0x30 + (value % 10);
      value = Math.floor(value / 10);
    } while (value > 0);
    return start;
  }

  /** Copies a part of the other input over this one, or inserts it. */
  #takePart(isInserted: boolean): void {
    const other = this.#other;
    if (other.length === 0) return;
    const from = this.#random.below(other.length);
    const bytes = this.#partLength(other.length - from);
    const at = this.#random.below(this.#length + 1);
    this.#replace(at, isInserted ? 0 : Math.min(bytes, this.#length - at), other, from, bytes);
  }

  #word(): void {
    const random = this.#random;
    const word = this.#words[random.below(this.#words.length)]!;
    const at = random.below(this.#length + 1);
    this.#replace(at, random.below(2) === 0 ? 0 : Math.min(word.length, this.#length - at), word);
  }

  /** Replaces bytes by a part of others; what does not fit is dropped. */
  #replace(at: number, bytes: number, by: Uint8Array, from = 0, count: number = by.length): void {
    const room = Math.min(count, this.options.maxLength - (this.#length - bytes));
    if (room < 0) return;
    this.#move(at + room, at + bytes);
    if (room > shortCopy) this.#buffer.set(by.subarray(from, from + room), at);
    else for (let i = 0; i < room; i++) this.#buffer[at + i] = by[from + i]!;
    this.#length += room - bytes;
  }

  /** Moves the rest of the input from one place to another. */
  #move(to: number, from: number): void {
    const buffer = this.#buffer;
    const length = this.#length;
    if (to === from) return;
    if (length - from > shortCopy) buffer.copyWithin(to, from, length);
    else if (to < from) for (let i = from; i < length; i++) buffer[i + to - from] = buffer[i]!;
    else for (let i = length - 1; i >= from; i--) buffer[i + to - from] = buffer[i]!;
  }

  #makeAscii(): void {
    for (let i = 0; i < this.#length; i++) this.#buffer[i] = asAscii(this.#buffer[i]!);
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every(byte => asAscii(byte) === byte);
}

/** A byte as libFuzzer's `-only_ascii=1` allows it: printable, or white space. */
export function asAscii(byte: number): number {
  const low = byte & 0x7f;
  return (low >= 0x20 && low < 0x7f) || (low >= 9 && low <= 13) ? low : 0x20 + (low % 0x5f);
}
