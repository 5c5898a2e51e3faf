/**
 * Decides queries about few values by enumerating them.
 *
 *     0 <= i < 20, 3 <= n < 30 and whatever a program computes from both        20 * 27 = 540 rows
 *     buffer[i & 15] with nothing known about the byte i                        16 rows: higher bits do not matter
 *
 * Inputs that are positions and lengths are small numbers, and programs copy whole ranges of memory
 * by them. In a circuit each byte of the target is then a selection among all bytes of the source;
 * as a table (`expr/tabulation.ts`) it is one value for each row. The tables of a *universe*, which
 * is a list of values of some words, are kept: the constraints of a path and of those that fork
 * from it share nearly all their terms. A query is the intersection of the rows of its constraints.
 *
 * Rows begin with the values next to zero, because users read the model.
 *
 * **Invariant.** A universe that is used for a query has a row for all possible values of its
 * words.
 */

import { type Table, Tabulation } from '../expr/tabulation.js';
import { Op, type Term } from '../expr/term.js';
import type { BitVectorValue } from '../expr/value.js';
import { forEachOperand, forEachTerm } from '../expr/walk.js';
import type { Layer, Query } from './layer.js';
import { modelOf, type Outcome } from './query-outcome.js';
import type { Supports } from './support-set.js';
import type { Ranges, WordConditions } from './word-ranges.js';

/** Queries with more rows are left to the solver. */
const MOST_ROWS = 4096;
/** The limit of new table cells for one constraint: about 10 ms. */
const MOST_NEW_CELLS = 2 ** 22;
/** Beyond this, all universes are dropped. */
const MOST_CELLS = 2 ** 24;
/** The number of universes with the same leaves. */
const MOST_ALIKE = 8;
/** The largest number of unbounded variables and bytes. */
const MOST_FREE = 4;
/** Taller constraints are not searched for the bits that they use. */
const TALLEST = 256;

export class CountingLayer implements Layer {
  /** Indexed by the ids of their leaves. */
  readonly #universes = new Map<string, Universe[]>();
  /** For each constraint, how many of the lowest bits of a leaf it uses. */
  readonly #bits = new Map<Term, ReadonlyMap<Term, number>>();
  #cells = 0;

  constructor(
    readonly conditions: WordConditions,
    readonly supports: Supports,
    readonly below: Layer,
    readonly onAnswer: () => void,
  ) {}

  check(query: Query): Outcome {
    const { constraints } = query;
    const universe = this.#universeOf(constraints);
    const rows = universe && this.#rowsOf(universe, constraints);
    if (universe === undefined || rows === undefined) return this.below.check(query);
    this.onAnswer();
    const row = firstOf(rows);
    if (row === undefined) return { kind: 'unsat', core: this.#coreOf(universe, constraints) };
    return { kind: 'sat', model: modelOf(universe.valuesIn(row)) };
  }

  /** Ranges determine the rows, so they belong to every core. */
  #coreOf(universe: Universe, constraints: readonly Term[]): Term[] {
    const others = universe.exclude(constraints);
    return constraints.filter(term => others.has(term) || this.conditions.of(term) !== undefined);
  }

  #rowsOf(universe: Universe, constraints: readonly Term[]): Uint32Array | undefined {
    const before = universe.cells;
    const rows = universe.rowsOf(constraints);
    this.#cells += universe.cells - before;
    if (this.#cells > MOST_CELLS) {
      this.#universes.clear();
      this.#cells = 0;
    }
    return rows;
  }

  #universeOf(constraints: readonly Term[]): Universe | undefined {
    const leaves = this.#leavesOf(constraints);
    const words = leaves && this.#wordsOf(constraints, leaves);
    if (words === undefined || countOf(words) > MOST_ROWS) return undefined;
    const key = [...leaves!]
      .map(({ id }) => id)
      .sort()
      .join();
    const alike = this.#universes.get(key) ?? [];
    const known = alike.find(universe => universe.contains(words));
    if (known !== undefined) return known;
    const universe = new Universe(this.conditions, words);
    this.#universes.set(key, [universe, ...alike.slice(0, MOST_ALIKE - 1)]);
    return universe;
  }

  #leavesOf(constraints: readonly Term[]): Set<Term> | undefined {
    const all = new Set<Term>();
    for (const constraint of constraints) {
      const { leaves, arrays } = this.supports.of(constraint);
      if (arrays.length > 0) return undefined;
      for (const leaf of leaves) all.add(leaf);
    }
    return all;
  }

  /** The words that are bounded by ranges, and the rest, as far as its bits are used. */
  #wordsOf(constraints: readonly Term[], leaves: ReadonlySet<Term>): Map<Term, Ranges> | undefined {
    const words = this.conditions.wordsOf(constraints, 'ignored');
    if (words === undefined || countOf(words) > MOST_ROWS) return undefined;
    const free = new Set(leaves);
    for (const word of words.keys()) for (const leaf of this.conditions.leavesOf(word)!) free.delete(leaf);
    if (free.size > MOST_FREE) return undefined;
    for (const leaf of free) {
      const bits = Math.max(...constraints.map(constraint => this.#bitsOf(constraint).get(leaf) ?? 0));
      words.set(leaf, [{ low: 0n, high: (1n << BigInt(bits)) - 1n }]);
    }
    return words;
  }

  #bitsOf(constraint: Term): ReadonlyMap<Term, number> {
    let known = this.#bits.get(constraint);
    if (known === undefined) {
      known = bitsLookedAt(constraint, this.supports.of(constraint).leaves);
      this.#bits.set(constraint, known);
    }
    return known;
  }
}

