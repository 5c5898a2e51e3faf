/**
 * Replaces the bits of inputs that a query fixes by constants, so that circuits are small.
 *
 *     '0' <= c <= '9'            c in 0x30 .. 0x39, so c is 0x3 followed by its four lowest bits
 *     v = 10 * (c - 48) + ...    becomes a product of four bits instead of nine
 *
 * The facts of the terms that are made again know these bits. Sums and products of digits cannot
 * overflow then, so their checks become constants without a call of the solver; the rows of a
 * multiplier and of a divider whose bits are known are no gates at all. In the circuit of the
 * constraints as they are, the solver would find the same bits by propagation in each query, and
 * load all gates first.
 *
 * Bits are known from the comparisons of words with constants in the query itself
 * (`word-ranges.ts`): those on which the ends of the ranges agree, from the highest down.
 *
 * **Invariants.** Each use of a leaf in a query is replaced, or none is: the bits that are replaced
 * are free in the query below. So a leaf stays as it is if it may be read in another way, at a
 * symbolic index or through writes. A core contains the comparisons from which the bits of its
 * leaves are known.
 */
import { EMPTY_ASSIGNMENT } from '../expr/evaluate.js';
import { rebuilt } from '../expr/rebuild.js';
import { Op, type SymbolicArray, type Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import type { BitVectorValue } from '../expr/value.js';
import type { Layer, Query } from './layer.js';
import { Model, modelOf, type Outcome } from './query-outcome.js';
import { arrayOfLeaf, type Supports } from './support-set.js';
import type { Ranges, WordConditions } from './word-ranges.js';

/** Constraints of more terms, all together, are left as they are. */
const MOST_TERMS = 4096;
/** Taller ones, too: rewriting is recursive. */
const TALLEST = 512;
/** Beyond this, the rewritten constraints are forgotten. */
const MOST_KEPT = 50_000;

export class NarrowLayer implements Layer {
  readonly #t: Terms;
  readonly #supports: Supports;
  readonly #conditions: WordConditions;
  readonly #below: Layer;
  readonly #onAnswer: () => void;
  /** Rewritten constraints, by themselves and by what replaces their leaves. */
  readonly #kept = new Map<string, Term>();

  constructor(t: Terms, supports: Supports, conditions: WordConditions, below: Layer, onAnswer: () => void) {
    this.#t = t;
    this.#supports = supports;
    this.#conditions = conditions;
    this.#below = below;
    this.#onAnswer = onAnswer;
  }

  check(query: Query): Outcome {
    const { constraints } = query;
    const words = this.#conditions.wordsOf(constraints, 'ignored');
    const known = words && this.#knownBits(constraints, words);
    const narrowed = known && this.#narrowed(constraints, known);
    if (narrowed === undefined) return this.#below.check(query);
    const coreOf = (core: readonly Term[]): Term[] => this.#withConditions(core, constraints, known!, words!);
    const originals = new Map<Term, Term>();
    for (const [i, constraint] of constraints.entries()) {
      const narrow = narrowed[i]!;
      if (narrow.isTrue) continue;
      if (narrow.isFalse) {
        this.#onAnswer();
        return { kind: 'unsat', core: coreOf([constraint]) };
      }
      if (!originals.has(narrow)) originals.set(narrow, constraint);
    }
    if (originals.size === 0) {
      this.#onAnswer();
      return { kind: 'sat', model: this.#widened(undefined, known!) };
    }
    const outcome = this.#below.check({ ...query, constraints: [...originals.keys()] });
    if (outcome.kind === 'sat') return { kind: 'sat', model: this.#widened(outcome.model, known!) };
    if (outcome.kind === 'unknown') return outcome;
    return { kind: 'unsat', core: coreOf(outcome.core.map(term => originals.get(term)!)) };
  }

  /** What replaces each leaf of which bits are known; undefined if there is none. */
  #knownBits(constraints: readonly Term[], words: ReadonlyMap<Term, Ranges>): Map<Term, Term> | undefined {
    const known = new Map<Term, Term>();
    for (const [word, ranges] of words) {
      if (ranges.length === 0) return undefined;
      const free = freeBits(ranges);
      if (free === word.width) continue;
      const lowest = this.#conditions.partsOf(word, ranges[0]!.low);
      let below = word.width;
      for (const [leaf, value] of lowest.reverse()) {
        below -= leaf.width;
        const bits = Math.min(leaf.width, Math.max(0, free - below));
        if (bits < leaf.width) known.set(leaf, this.#withUpperBits(leaf, value, bits));
      }
    }
    if (known.size === 0) return undefined;
    const whole = new Set<SymbolicArray>();
    for (const constraint of constraints)
      for (const array of this.#supports.of(constraint).arrays) whole.add(array);
    for (const leaf of [...known.keys()]) {
      const array = arrayOfLeaf(leaf);
      if (array !== undefined && whole.has(array)) known.delete(leaf);
    }
    return known.size === 0 ? undefined : known;
  }

  /** The leaf with the upper bits of the value. */
  #withUpperBits(leaf: Term, value: BitVectorValue, lowBits: number): Term {
    const t = this.#t;
    if (lowBits === 0) return t.constant(leaf.width, value);
    const upper = t.extract(t.constant(leaf.width, value), lowBits, leaf.width - lowBits);
    return t.concat(upper, t.extract(leaf, 0, lowBits));
  }

  /** The constraints, each rewritten; undefined if they are too large or read through writes. */
  #narrowed(constraints: readonly Term[], known: ReadonlyMap<Term, Term>): Term[] | undefined {
    let rewriter: Narrowing | undefined;
    const narrowed: Term[] = [];
    for (const constraint of constraints) {
      const key = this.#keyOf(constraint, known);
      let found = this.#kept.get(key);
      if (found === undefined) {
        if (constraint.height > TALLEST) return undefined;
        rewriter ??= new Narrowing(this.#t, known);
        found = rewriter.rewrite(constraint);
        if (rewriter.isRefused) return undefined;
        if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
        this.#kept.set(key, found);
      }
      narrowed.push(found);
    }
    return narrowed;
  }

  #keyOf(constraint: Term, known: ReadonlyMap<Term, Term>): string {
    let key = String(constraint.id);
    for (const leaf of this.#supports.of(constraint).leaves) key += `,${known.get(leaf)?.id ?? 0}`;
    return key;
  }

  /** The model of a narrowed query with the known bits. */
  #widened(model: Model | undefined, known: ReadonlyMap<Term, Term>): Model {
    const free = model ?? new Model(EMPTY_ASSIGNMENT);
    const own = modelOf([...known].map(([leaf, narrow]) => [leaf, free.value(narrow)]));
    const variables = new Map([...free.assignment.variables, ...own.assignment.variables]);
    const arrays = new Map(free.assignment.arrays);
    for (const [name, bytes] of own.assignment.arrays) {
      const before = arrays.get(name) ?? new Uint8Array(0);
      const all = new Uint8Array(Math.max(bytes.length, before.length));
      all.set(before);
      arrays.set(name, all);
    }
    for (const leaf of known.keys()) {
      const array = arrayOfLeaf(leaf);
      if (array !== undefined) arrays.get(array.name)![Number(leaf.a.value)] = Number(own.value(leaf));
    }
    return new Model({ variables, arrays });
  }

  /** The core with all comparisons of the words that contain its narrowed leaves. */
  #withConditions(
    core: readonly Term[],
    constraints: readonly Term[],
    known: ReadonlyMap<Term, Term>,
    words: ReadonlyMap<Term, Ranges>,
  ): Term[] {
    const leaves = new Set<Term>();
    for (const term of core)
      for (const leaf of this.#supports.of(term).leaves) if (known.has(leaf)) leaves.add(leaf);
    const involved = new Set<Term>();
    for (const word of words.keys()) {
      const ofWord = this.#conditions.leavesOf(word)!;
      if (ofWord.some(leaf => leaves.has(leaf))) for (const leaf of ofWord) involved.add(leaf);
    }
    const all = new Set(core);
    for (const constraint of constraints) {
      const condition = this.#conditions.of(constraint);
      if (condition && this.#conditions.leavesOf(condition.word)!.some(leaf => involved.has(leaf)))
        all.add(constraint);
    }
    return [...all];
  }
}

/** One rewriting of terms, which share their parts. */
class Narrowing {
  readonly #t: Terms;
  readonly #done: Map<Term, Term>;
  #budget = MOST_TERMS;
  /** A term was too large, or has leaves in the writes of an array. */
  isRefused = false;

  constructor(t: Terms, known: ReadonlyMap<Term, Term>) {
    this.#t = t;
    this.#done = new Map(known);
  }

  readonly rewrite = (term: Term): Term => {
    if (this.isRefused || term.op === Op.Const || term.op === Op.Var) return this.#done.get(term) ?? term;
    const done = this.#done.get(term);
    if (done !== undefined) return done;
    if (this.#budget-- <= 0 || (term.op === Op.Read && term.array!.kind === 'written')) {
      this.isRefused = true;
      return term;
    }
    const found = rebuilt(this.#t, term, this.rewrite);
    this.#done.set(term, found);
    return found;
  };
}

/** The number of the lowest bits on which the values of the ranges may differ. */
function freeBits(ranges: Ranges): number {
  const lowest = ranges[0]!.low;
  let differing = 0n;
  // All values between two ends agree with them above the highest bit in which the ends differ.
  for (const { low, high } of ranges) differing |= (low ^ lowest) | (high ^ lowest);
  return differing === 0n ? 0 : differing.toString(2).length;
}
