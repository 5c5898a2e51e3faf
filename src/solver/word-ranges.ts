/**
 * The values of one input word that a constraint allows, as ranges.
 *
 *     0 <s n - 3      n in [4, 2^31 + 2]            n is the word: a variable, a byte of an input, or bytes side by side
 *     not n <u 10     n in [10, 2^32 - 1]
 *     sign bit of n   n in [2^31, 2^32 - 1]         a condition on the upper part of the word
 *
 * Loops with a symbolic bound make hundreds of such queries, each with all earlier constraints. A
 * comparison with a constant holds for one or two ranges of what is compared, and each step from
 * there down to the word (a sum with a constant, a widening, a complement) takes ranges to ranges.
 *
 * **Invariant.** Ranges of a set are not empty, ascend and do not touch, so a set has one
 * representation.
 */
import { Op, type Term } from '../expr/term.js';
import { type BitVectorValue, toValue } from '../expr/value.js';

/** Both ends belong to it. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

export type Ranges = readonly Range[];

/** A constraint on one word: it holds for these values. */
export interface WordCondition {
  readonly word: Term;
  readonly ranges: Ranges;
}

/** More ranges, as for a long list of exceptions, are left to the solver. */
const MOST_RANGES = 64;

export class WordConditions {
  /** By the constraint; null for others. */
  readonly #known = new Map<Term, WordCondition | null>();
  readonly #leaves = new Map<Term, readonly Term[] | null>();

  of(constraint: Term): WordCondition | undefined {
    let known = this.#known.get(constraint);
    if (known === undefined) {
      const found = truthOf(constraint, true);
      known = found !== undefined && this.leavesOf(found.word) !== undefined ? found : null;
      this.#known.set(constraint, known);
    }
    return known ?? undefined;
  }

  /**
   * The values that constraints allow each word; undefined if some constraints are of another kind
   * (unless they are ignored), or if words overlap.
   */
  wordsOf(
    constraints: readonly Term[],
    others: 'refused' | 'ignored' = 'refused',
  ): Map<Term, Ranges> | undefined {
    const byWord = new Map<Term, Ranges>();
    for (const constraint of constraints) {
      const condition = this.of(constraint);
      if (condition === undefined) {
        if (others === 'ignored') continue;
        return undefined;
      }
      const { word } = condition;
      const before = byWord.get(word);
      const ranges = before === undefined ? condition.ranges : intersection(before, condition.ranges);
      if (ranges.length > MOST_RANGES) return undefined;
      byWord.set(word, ranges);
    }
    return byWord.size <= 1 ? byWord : this.#joined(byWord);
  }

  /**
   * A word that is the upper part of another is merged into it; undefined if words overlap
   * otherwise.
   */
  #joined(byWord: ReadonlyMap<Term, Ranges>): Map<Term, Ranges> | undefined {
    const words = [...byWord.keys()].sort((a, b) => b.width - a.width);
    const owners = new Map<Term, Term>();
    const joined = new Map<Term, Ranges>();
    for (const word of words) {
      const leaves = this.leavesOf(word)!;
      const ranges = byWord.get(word)!;
      const owner = owners.get(leaves[0]!);
      const all = owner === undefined ? undefined : this.leavesOf(owner)!;
      if (owner === undefined || all === undefined) {
        if (leaves.some(leaf => owners.has(leaf))) return undefined;
        for (const leaf of leaves) owners.set(leaf, word);
        joined.set(word, ranges);
      } else {
        if (leaves.some((leaf, i) => all[i] !== leaf)) return undefined;
        joined.set(owner, intersection(joined.get(owner)!, lifted(ranges, owner.width - word.width)));
      }
    }
    return joined;
  }

  /** The values of a word's variables or bytes if the word has this value. */
  partsOf(word: Term, value: bigint): [leaf: Term, value: BitVectorValue][] {
    let rest = value;
    return this.leavesOf(word)!
      .toReversed()
      .map(leaf => {
        const part = toValue(leaf.width, rest);
        rest >>= BigInt(leaf.width);
        return [leaf, part];
      });
  }

  /**
   * The variables or bytes of a word, the highest first; undefined if it is not a word, or contains
   * one of them twice.
   */
  leavesOf(term: Term): readonly Term[] | undefined {
    let known = this.#leaves.get(term);
    if (known === undefined) {
      const leaves = sideBySide(term);
      const isWord = leaves !== undefined && new Set(leaves).size === leaves.length;
      known = isWord ? leaves : null;
      this.#leaves.set(term, known);
    }
    return known ?? undefined;
  }
}

