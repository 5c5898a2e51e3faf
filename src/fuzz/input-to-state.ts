/**
 * Input-to-state correspondence, after RedQueen: where a compared value occurs in the input, it is
 * replaced by the other operand of the comparison.
 *
 *     input "..\x2a\x00\x00\x00.."      compared 42 == 0xcafe     ▶     "..\xfe\xca\x00\x00.."
 *
 * Values are searched in both byte orders, in as few bytes as they take (an `int` may come from one
 * byte), and in decimal. A text is replaced by the other text, whatever its length. If a value
 * equals the length of the input, the length is changed.
 *
 * A suggestion is kept as an edit, a place and the bytes that are put there. The input is built
 * when it is tried, because most suggestions of a long input differ in a few bytes only. Repairs of
 * a comparison are suggested after thousands of runs a second, so nothing here allocates an array
 * for a value that does not occur in the input.
 */
import type { ComparisonProbe } from '../monitor/instrument/probes.js';
import { findByte } from '../platform/find-byte.js';
import { assert } from '../support/assert.js';
import type { Comparison, TextComparison } from './fuzz-target.js';

export interface Compared {
  readonly integers: readonly Comparison[];
  readonly texts: readonly TextComparison[];
}

/** The largest number of occurrences that are tried for a pair of values. */
const mostPlaces = 12;
/** Longer words are not added to the dictionary. */
const longestWord = 32;
/** The decimal digits of the largest number. */
const mostDigits = 20;

/** Replaces bytes of the input from a place on by bytes of `Suggestions.#put`. */
interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly start: number;
  readonly count: number;
  /** The next edit with the same hash. */
  readonly next: Edit | undefined;
}

/** The suggestions for one input after another. */
export class Suggestions {
  #input: Uint8Array = new Uint8Array(0);
  #most = 0;
  readonly #edits: Edit[] = [];
  readonly #byHash = new Map<number, Edit>();
  /** What the edits put into the input. */
  #put = new Uint8Array(1024);
  #used = 0;
  /** Where inputs are made: the whole input, and one whose bytes have moved. */
  readonly #whole: Uint8Array;
  readonly #moved: Uint8Array;
  readonly #from = new Uint8Array(mostDigits);
  readonly #to = new Uint8Array(mostDigits);

  constructor(
    private readonly probes: readonly ComparisonProbe[],
    private readonly maxLength: number,
  ) {
    this.#whole = new Uint8Array(maxLength);
    this.#moved = new Uint8Array(maxLength);
  }

  /**
   * Inputs that may decide a comparison differently, each once, up to `most`, and the words of
   * comparisons. An input is a view that is valid until the next one is taken; they must be taken
   * before the next call.
   */
  of(
    input: Uint8Array,
    { integers, texts }: Compared,
    most: number,
  ): { readonly inputs: Iterable<Uint8Array>; readonly words: readonly Uint8Array[] } {
    this.#begin(input, most);
    const words = new Map<string, Uint8Array>();
    const addWord = (word: Uint8Array): void => {
      if (word.length >= 2 && word.length <= longestWord) words.set(String(word), word);
    };
    for (const { left, right } of texts) {
      for (const [from, to] of [
        [left, right],
        [right, left],
      ] as const) {
        this.#replaceText(from, to);
        const end = to.indexOf(0);
        addWord(end < 0 ? to : to.slice(0, end));
      }
    }
    const seen = new Set<string>();
    for (const comparison of integers) {
      const { site, left, right } = comparison;
      const probe = this.probes[site];
      if (probe === undefined) continue;
      for (const other of othersOf(probe, right)) {
        const key = `${site} ${left} ${other}`;
        if ((left === other && probe.isOrder !== true) || seen.has(key)) continue;
        seen.add(key);
        this.#replaceCompared(probe, left, other);
        for (const value of [left, other]) if (value > 0xffn) addWord(wordOf(value));
      }
    }
    return { inputs: this.#inputs(), words: [...words.values()] };
  }

  /** The same for one comparison of integers, without words. */
  ofOne(input: Uint8Array, { site, left, right }: Comparison, most: number): Iterable<Uint8Array> {
    this.#begin(input, most);
    const probe = this.probes[site];
    if (probe !== undefined)
      for (const other of othersOf(probe, right))
        if (left !== other || probe.isOrder === true) this.#replaceCompared(probe, left, other);
    return this.#inputs();
  }

  #begin(input: Uint8Array, most: number): void {
    assert(input.length <= this.maxLength, 'no input is longer than the limit');
    this.#input = input;
    this.#most = most;
    this.#edits.length = 0;
    this.#byHash.clear();
    this.#used = 0;
  }

