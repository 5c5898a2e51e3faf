/**
 * Computes the values of one input byte for which a condition holds.
 *
 * All 256 values of each term are computed at once (`tabulation.ts`): a condition is evaluated once
 * per exploration, and a separate evaluation for each value would walk its graph 256 times. Even
 * for hundreds of terms with products and divisions (a number that is parsed, rounded and printed
 * again) that is less than what a solver needs to begin with. A table of constants that is read at
 * the byte (`isdigit(c)`) is a function of the byte like any other.
 */

import { Tabulation } from '../../expr/tabulation.js';
import { baseOf, Op, type Term } from '../../expr/term.js';
import { forEachTerm } from '../../expr/walk.js';

/** 256 bits. */
export type ByteSet = Uint32Array;

/** A condition on one byte of an input. */
export interface ByteCondition {
  readonly leaf: Term;
  readonly truth: ByteSet;
}

/** Larger conditions are left to the solver: 256 values of this many terms take about 10 ms. */
const MOST_TERMS = 2000;
/** Taller conditions are not even counted. */
const TALLEST = 500;

/**
 * The number of tables that are kept for the next condition on the same byte, because conditions of
 * one computation share most terms.
 */
const MOST_KEPT = 4000;

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

export function isByteLeaf(term: Term): boolean {
  return term.op === Op.Read && term.a.isConst && term.array?.kind === 'symbolic';
}

/** The bytes and variables on which a term depends, and its reads of inputs at symbolic indices. */
export function leavesOf(term: Term): Set<Term> {
  return partsOf(term).leaves;
}

function partsOf(term: Term): { readonly leaves: Set<Term>; readonly count: number } {
  const leaves = new Set<Term>();
  let count = 0;
  forEachTerm([term], part => {
    count++;
    if (part.op === Op.Var || (part.op === Op.Read && baseOf(part.array!).kind === 'symbolic'))
      leaves.add(part);
  });
  return { leaves, count };
}

/** Evaluates conditions, most of which are on the same byte as the previous one. */
export class ByteTruth {
  #leaf: Term | undefined;
  /** Indexed by the value of the leaf. */
  #tables!: Tabulation;

  /** Undefined if the condition depends on more than one byte, or is too large. */
  of(term: Term): ByteCondition | undefined {
    if (term.height > TALLEST) return undefined;
    const { leaves, count } = partsOf(term);
    const [leaf] = leaves;
    if (leaf === undefined || leaves.size > 1 || !isByteLeaf(leaf) || count > MOST_TERMS) return undefined;
    if (this.#leaf !== leaf || this.#tables.size > MOST_KEPT) {
      this.#leaf = leaf;
      this.#tables = new Tabulation(256, new Map([[leaf, everyByte]]));
    }
    const values = this.#tables.of(term, count)!;
    const truth = new Uint32Array(8);
    for (let byte = 0; byte < 256; byte++) if (values[byte] === 1) truth[byte >> 5]! |= 1 << (byte & 31);
    return { leaf, truth };
  }
}