/** A concatenation of more parts is not treated as a word: programs do not compare such words. */
const MOST_PARTS = 16;

function sideBySide(term: Term): Term[] | undefined {
  const parts: Term[] = [];
  let rest = term;
  while (rest.op === Op.Concat && isLeaf(rest.a) && parts.length < MOST_PARTS) {
    parts.push(rest.a);
    rest = rest.b;
  }
  return isLeaf(rest) ? [...parts, rest] : undefined;
}

function isLeaf({ op, a, array }: Term): boolean {
  return op === Op.Var || (op === Op.Read && a.isConst && array?.kind === 'symbolic');
}

/** The values of a word for which a condition holds, or does not. */
function truthOf(condition: Term, holds: boolean): WordCondition | undefined {
  const { op, a, b, width } = condition;
  if (width !== 1) return undefined;
  if (op === Op.Not) return truthOf(a, !holds);
  // The sign of something.
  if (op === Op.Extract && condition.offset === a.width - 1) {
    const [half, top] = [1n << BigInt(a.width - 1), (1n << BigInt(a.width)) - 1n];
    return down(a, holds ? [{ low: half, high: top }] : [{ low: 0n, high: half - 1n }]);
  }
  if (op !== Op.Eq && op !== Op.Ult && op !== Op.Slt) return undefined;
  const size = 1n << BigInt(a.width);
  // In the signed order, the first value is in the middle.
  const first = op === Op.Slt ? size / 2n : 0n;
  if (a.isConst === b.isConst) return op === Op.Eq ? truthOfSum(a, b, holds) : undefined;
  const bound = BigInt((a.isConst ? a : b).value);
  const rank = (bound - first + size) % size;
  const where =
    op === Op.Eq
      ? between(bound, 1n, size)
      : a.isConst
        ? between(bound + 1n, size - 1n - rank, size)
        : between(first, rank, size);
  return down(a.isConst ? b : a, holds ? where : complement(where, size));
}

/**
 * A sum with a constant that is computed with one bit more and is the same: it does not overflow.
 *
 *     (sext x) + k = sext (x + k)        with 33 bits; x is a word of 32 plus a constant
 */
function truthOfSum(a: Term, b: Term, holds: boolean): WordCondition | undefined {
  const [sum, narrow] = a.op === Op.Add ? [a, b] : [b, a];
  if (sum.op !== Op.Add || narrow.op !== Op.Sext) return undefined;
  const [wide, constant] = sum.b.isConst ? [sum.a, sum.b] : [sum.b, sum.a];
  if (wide.op !== Op.Sext || !constant.isConst) return undefined;
  const { width } = wide.a;
  const k = BigInt.asIntN(sum.width, BigInt(constant.value));
  const [x, y] = [offsetOf(wide.a), offsetOf(narrow.a)];
  const size = 1n << BigInt(width);
  const half = size / 2n;
  if (x.word !== y.word || narrow.a.width !== width || k >= half || k < -half) return undefined;
  if ((x.offset + k - y.offset) % size !== 0n) return undefined;
  // The values of x, starting with the least one that fits in the signed order.
  const where = between(k < 0n ? half - k : half, size - (k < 0n ? -k : k), size);
  return down(wide.a, holds ? where : complement(where, size));
}

