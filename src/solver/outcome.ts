/**
 * What a question to the solver can end in, and what an answer holds.
 */
import { type Assignment, Evaluator } from '../expr/evaluate.js';
import type { Term } from '../expr/term.js';
import type { Value } from '../expr/value.js';

/** Values for all variables and bytes; those it does not mention are zero. Remembers what it has evaluated. */
export class Model {
  readonly #evaluator: Evaluator;

  constructor(readonly assignment: Assignment) {
    this.#evaluator = new Evaluator(assignment);
  }

  value(term: Term): Value {
    return this.#evaluator.value(term);
  }

  satisfies(term: Term): boolean {
    return this.#evaluator.isTrue(term);
  }

  satisfiesAll(terms: readonly Term[]): boolean {
    return terms.every(term => this.#evaluator.isTrue(term));
  }
}

export type Unknown = { readonly kind: 'unknown'; readonly reason: string };

/** Are the constraints satisfiable together? An unsat answer names constraints that suffice for it, if it knows fewer. */
export type Outcome =
  | { readonly kind: 'sat'; readonly model: Model }
  | { readonly kind: 'unsat'; readonly core: readonly Term[] }
  | Unknown;

/** The answer to a yes-or-no question. */
export type Answer = { readonly kind: 'yes' } | { readonly kind: 'no' } | Unknown;

export const YES: Answer = { kind: 'yes' };
export const NO: Answer = { kind: 'no' };

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}
