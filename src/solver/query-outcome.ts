/** The outcomes of a query, and models. */
import { type Assignment, Evaluator } from '../expr/evaluate.js';
import type { Term } from '../expr/term.js';
import type { BitVectorValue } from '../expr/value.js';

/** Values for all variables and bytes; unmentioned ones are zero. Caches evaluated terms. */
export class Model {
  readonly #evaluator: Evaluator;

  constructor(readonly assignment: Assignment) {
    this.#evaluator = new Evaluator(assignment);
  }

  value(term: Term): BitVectorValue {
    return this.#evaluator.value(term);
  }

  satisfies(term: Term): boolean {
    return this.#evaluator.isTrue(term);
  }

  satisfiesAll(terms: readonly Term[]): boolean {
    return terms.every(term => this.#evaluator.isTrue(term));
  }
}

/** The model in which variables and bytes of inputs have these values. */
export function modelOf(leaves: readonly (readonly [leaf: Term, value: BitVectorValue])[]): Model {
  const lengths = new Map<string, number>();
  for (const [{ array, a }] of leaves) {
    if (array?.kind !== 'symbolic') continue;
    lengths.set(array.name, Math.max(lengths.get(array.name) ?? 0, Number(a.value) + 1));
  }
  const arrays = new Map([...lengths].map(([name, length]) => [name, new Uint8Array(length)]));
  const variables = new Map<string, BitVectorValue>();
  for (const [{ array, a, name }, value] of leaves) {
    if (array?.kind === 'symbolic') arrays.get(array.name)![Number(a.value)] = Number(value);
    else variables.set(name, value);
  }
  return new Model({ variables, arrays });
}

export type Unknown = { readonly kind: 'unknown'; readonly reason: string };

/** The outcome of a query. An unsat outcome may name a sufficient subset of the constraints. */
export type Outcome =
  | { readonly kind: 'sat'; readonly model: Model }
  | { readonly kind: 'unsat'; readonly core: readonly Term[] }
  | Unknown;

/** The answer to a yes-or-no query. */
export type YesOrNo = { readonly kind: 'yes' } | { readonly kind: 'no' } | Unknown;

export const YES: YesOrNo = { kind: 'yes' };
export const NO: YesOrNo = { kind: 'no' };

export function unknown(reason: string): Unknown {
  return { kind: 'unknown', reason };
}