function offsetOf(term: Term): { readonly word: Term; readonly offset: bigint } {
  if (term.op !== Op.Add) return { word: term, offset: 0n };
  if (term.b.isConst) return { word: term.a, offset: BigInt(term.b.value) };
  return term.a.isConst ? { word: term.b, offset: BigInt(term.a.value) } : { word: term, offset: 0n };
}

/** Maps the values of a term to those of the word from which it is computed. */
function down(term: Term, values: Ranges): WordCondition | undefined {
  let word = term;
  let ranges = values;
  for (;;) {
    const { op, a, b } = word;
    const size = 1n << BigInt(word.width);
    const constant = a.isConst ? a : b;
    const other = a.isConst ? b : a;
    if (op === Op.Add && constant.isConst) {
      ranges = moved(ranges, -BigInt(constant.value), size);
      word = other;
    } else if (op === Op.Sub && a.isConst) {
      ranges = moved(mirrored(ranges, size), BigInt(a.value) + 1n, size);
      word = b;
    } else if (op === Op.Not) {
      ranges = mirrored(ranges, size);
      word = a;
    } else if (op === Op.Zext) {
      ranges = intersection(ranges, [{ low: 0n, high: (1n << BigInt(a.width)) - 1n }]);
      word = a;
    } else if (op === Op.Sext) {
      const half = 1n << BigInt(a.width - 1);
      const positive = intersection(ranges, [{ low: 0n, high: half - 1n }]);
      const negative = intersection(ranges, [{ low: size - half, high: size - 1n }]);
      ranges = merged([...positive, ...moved(negative, 2n * half - size, size)]);
      word = a;
    } else return { word, ranges };
  }
}

/** This many consecutive values; values past the end wrap around to 0. */
function between(low: bigint, count: bigint, size: bigint): Ranges {
  if (count === 0n) return [];
  return moved([{ low: 0n, high: count - 1n }], low, size);
}

function moved(ranges: Ranges, by: bigint, size: bigint): Ranges {
  const parts: Range[] = [];
  for (const { low, high } of ranges) {
    const start = (((low + by) % size) + size) % size;
    const end = start + high - low;
    if (end < size) parts.push({ low: start, high: end });
    else parts.push({ low: start, high: size - 1n }, { low: 0n, high: end - size });
  }
  return merged(parts);
}

/** The values size - 1 - v. */
function mirrored(ranges: Ranges, size: bigint): Ranges {
  return ranges.map(({ low, high }) => ({ low: size - 1n - high, high: size - 1n - low })).reverse();
}

function complement(ranges: Ranges, size: bigint): Ranges {
  const parts: Range[] = [];
  let low = 0n;
  for (const range of ranges) {
    if (range.low > low) parts.push({ low, high: range.low - 1n });
    low = range.high + 1n;
  }
  if (low < size) parts.push({ low, high: size - 1n });
  return parts;
}

/** Sorted, with overlapping and adjacent ranges merged. */
function merged(ranges: readonly Range[]): Ranges {
  const parts: Range[] = [];
  for (const range of [...ranges].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0))) {
    const last = parts.at(-1);
    if (last === undefined || range.low > last.high + 1n) parts.push(range);
    else if (range.high > last.high) parts[parts.length - 1] = { low: last.low, high: range.high };
  }
  return parts;
}

function intersection(a: Ranges, b: Ranges): Ranges {
  const parts: Range[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i]!, b[j]!];
    const low = x.low > y.low ? x.low : y.low;
    const high = x.high < y.high ? x.high : y.high;
    if (low <= high) parts.push({ low, high });
    if (x.high < y.high) i++;
    else j++;
  }
  return parts;
}

/** The values of a word whose upper part has these values, with this many bits below. */
function lifted(ranges: Ranges, bits: number): Ranges {
  const below = BigInt(bits);
  return ranges.map(({ low, high }) => ({ low: low << below, high: ((high + 1n) << below) - 1n }));
}
