/**
 * Symbolic floats: the term of their bits (`expr/float-terms.ts`), between registers, which hold
 * known floats as numbers, and the solver.
 *
 * Sums, products, quotients and roots are large circuits. Three rules keep them from making an
 * exploration worse than one that gives a float a value:
 *   - a result that hangs on a long chain of others (its term is taller than `TALLEST`) is not
 *     computed as a term: its operands are given values;
 *   - questions that such circuits are part of are put with less patience (`PATIENCE`);
 *   - a branch that stays undecided is no end of the path: the inputs that it depends on are given
 *     values then, and it goes on.
 * What was given a value is noted, with its place.
 */
import { DOUBLE, type FloatFormat, SINGLE } from '../../expr/float-terms.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { forEachOperand, forEachTerm } from '../../expr/walk.js';
import { bitsOfFloat, floatFromBits, type Scalar } from './register-value.js';

/** About ten operations, each on the result of the one before. */
const TALLEST = 600;

/** Conflicts of CaDiCaL for a question with circuits of floats. */
export const PATIENCE = 10_000;

export type FloatOperation = (terms: Terms, format: FloatFormat, ...operands: Term[]) => Term;

export function formatOf(bits: number): FloatFormat {
  return bits === 32 ? SINGLE : DOUBLE;
}

/** The bits of the float or double in a register. */
export function floatTerm(terms: Terms, bits: number, value: Scalar): Term {
  return typeof value === 'object' ? value : terms.constant(bits, bitsOfFloat(bits, value as number));
}

/** What a register holds of a float: the number if it is known. */
export function knownFloat(term: Term): Scalar {
  return term.isConst ? floatFromBits(term.width, term.value) : term;
}

/** Taller terms are walked anew each time. */
const TALLEST_REMEMBERED = 2000;

export class FloatCircuits {
  readonly #terms: Terms;
  readonly #results = new Set<Term>();
  /** By the id of a term: is a circuit part of it? */
  readonly #isIn = new Map<number, boolean>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /**
   * What an operation that rounds makes of operands of which one is symbolic; undefined if that
   * would be too large.
   */
  result(build: FloatOperation, bits: number, operands: readonly Scalar[]): Scalar | undefined {
    if (operands.some(operand => typeof operand === 'object' && operand.height > TALLEST)) return undefined;
    const terms = this.#terms;
    const term = build(terms, formatOf(bits), ...operands.map(operand => floatTerm(terms, bits, operand)));
    if (!term.isConst) this.#results.add(term);
    return knownFloat(term);
  }

  isIn(term: Term): boolean {
    return this.#results.size > 0 && this.#search(term);
  }

  #search(term: Term): boolean {
    if (term.isConst) return false;
    if (this.#results.has(term)) return true;
    const known = this.#isIn.get(term.id);
    if (known !== undefined) return known;
    let found = false;
    if (term.height > TALLEST_REMEMBERED)
      forEachTerm([term], part => {
        found ||= this.#results.has(part);
      });
    else
      forEachOperand(term, operand => {
        found ||= this.#search(operand);
      });
    this.#isIn.set(term.id, found);
    return found;
  }
}
