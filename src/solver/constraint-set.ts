/**
 * The constraints of a path: persistent, shared between the states that fork from it, and always
 * cut into slices.
 *
 * A *slice* is a set of constraints that have leaves in common, directly or through each other;
 * different slices cannot influence each other. Whether a branch is possible depends only on the
 * slices its condition touches, so most queries involve few constraints however long the path is.
 * Slices are kept up to date as constraints arrive:
 *
 *     sliceOf   leaf ──▶ slice number        slices   slice number ──▶ constraints, leaves
 *     wholeOf   array read at symbolic indices ──▶ slice number
 *
 * A constraint that touches several slices joins them under the number of the largest; only the
 * leaves of the others are renumbered. Both maps are persistent, so `add` costs the path to the
 * changed entries.
 *
 * The set also records *implied values*, which a constraint states directly: `x = 5`, `c`, `¬c`.
 * New constraints and queries are rewritten with them, and often become constants.
 *
 * **Invariants.** The conjunction of `constraints()` is equivalent to the conjunction of all that
 * was added. Two slices share no leaf, and no slice holds a byte of an array that another slice
 * reads at a symbolic index.
 */
import { rebuilt } from '../expr/rebuild.js';
import { arity, Op, type SymbolicArray, type Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { PersistentMap } from '../support/persistent-map.js';
import { arrayOfLeaf, type Supports } from './support-set.js';

interface Chain<T> {
  readonly item: T;
  readonly rest: Chain<T> | undefined;
}

interface Slice {
  readonly constraints: Chain<Term> | undefined;
  readonly leaves: Chain<Term> | undefined;
  readonly size: number;
  /** Arrays of which it holds bytes. */
  readonly touched: ReadonlySet<SymbolicArray>;
  /** Arrays that it reads at symbolic indices. */
  readonly whole: ReadonlySet<SymbolicArray>;
}

const EMPTY_SLICE: Slice = {
  constraints: undefined,
  leaves: undefined,
  size: 0,
  touched: new Set(),
  whole: new Set(),
};

/**
 * Rewriting with implied values visits at most this many terms; a larger condition is left to the
 * layers below.
 */
const REWRITE_BUDGET = 512;
const REWRITE_HEIGHT = 256;

/** The slices and the implied values of a set. */
interface Contents {
  /** Contains a constraint that is false by itself or by implied values. */
  readonly isFalse: boolean;
  /** The number of the slice of each leaf, and of each array. */
  readonly sliceOf: PersistentMap<number>;
  readonly wholeOf: PersistentMap<number>;
  readonly slices: PersistentMap<Slice>;
  readonly implied: PersistentMap<Term>;
  readonly nextSlice: number;
}

export class ConstraintSet {
  readonly t: Terms;
  readonly supports: Supports;
  readonly size: number;
  readonly #contents: Contents;
  /** The constraint added last, and the set before it. */
  readonly #last: Term | undefined;
  readonly #previous: ConstraintSet | undefined;

  private constructor(
    t: Terms,
    supports: Supports,
    contents: Contents,
    last?: Term,
    previous?: ConstraintSet,
  ) {
    this.t = t;
    this.supports = supports;
    this.size = previous === undefined ? 0 : previous.size + 1;
    this.#contents = contents;
    this.#last = last;
    this.#previous = previous;
  }

  static empty(t: Terms, supports: Supports): ConstraintSet {
    return new ConstraintSet(t, supports, {
      isFalse: false,
      sliceOf: new PersistentMap(),
      wholeOf: new PersistentMap(),
      slices: new PersistentMap(),
      implied: new PersistentMap(),
      nextSlice: 1,
    });
  }

  get isFalse(): boolean {
    return this.#contents.isFalse;
  }

  /** The set with one more constraint, a term of width 1; this set is not changed. */
  add(constraint: Term): ConstraintSet {
    const term = this.simplify(constraint);
    if (term.isTrue || this.isFalse) return this;
    if (term.isFalse) {
      return this.#grown(term, { ...this.#contents, isFalse: true });
    }
    const parts = conjuncts(this.t, term);
    if (parts !== undefined) return this.add(parts[0]).add(parts[1]);
    return this.#withConstraint(term);
  }

  /** All constraints, oldest first. */
  constraints(): Term[] {
    const all: Term[] = [];
    for (let set: ConstraintSet | undefined = this; set !== undefined; set = set.#previous) {
      if (set.#last !== undefined) all.push(set.#last);
    }
    return all.reverse();
  }

  /** The constraints of every slice that shares a leaf with the term. */
  relevantTo(term: Term): Term[] {
    return [...this.#numbersFor(term)].flatMap(number =>
      listOf(this.#contents.slices.get(number)!.constraints),
    );
  }

  slices(): Term[][] {
    return [...this.#contents.slices.entries()].map(([, slice]) => listOf(slice.constraints));
  }

  /** The term rewritten with implied values; equivalent under the constraints. */
  simplify(term: Term): Term {
    if (term.isConst || this.size === 0) return term;
    const { implied } = this.#contents;
    const known = implied.get(term.id);
    if (known !== undefined) return known;
    if (term.height > REWRITE_HEIGHT) return term;
    const rewriter = new Rewriter(this.t, implied);
    return rewriter.rewrite(term);
  }

  #withConstraint(term: Term): ConstraintSet {
    const { leaves, arrays } = this.supports.of(term);
    const { nextSlice } = this.#contents;
    const sliceOf = this.#contents.sliceOf.fork();
    const wholeOf = this.#contents.wholeOf.fork();
    const slices = this.#contents.slices.fork();
    const numbers = [...this.#numbersFor(term)].sort((a, b) => slices.get(b)!.size - slices.get(a)!.size);
    const target = numbers[0] ?? nextSlice;
    let slice = numbers.length > 0 ? slices.get(target)! : EMPTY_SLICE;
    for (const number of numbers.slice(1)) {
      const other = slices.get(number)!;
      for (let leaf = other.leaves; leaf !== undefined; leaf = leaf.rest) sliceOf.set(leaf.item.id, target);
      for (const array of other.whole) wholeOf.set(array.id, target);
      slice = joined(slice, other);
      slices.delete(number);
    }
    let newLeaves = slice.leaves;
    for (const array of arrays) wholeOf.set(array.id, target);
    const touched = new Set([...slice.touched, ...arrays]);
    for (const leaf of leaves) {
      if (sliceOf.get(leaf.id) === undefined) newLeaves = { item: leaf, rest: newLeaves };
      sliceOf.set(leaf.id, target);
      const array = arrayOfLeaf(leaf);
      if (array !== undefined) touched.add(array);
    }
    slices.set(target, {
      constraints: { item: term, rest: slice.constraints },
      leaves: newLeaves,
      size: slice.size + 1,
      touched,
      whole: new Set([...slice.whole, ...arrays]),
    });
    const implied = this.#contents.implied.fork();
    learn(this.t, implied, term);
    const next = Math.max(nextSlice, target + 1);
    return this.#grown(term, { isFalse: false, sliceOf, wholeOf, slices, implied, nextSlice: next });
  }

  #grown(last: Term, contents: Contents): ConstraintSet {
    return new ConstraintSet(this.t, this.supports, contents, last, this);
  }

  /** The numbers of the slices that a term touches. */
  #numbersFor(term: Term): Set<number> {
    const { leaves, arrays } = this.supports.of(term);
    const { sliceOf, wholeOf, slices } = this.#contents;
    const numbers = new Set<number>();
    const note = (number: number | undefined): void => {
      if (number !== undefined) numbers.add(number);
    };
    for (const leaf of leaves) {
      note(sliceOf.get(leaf.id));
      const array = arrayOfLeaf(leaf);
      if (array !== undefined) note(wholeOf.get(array.id));
    }
    if (arrays.length > 0) {
      for (const [number, slice] of slices.entries()) {
        if (arrays.some(array => slice.touched.has(array))) numbers.add(number);
      }
    }
    return numbers;
  }
}

/** The two halves of a conjunction, also of a negated disjunction. */
export function conjuncts(t: Terms, term: Term): [Term, Term] | undefined {
  if (term.op === Op.And) return [term.a, term.b];
  if (term.op === Op.Not && term.a.op === Op.Or) return [t.not(term.a.a), t.not(term.a.b)];
  return undefined;
}

/** Records the implied values of a constraint. */
function learn(t: Terms, implied: PersistentMap<Term>, constraint: Term): void {
  implied.set(constraint.id, t.true);
  if (constraint.op === Op.Not) implied.set(constraint.a.id, t.false);
  else if (constraint.op === Op.Eq && constraint.b.op === Op.Const)
    implied.set(constraint.a.id, constraint.b);
}

class Rewriter {
  readonly #done = new Map<Term, Term>();
  #budget = REWRITE_BUDGET;

  constructor(
    readonly t: Terms,
    readonly implied: PersistentMap<Term>,
  ) {}

  /** Depth is bounded by REWRITE_HEIGHT; once the budget is spent, terms are left as they are. */
  rewrite(term: Term): Term {
    if (term.op === Op.Const) return term;
    const known = this.#done.get(term) ?? this.implied.get(term.id);
    if (known !== undefined) return known;
    if (arity(term.op) === 0 || this.#budget-- <= 0) return term;
    const rewritten = rebuilt(this.t, term, operand => this.rewrite(operand));
    // A rebuilt term may itself have an implied value.
    const result = rewritten === term ? term : (this.implied.get(rewritten.id) ?? rewritten);
    this.#done.set(term, result);
    return result;
  }
}

/** Merges `small` into `large`. */
function joined(large: Slice, small: Slice): Slice {
  let { constraints, leaves } = large;
  for (let node = small.constraints; node !== undefined; node = node.rest)
    constraints = { item: node.item, rest: constraints };
  for (let node = small.leaves; node !== undefined; node = node.rest)
    leaves = { item: node.item, rest: leaves };
  return {
    constraints,
    leaves,
    size: large.size + small.size,
    touched: new Set([...large.touched, ...small.touched]),
    whole: new Set([...large.whole, ...small.whole]),
  };
}

function listOf<T>(chain: Chain<T> | undefined): T[] {
  const items: T[] = [];
  for (let node = chain; node !== undefined; node = node.rest) items.push(node.item);
  return items;
}
