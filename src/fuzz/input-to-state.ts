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
 * when it is tried, because most suggestions of a long input differ in a few bytes only.
 */
import type { ComparisonProbe } from '../monitor/instrument/probes.js';
import type { Comparison, TextComparison } from './fuzz-target.js';

export interface Compared {
  readonly integers: readonly Comparison[];
  readonly texts: readonly TextComparison[];
}

/** The largest number of occurrences that are tried for a pair of values. */
const mostPlaces = 12;
/** Compared texts are recorded up to fewer bytes. */
const mostText = 64;
/** Longer words are not added to the dictionary. */
const longestWord = 32;

/**
 * Inputs that may decide a comparison differently, each once, and the words of comparisons. An
 * input is a view that is valid until the next one is taken.
 */
export function inputsToTry(
  input: Uint8Array,
  { integers, texts }: Compared,
  probes: readonly ComparisonProbe[],
  maxLength: number,
  most: number,
): { readonly inputs: Iterable<Uint8Array>; readonly words: readonly Uint8Array[] } {
  const tried = new Trials(input, maxLength, most);
  const words = new Map<string, Uint8Array>();
  const addWord = (word: Uint8Array): void => {
    if (word.length >= 2 && word.length <= longestWord) words.set(String(word), word);
  };
  const seen = new Set<string>();
  for (const { left, right } of texts) {
    for (const [from, to] of [
      [left, right],
      [right, left],
    ] as const) {
      tried.replaceText(from, to);
      const end = to.indexOf(0);
      addWord(end < 0 ? to : to.slice(0, end));
    }
  }
  for (const { site, left, right } of integers) {
    const probe = probes[site];
    if (probe === undefined) continue;
    const others =
      probe.cases === undefined ? [right] : probe.cases.map(text => BigInt.asUintN(64, BigInt(text)));
    for (const other of others) {
      const key = `${site} ${left} ${other}`;
      if (left === other && probe.isOrder !== true) continue;
      if (seen.has(key)) continue;
      seen.add(key);
      const bits = Math.min(64, Math.max(8, probe.bits));
      const around = probe.isOrder ? [0n, 1n, -1n] : [0n];
      for (const delta of around) {
        tried.replaceNumber(left, BigInt.asUintN(bits, other + delta), bits);
        if (probe.cases === undefined) tried.replaceNumber(other, BigInt.asUintN(bits, left + delta), bits);
      }
      for (const value of [left, other]) if (value > 0xffn) addWord(bytesOf(value, fewestBytes(value), true));
    }
  }
  return { inputs: tried.inputs(), words: [...words.values()] };
}

/** Replaces this many bytes of the input at an offset by others. */
interface Edit {
  readonly at: number;
  readonly removed: number;
  readonly by: Uint8Array;
}

class Trials {
  readonly #edits = new Map<string, Edit>();
  #longest = 0;

  constructor(
    private readonly input: Uint8Array,
    private readonly maxLength: number,
    private readonly most: number,
  ) {}

