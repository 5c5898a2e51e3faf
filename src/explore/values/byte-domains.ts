/**
 * The domains of single input bytes on a path: for each byte, the set of values that it can still
 * have.
 *
 * Programs that read text branch on one byte at a time: `c == '*'`, `c >= '0'`. Such a condition is
 * a set of 256 bits, computed once per term; whether it may hold on a path is an intersection,
 * without a query:
 *
 *     values the byte can have    ...1111111.1111...          condition  ..........1......
 *     both intersections (with the condition, with its complement) non-empty: both branches are feasible
 *
 * A byte that also occurs in a condition with other bytes is *tangled*: its set is then only an
 * outer bound. Bounds still answer "never" and "always"; "both" is left to the solver.
 *
 * **Invariants.** A set that is present is not empty. Every value that the byte can have on the
 * path is in its set; of a byte that is not tangled, every value in the set is possible, whatever
 * the other bytes are.
 */
import { type ByteArray, Op, type SymbolicArray, type Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { PersistentMap } from '../../support/persistent-map.js';
import { type ByteCondition, type ByteSet, ByteTruth, isByteLeaf, leavesOf } from './byte-truth.js';

/** Taller terms are long computations. */
const TALL = 32;

const everything: ByteSet = new Uint32Array(8).fill(0xffff_ffff);

export class ByteConditions {
  readonly #terms: Terms;
  /** By the id of the term; null for conditions of another kind. */
  readonly #known = new Map<number, ByteCondition | null>();
  readonly #truth = new ByteTruth();
  /** The bytes of each input that conditions are about. */
  readonly #leaves = new Map<ByteArray, Set<Term>>();
  /** By the condition; those that are tall. */
  readonly #brief = new Map<Term, Term>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  of(term: Term): ByteCondition | undefined {
    let known = this.#known.get(term.id);
    if (known === undefined) {
      known = this.#truth.of(term) ?? null;
      this.#known.set(term.id, known);
      if (known !== null) this.#note(known.leaf);
    }
    return known ?? undefined;
  }

  #note(leaf: Term): void {
    const leaves = this.#leaves.get(leaf.array!);
    if (leaves === undefined) this.#leaves.set(leaf.array!, new Set([leaf]));
    else leaves.add(leaf);
  }

  /** The bytes of an input to which conditions of any path refer. */
  leavesOf(array: ByteArray): Iterable<Term> {
    return this.#leaves.get(array) ?? [];
  }

  /**
   * A shorter condition for the solver. A condition after a long computation on a byte (a hash, a
   * checksum) is replaced by the set of values of the byte; otherwise the solver would repeat the
   * computation bit by bit in each query about the byte.
   */
  inBrief(term: Term): Term {
    if (term.height <= TALL) return term;
    let brief = this.#brief.get(term);
    if (brief === undefined) {
      const condition = this.of(term);
      brief = condition === undefined ? term : this.#inBits(condition);
      this.#brief.set(term, brief);
    }
    return brief;
  }

  /** A decision for each bit, the highest first; equal parts share a term, so there are few. */
  #inBits(condition: ByteCondition, bits = 8, low = 0): Term {
    const t = this.#terms;
    if (bits === 0) return t.bool(has(condition.truth, low));
    const bit = bits - 1;
    const whenSet = this.#inBits(condition, bit, low | (1 << bit));
    return t.ite(t.extract(condition.leaf, bit, 1), whenSet, this.#inBits(condition, bit, low));
  }
}

function has(set: ByteSet, value: number): boolean {
  return ((set[value >> 5]! >>> (value & 31)) & 1) === 1;
}

export type DomainVerdict = 'always' | 'never' | 'both' | 'unknown';

export class ByteDomains {
  readonly #conditions: ByteConditions;
  #sets: PersistentMap<ByteSet> = new PersistentMap();
  #tangled: PersistentMap<true> = new PersistentMap();
  /** Every constraint of the path is on a single byte: the sets are exact. */
  isExact = true;
  /** Some constraint reads an input at a symbolic index, so any byte may be involved. */
  #isAnyTangled = false;

  constructor(conditions: ByteConditions) {
    this.#conditions = conditions;
  }

  fork(): ByteDomains {
    const copy = new ByteDomains(this.#conditions);
    copy.#sets = this.#sets.fork();
    copy.#tangled = this.#tangled.fork();
    copy.isExact = this.isExact;
    copy.#isAnyTangled = this.#isAnyTangled;
    return copy;
  }

  decide(term: Term): DomainVerdict {
    const condition = this.#conditions.of(term);
    if (condition === undefined) return 'unknown';
    const set = this.#sets.get(condition.leaf.id) ?? everything;
    let mayHold = 0;
    let mayFail = 0;
    for (let i = 0; i < 8; i++) {
      mayHold |= set[i]! & condition.truth[i]!;
      mayFail |= set[i]! & ~condition.truth[i]!;
    }
    if (mayHold === 0) return 'never';
    if (mayFail === 0) return 'always';
    return this.#isAnyTangled || this.#tangled.has(condition.leaf.id) ? 'unknown' : 'both';
  }

  /** Adds the term, or its negation, to the path. Conjunctions are split. */
  add(term: Term, holds = true): void {
    if (term.width === 1 && term.op === Op.Not) {
      this.add(term.a, !holds);
      return;
    }
    if (term.width === 1 && term.op === (holds ? Op.And : Op.Or)) {
      this.add(term.a, holds);
      this.add(term.b, holds);
      return;
    }
    const condition = this.#conditions.of(term);
    if (condition === undefined) {
      this.isExact = false;
      for (const leaf of leavesOf(term)) {
        this.#tangled.set(leaf.id, true);
        if (leaf.op === Op.Read && !isByteLeaf(leaf)) this.#isAnyTangled = true;
      }
      return;
    }
    const set = this.#sets.get(condition.leaf.id) ?? everything;
    this.#sets.set(
      condition.leaf.id,
      set.map((word, i) => word & (holds ? condition.truth[i]! : ~condition.truth[i]!)),
    );
  }

  /** The shorter condition for the solver, which does not know these sets. */
  inBrief(term: Term): Term {
    return this.#conditions.inBrief(term);
  }

  /** The least value that each byte of an input can have. Requires that the sets are exact. */
  least(array: SymbolicArray): Uint8Array {
    const bytes = new Uint8Array(array.byteLength);
    for (const leaf of this.#conditions.leavesOf(array)) {
      const set = this.#sets.get(leaf.id);
      if (set !== undefined) bytes[Number(leaf.a.value)] = leastIn(set);
    }
    return bytes;
  }
}

/** Requires that there is one. */
function leastIn(set: ByteSet): number {
  let word = 0;
  while (set[word] === 0) word++;
  const bits = set[word]!;
  return 32 * word + 31 - Math.clz32(bits & -bits);
}