/** Words, their values, and the rows that satisfy each constraint. */
class Universe {
  readonly #words: ReadonlyMap<Term, Ranges>;
  readonly #leaves: ReadonlyMap<Term, Table>;
  readonly #count: number;
  readonly #tabulation: Tabulation;
  /** By constraint, a bit for each row; null if it needed too many tables. */
  readonly #truths = new Map<Term, Uint32Array | null>();

  constructor(conditions: WordConditions, words: ReadonlyMap<Term, Ranges>) {
    this.#words = words;
    this.#count = countOf(words);
    const leaves = new Map<Term, BitVectorValue[]>();
    let repeated = 1;
    for (const [word, ranges] of words) {
      const values = valuesOf(word.width, ranges);
      // Contradicting ranges leave no row, but terms contain these leaves as well.
      for (const leaf of conditions.leavesOf(word)!) leaves.set(leaf, []);
      for (let row = 0; row < this.#count; row++) {
        const value = values[Math.floor(row / repeated) % values.length]!;
        for (const [leaf, part] of conditions.partsOf(word, value)) leaves.get(leaf)!.push(part);
      }
      repeated *= values.length;
    }
    this.#leaves = leaves;
    this.#tabulation = new Tabulation(this.#count, leaves);
  }

  get cells(): number {
    return this.#tabulation.size * this.#count;
  }

  /** Whether there is a row for all possible values of the words. */
  contains(words: ReadonlyMap<Term, Ranges>): boolean {
    if (words.size !== this.#words.size) return false;
    for (const [word, ranges] of words) {
      const own = this.#words.get(word);
      const isInside =
        own !== undefined &&
        ranges.every(range => own.some(({ low, high }) => low <= range.low && range.high <= high));
      if (!isInside) return false;
    }
    return true;
  }

  /** The rows on which all constraints hold; undefined if it needs too many tables. */
  rowsOf(constraints: readonly Term[]): Uint32Array | undefined {
    const rows = allRows(this.#count);
    for (const constraint of constraints) {
      const truth = this.#truthOf(constraint);
      if (truth === null) return undefined;
      for (let i = 0; i < rows.length; i++) rows[i]! &= truth[i]!;
    }
    return rows;
  }

  /**
   * A subset of constraints that no row satisfies: those that exclude further rows, the last first.
   * Requires that there is one.
   */
  exclude(constraints: readonly Term[]): Set<Term> {
    const needed = new Set<Term>();
    const rows = allRows(this.#count);
    for (const constraint of constraints.toReversed()) {
      const truth = this.#truths.get(constraint)!;
      if (rows.some((bits, i) => (bits & ~truth[i]!) !== 0)) needed.add(constraint);
      for (let i = 0; i < rows.length; i++) rows[i]! &= truth[i]!;
      if (firstOf(rows) === undefined) break;
    }
    return needed;
  }

  #truthOf(constraint: Term): Uint32Array | null {
    const known = this.#truths.get(constraint);
    if (known !== undefined) return known;
    const values = this.#tabulation.of(constraint, MOST_NEW_CELLS / Math.max(1, this.#count));
    const truth = values === undefined ? null : new Uint32Array((this.#count + 31) >> 5);
    if (values !== undefined)
      for (let row = 0; row < this.#count; row++) if (values[row] === 1) truth![row >> 5]! |= 1 << (row & 31);
    this.#truths.set(constraint, truth);
    return truth;
  }

  valuesIn(row: number): [Term, BitVectorValue][] {
    return [...this.#leaves].map(([leaf, values]) => [leaf, values[row]!]);
  }
}

function allRows(count: number): Uint32Array {
  const rows = new Uint32Array((count + 31) >> 5).fill(0xffff_ffff);
  if (count % 32 !== 0) rows[rows.length - 1] = 2 ** (count % 32) - 1;
  return rows;
}

function firstOf(rows: Uint32Array): number | undefined {
  const word = rows.findIndex(bits => bits !== 0);
  if (word < 0) return undefined;
  const bits = rows[word]!;
  return 32 * word + 31 - Math.clz32(bits & -bits);
}

/** The number of rows, or slightly more than allowed. */
function countOf(words: ReadonlyMap<Term, Ranges>): number {
  let count = 1n;
  for (const ranges of words.values()) {
    count *= ranges.reduce((sum, { low, high }) => sum + high - low + 1n, 0n);
    if (count > MOST_ROWS) return MOST_ROWS + 1;
  }
  return Number(count);
}

/** Non-negative values first, then negative ones, each from zero on. */
function valuesOf(width: number, ranges: Ranges): bigint[] {
  const all: bigint[] = [];
  for (const { low, high } of ranges) for (let value = low; value <= high; value++) all.push(value);
  const half = 1n << BigInt(width - 1);
  return [...all.filter(value => value < half), ...all.filter(value => value >= half).reverse()];
}

/** How many of the lowest bits of each leaf matter: all, unless only parts of it are extracted. */
function bitsLookedAt(constraint: Term, leaves: readonly Term[]): ReadonlyMap<Term, number> {
  if (constraint.height > TALLEST) return new Map(leaves.map(leaf => [leaf, leaf.width]));
  const bits = new Map(leaves.map(leaf => [leaf, 0]));
  const use = (leaf: Term, count: number): void => {
    const before = bits.get(leaf);
    if (before !== undefined && before < count) bits.set(leaf, count);
  };
  use(constraint, constraint.width);
  forEachTerm([constraint], term => {
    if (term.op === Op.Extract) use(term.a, term.offset + term.width);
    else forEachOperand(term, operand => use(operand, operand.width));
  });
  return bits;
}