  /** An edit that moves nothing is made and undone in one buffer, without copying the input. */
  *inputs(): Generator<Uint8Array> {
    const { input } = this;
    const buffer = new Uint8Array(this.#longest);
    const whole = input.slice();
    for (const { at, removed, by } of this.#edits.values()) {
      if (removed === by.length) {
        whole.set(by, at);
        yield whole;
        for (let i = at; i < at + removed; i++) whole[i] = input[i]!;
        continue;
      }
      buffer.set(input.subarray(0, at));
      buffer.set(by, at);
      buffer.set(input.subarray(at + removed), at + by.length);
      yield buffer.subarray(0, input.length - removed + by.length);
    }
  }

  /** What `from` and `to` begin and end with stays, so that the same change is the same edit. */
  #add(at: number, removed: number, to: Uint8Array): void {
    const { input } = this;
    const length = input.length - removed + to.length;
    if (this.#edits.size >= this.most || length > this.maxLength) return;
    const shorter = Math.min(removed, to.length);
    let head = 0;
    while (head < shorter && input[at + head] === to[head]) head++;
    let tail = 0;
    while (tail < shorter - head && input[at + removed - 1 - tail] === to[to.length - 1 - tail]) tail++;
    const by = to.subarray(head, to.length - tail);
    const edit = { at: at + head, removed: removed - head - tail, by };
    // Only `#resize` adds many bytes, and how many there are says which.
    const text = by.length > mostText ? by.length : String.fromCharCode(...by);
    const key = `${edit.at} ${edit.removed} ${text}`;
    if (this.#edits.has(key)) return;
    this.#edits.set(key, edit);
    if (edit.removed !== by.length) this.#longest = Math.max(this.#longest, length);
  }

  replaceNumber(from: bigint, to: bigint, bits: number): void {
    if (from === BigInt(this.input.length)) this.#resize(to);
    const widths = [1, 2, 4, 8].filter(bytes => bytes * 8 <= bits);
    for (const bytes of widths) {
      const mask = (1n << BigInt(bytes * 8)) - 1n;
      // The other bytes of the value must be zero, or repeat the sign.
      if (!fits(from, bytes, bits)) continue;
      for (const isLittle of bytes === 1 ? [true] : [true, false])
        this.#replaceAll(bytesOf(from & mask, bytes, isLittle), bytesOf(to & mask, bytes, isLittle));
    }
    if (from < 1n << 63n && to < 1n << 63n && (from > 9n || to > 9n))
      this.#replaceAll(decimal.encode(String(from)), decimal.encode(String(to)));
  }

  /** Texts are compared up to a terminating zero. */
  replaceText(from: Uint8Array, to: Uint8Array): void {
    const [fromEnd, toEnd] = [from.indexOf(0), to.indexOf(0)];
    const source = fromEnd < 0 ? from : from.subarray(0, fromEnd);
    const target = toEnd < 0 ? to : to.subarray(0, toEnd);
    if (source.length > 0) this.#replaceAll(source, target);
    if (from.length === to.length) this.#replaceAll(from, to);
    // A truncated source may be found by its beginning.
    if (source.length > 4) this.#replaceAll(source.subarray(0, 4), target);
  }

  #replaceAll(from: Uint8Array, to: Uint8Array): void {
    if (from.length === 0 || equal(from, to)) return;
    let places = 0;
    for (
      let at = find(this.input, from, 0);
      at >= 0 && places < mostPlaces;
      at = find(this.input, from, at + 1)
    ) {
      places++;
      this.#add(at, from.length, to);
      // The same without moving the following bytes.
      if (from.length !== to.length && at + to.length <= this.input.length) this.#add(at, to.length, to);
    }
  }

  #resize(to: bigint): void {
    if (to > BigInt(this.maxLength)) return;
    const { length } = this.input;
    const kept = Math.min(length, Number(to));
    // Padding bytes are distinct, so that comparisons can identify them.
    const more = Uint8Array.from({ length: Number(to) - kept }, (_, i) => ((kept + i) * 37 + 101) & 0xff);
    this.#add(kept, length - kept, more);
  }
}

/** Whether the value is the extension of its low bytes. */
function fits(value: bigint, bytes: number, bits: number): boolean {
  const low = bytes * 8;
  return BigInt.asUintN(low, value) === value || BigInt.asUintN(bits, BigInt.asIntN(low, value)) === value;
}

function fewestBytes(value: bigint): number {
  return value <= 0xffffn ? 2 : value <= 0xffff_ffffn ? 4 : 8;
}

const number = new DataView(new ArrayBuffer(8));
const bytesOfNumber = new Uint8Array(number.buffer);
const decimal = new TextEncoder();

/** The low bytes of a value. */
function bytesOf(value: bigint, count: number, isLittle: boolean): Uint8Array {
  number.setBigUint64(0, value, isLittle);
  return isLittle ? bytesOfNumber.slice(0, count) : bytesOfNumber.slice(8 - count);
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function find(bytes: Uint8Array, part: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(part[0]!, from); at >= 0; at = bytes.indexOf(part[0]!, at + 1)) {
    if (at + part.length > bytes.length) return -1;
    let same = 1;
    while (same < part.length && bytes[at + same] === part[same]) same++;
    if (same === part.length) return at;
  }
  return -1;
}