  get #isFull(): boolean {
    return this.#edits.length >= this.#most;
  }

  /** An edit that moves nothing is made and undone in one buffer, without copying the input. */
  *#inputs(): Generator<Uint8Array> {
    const input = this.#input;
    const put = this.#put;
    const moved = this.#moved;
    const whole = this.#whole.subarray(0, input.length);
    whole.set(input);
    for (const { at, removed, start, count } of this.#edits) {
      if (removed === count) {
        for (let i = 0; i < count; i++) whole[at + i] = put[start + i]!;
        yield whole;
        for (let i = at; i < at + count; i++) whole[i] = input[i]!;
        continue;
      }
      moved.set(input.subarray(0, at));
      for (let i = 0; i < count; i++) moved[at + i] = put[start + i]!;
      moved.set(input.subarray(at + removed), at + count);
      yield moved.subarray(0, input.length - removed + count);
    }
  }

  /**
   * Replaces `removed` bytes by the first `size` of `to`. What both begin and end with stays, so
   * that the same change is the same edit.
   */
  #add(at: number, removed: number, to: Uint8Array, size: number): void {
    const input = this.#input;
    if (this.#isFull || input.length - removed + size > this.maxLength) return;
    const shorter = Math.min(removed, size);
    let head = 0;
    while (head < shorter && input[at + head] === to[head]) head++;
    let tail = 0;
    while (tail < shorter - head && input[at + removed - 1 - tail] === to[size - 1 - tail]) tail++;
    const count = size - head - tail;
    const place = at + head;
    const left = removed - head - tail;
    let hash = Math.imul(place, 0x21f0aaad) ^ Math.imul(left, 0x735a2d97) ^ count;
    for (let i = head; i < head + count; i++) hash = Math.imul(hash, 31) + to[i]!;
    hash |= 0;
    const first = this.#byHash.get(hash);
    for (let edit = first; edit !== undefined; edit = edit.next)
      if (edit.at === place && edit.removed === left && this.#puts(edit, to, head, count)) return;
    const start = this.#used;
    this.#used += count;
    if (this.#used > this.#put.length) {
      const larger = new Uint8Array(2 * this.#used);
      larger.set(this.#put);
      this.#put = larger;
    }
    for (let i = 0; i < count; i++) this.#put[start + i] = to[head + i]!;
    const edit = { at: place, removed: left, start, count, next: first };
    this.#edits.push(edit);
    this.#byHash.set(hash, edit);
  }

  #puts(edit: Edit, bytes: Uint8Array, from: number, count: number): boolean {
    if (edit.count !== count) return false;
    for (let i = 0; i < count; i++) if (this.#put[edit.start + i] !== bytes[from + i]) return false;
    return true;
  }

  #replaceCompared(probe: ComparisonProbe, left: bigint, other: bigint): void {
    const bits = Math.min(64, Math.max(8, probe.bits));
    for (const delta of probe.isOrder ? around : same) {
      this.#replaceNumber(left, BigInt.asUintN(bits, other + delta), bits);
      if (probe.cases === undefined) this.#replaceNumber(other, BigInt.asUintN(bits, left + delta), bits);
    }
  }

  #replaceNumber(from: bigint, to: bigint, bits: number): void {
    if (this.#isFull) return;
    if (from === BigInt(this.#input.length)) this.#resize(to);
    valueView.setBigUint64(0, from, true);
    valueView.setBigUint64(8, to, true);
    const significant = significantBytes(bits);
    for (let bytes = 1; bytes * 8 <= bits && !this.#isFull; bytes *= 2) {
      if (bytes < significant) continue;
      this.#replaceBytes(bytes, true);
      if (bytes > 1) this.#replaceBytes(bytes, false);
    }
    if (from >> 63n === 0n && to >> 63n === 0n && (from > 9n || to > 9n)) {
      const digits = putDigits(this.#from, from);
      this.#replaceAll(this.#from, digits, this.#to, putDigits(this.#to, to));
    }
  }

  /** Replaces the low bytes of the one value by those of the other. */
  #replaceBytes(bytes: number, isLittle: boolean): void {
    for (let i = 0; i < bytes; i++) {
      const at = isLittle ? i : bytes - 1 - i;
      this.#from[i] = valueBytes[at]!;
      this.#to[i] = valueBytes[8 + at]!;
    }
    this.#replaceAll(this.#from, bytes, this.#to, bytes);
  }

  /** Texts are compared up to a terminating zero. */
  #replaceText(from: Uint8Array, to: Uint8Array): void {
    const [source, target] = [textLength(from), textLength(to)];
    if (source > 0) this.#replaceAll(from, source, to, target);
    if (from.length === to.length) this.#replaceAll(from, from.length, to, to.length);
    // A truncated source may be found by its beginning.
    if (source > 4) this.#replaceAll(from, 4, to, target);
  }

  /** Replaces the first bytes of `from`, wherever they occur, by the first of `to`. */
  #replaceAll(from: Uint8Array, count: number, to: Uint8Array, size: number): void {
    if (count === 0 || (count === size && isPrefix(from, to, count))) return;
    const input = this.#input;
    let places = 0;
    for (
      let at = find(input, from, count, 0);
      at >= 0 && places < mostPlaces && !this.#isFull;
      at = find(input, from, count, at + 1)
    ) {
      places++;
      this.#add(at, count, to, size);
      // The same without moving the following bytes.
      if (count !== size && at + size <= input.length) this.#add(at, size, to, size);
    }
  }

  #resize(to: bigint): void {
    if (to > BigInt(this.maxLength)) return;
    const { length } = this.#input;
    const kept = Math.min(length, Number(to));
    const more = new Uint8Array(Number(to) - kept);
    // Padding bytes are distinct, so that comparisons can identify them.
    for (let i = 0; i < more.length; i++) more[i] = (kept + i) * 37 + 101;
    this.#add(kept, length - kept, more, more.length);
  }
}

