/**
 * The interface of the symbolic engines to a solver: formulas about a run of several states, which
 * are numbered by the steps since the first.
 *
 *     decider.literal(formula, 2)      // a name for "the formula holds of state 2 (and, where it says next, of state 3)"
 *     decider.check([a, b, c])         // can these hold together?
 *
 * There are two deciders: CaDiCaL on bits, for systems whose variables are all bounded, and Z3 on
 * integers. Both are incremental and synchronous. A formula that holds in every query of a decider
 * is assumed permanently: that is cheaper than a name, but it does not appear in cores. The domains
 * of the variables are assumed for every state from the start.
 *
 * **Invariant:** a state that `check` returns is within the domains.
 */
import type { BoolExpr, Variable } from './expression.js';
import type { State, System } from './system.js';

/** A name for a formula about some states; its negation is a name too. */
export type Literal = number;

export type Answer =
  | { readonly kind: 'sat' }
  /** The names that exclude each other; a subset of those in the query. */
  | { readonly kind: 'unsat'; readonly core: readonly Literal[] }
  | { readonly kind: 'unknown'; readonly reason: string };

export interface Decider {
  readonly name: 'CaDiCaL' | 'Z3';
  literal(formula: BoolExpr, step: number): Literal;
  negate(literal: Literal): Literal;
  /** Assumes that the formula holds of the state, in every query from now on. */
  assume(formula: BoolExpr, step: number): void;
  /** Requires milliseconds > 0; Infinity waits forever. */
  check(literals: readonly Literal[], milliseconds: number): Answer;
  /**
   * After `sat`: the values of the variables at a step. Undefined if a value is too large for a
   * number.
   */
  state(step: number): State | undefined;
  readonly queries: number;
  close(): void;
}

/**
 * Creates deciders: a fresh one for each query keeps the learnt clauses of one from burdening the
 * next. With a step, all queries are about runs in which state 1 follows state 0.
 */
export type MakeDecider = (system: System, hasStep: boolean) => Decider;

/** The name of a variable of a state, as SMT-LIB allows it between bars. */
export function variableAt(variable: Variable, step: number): string {
  return `|${variable.name.replaceAll('|', '!')}@${step}|`;
}
