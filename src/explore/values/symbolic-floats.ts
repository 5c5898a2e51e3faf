/**
 * Symbolic floats: the term of their bits (`expr/float-terms.ts`), between registers, which hold
 * known floats as numbers, and the solver.
 *
 * Sums, products, quotients and roots are large circuits. Three rules keep an exploration from
 * being worse than one that concretizes floats:
 *   - a result that hangs on a long chain of others (its term is taller than `TALLEST`) is not
 *     computed as a term: its operands are given values;
 *   - queries with such circuits have a smaller limit (`PATIENCE`);
 *   - a branch that stays undecided does not end the path: the inputs that it depends on are given
 *     values then, and it continues.
 * Concretized values are noted, with their location.
 */
import { DOUBLE, type FloatFormat, SINGLE } from '../../expr/float-terms.js';
import type { Term } from '../../expr/term.js';
import type { Terms } from '../../expr/terms.js';
import { forEachOperand, forEachTerm } from '../../expr/walk.js';
import { bitsOfFloat, floatFromBits, type Scalar } from './register-value.js';

/** About ten dependent operations. */
const TALLEST = 600;

/** CaDiCaL's conflict limit for a query with floating-point circuits. */
export const PATIENCE = 10_000;

export type FloatOperation = (terms: Terms, format: FloatFormat, ...operands: Term[]) => Term;

export function formatOf(bits: number): FloatFormat {
  return bits === 32 ? SINGLE : DOUBLE;
}

/** The bits of the float or double in a register. */
export function floatTerm(terms: Terms, bits: number, value: Scalar): Term {
  return typeof value === 'object' ? value : terms.constant(bits, bitsOfFloat(bits, value as number));
}

/** The float in a register: a number if it is concrete. */
export function knownFloat(term: Term): Scalar {
  return term.isConst ? floatFromBits(term.width, term.value) : term;
}

/** Taller terms are not cached. */
const TALLEST_REMEMBERED = 2000;

export class FloatCircuits {
  readonly #terms: Terms;
  readonly #results = new Set<Term>();
  /** For the id of a term, whether it contains a circuit. */
  readonly #isIn = new Map<number, boolean>();

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  /**
   * The result of a rounding operation with a symbolic operand; undefined if it would be too large.
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