/** How many bytes a text has before its terminating zero. */
function textLength(text: Uint8Array): number {
  const end = text.indexOf(0);
  return end < 0 ? text.length : end;
}

const same = [0n];
const around = [0n, 1n, -1n];

/** The values that an operand was compared with. */
function othersOf({ cases }: ComparisonProbe, right: bigint): readonly bigint[] {
  return cases === undefined ? [right] : cases.map(text => BigInt.asUintN(64, BigInt(text)));
}

/** Two values, least significant byte first. */
const valueView = new DataView(new ArrayBuffer(16));
const valueBytes = new Uint8Array(valueView.buffer);

/** The first value is the extension of this many of its bytes, by zeros or by its sign. */
function significantBytes(bits: number): number {
  const width = bits >> 3;
  let zero = 8;
  while (zero > 1 && valueBytes[zero - 1] === 0) zero--;
  if (zero < width || bits % 8 !== 0) return zero;
  let sign = width;
  while (sign > 1 && valueBytes[sign - 1] === 0xff && valueBytes[sign - 2]! >= 0x80) sign--;
  return zero > width ? zero : sign;
}

/** Writes a number in decimal; returns the number of digits. */
function putDigits(to: Uint8Array, value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) return new TextEncoder().encodeInto(String(value), to).written;
  let left = Number(value);
  let digits = 1;
  for (let rest = Math.floor(left / 10); rest > 0; rest = Math.floor(rest / 10)) digits++;
  for (let i = digits - 1; i >= 0; i--) {
    to[i] = 0x30 + (left % 10);
    left = Math.floor(left / 10);
  }
  return digits;
}

/** A number as a word for the dictionary. */
function wordOf(value: bigint): Uint8Array {
  valueView.setBigUint64(0, value, true);
  return valueBytes.slice(0, value <= 0xffffn ? 2 : value <= 0xffff_ffffn ? 4 : 8);
}

/** Whether both begin with the same bytes. */
function isPrefix(a: Uint8Array, b: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Where the first `count` bytes of `part` occur from a place on, or -1. */
function find(bytes: Uint8Array, part: Uint8Array, count: number, from: number): number {
  // Zeros and ones fill many inputs; another byte is found in fewer places.
  let rare = 0;
  while (rare < count - 1 && (part[rare] === 0 || part[rare] === 0xff)) rare++;
  const value = part[rare]!;
  const last = bytes.length - count;
  for (let at = findByte(bytes, value, from + rare); at >= 0; at = findByte(bytes, value, at + 1)) {
    const start = at - rare;
    if (start > last) return -1;
    let equal = 0;
    while (equal < count && bytes[start + equal] === part[equal]) equal++;
    if (equal === count) return start;
  }
  return -1;
}
