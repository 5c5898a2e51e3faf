/**
 * Z3's answers of other runs, of this or another program.
 *
 *     query as SMT-LIB, work ──▶ store ─┬─ an answer    a model is evaluated on the constraints first
 *                                       └─ nothing      Z3 decides, and the store keeps what it says
 *
 * Z3 starts from scratch with each query and its work limit is counted, so its answer depends only
 * on the text of the query and the limit, which are the key. A run with a full store differs from
 * one with an empty store only in time. CaDiCaL's answers are not stored: its models depend on all
 * earlier queries, and most of its queries take less time than reading a file. Reaching the work
 * limit is an answer, too; reaching the time limit is not.
 *
 * The store finds a text by a 256-bit hash. It may drop entries at any time.
 */
import { printSmtLibQuery } from '../expr/print-smtlib.js';
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';
import { type BitVectorValue, toValue } from '../expr/value.js';
import type { Layer, Query } from './layer.js';
import { Model, type Outcome, unknown } from './query-outcome.js';

export interface AnswerStore {
  get(query: string): string | undefined;
  put(query: string, answer: string): void;
}

/** An outcome as JSON. Values are hexadecimal; constraints are indices into those of the query. */
interface StoredAnswer {
  readonly reason?: string;
  readonly core?: readonly number[];
  readonly variables?: readonly (readonly [name: string, value: string])[];
  readonly arrays?: readonly (readonly [name: string, bytes: readonly number[]])[];
}

export class StoredLayer implements Layer {
  constructor(
    readonly t: Terms,
    readonly store: AnswerStore,
    readonly below: Layer,
    readonly onStored: (isDecided: boolean) => void,
  ) {}

  check(query: Query): Outcome {
    const { constraints, work = 0, deadline } = query;
    const text = `; work ${work}\n${printSmtLibQuery(this.t, constraints)}`;
    const stored = this.store.get(text);
    const known = stored === undefined ? undefined : outcomeOf(JSON.parse(stored), constraints);
    if (known !== undefined) {
      this.onStored(known.kind !== 'unknown');
      return known;
    }
    const found = this.below.check(query);
    const isCounted =
      found.kind !== 'unknown' || (work > 0 && !deadline.passed() && found.reason !== 'time limit');
    if (isCounted) this.store.put(text, JSON.stringify(answerOf(found, constraints)));
    return found;
  }
}

function answerOf(outcome: Outcome, constraints: readonly Term[]): StoredAnswer {
  switch (outcome.kind) {
    case 'unknown':
      return { reason: outcome.reason };
    case 'unsat':
      return { core: outcome.core.map(term => constraints.indexOf(term)) };
    case 'sat': {
      const { variables, arrays } = outcome.model.assignment;
      return {
        variables: [...variables].map(([name, value]) => [name, value.toString(16)]),
        arrays: [...arrays].map(([name, bytes]) => [name, [...bytes]]),
      };
    }
  }
}

/** Undefined if the model does not satisfy the constraints. */
function outcomeOf(
  { reason, core, variables = [], arrays = [] }: StoredAnswer,
  constraints: readonly Term[],
): Outcome | undefined {
  if (reason !== undefined) return unknown(reason);
  if (core !== undefined) return { kind: 'unsat', core: core.map(i => constraints[i]!) };
  const model = new Model({
    variables: new Map(variables.map(([name, digits]) => [name, fromDigits(digits)])),
    arrays: new Map(arrays.map(([name, bytes]) => [name, Uint8Array.from(bytes)])),
  });
  return model.satisfiesAll(constraints) ? { kind: 'sat', model } : undefined;
}

function fromDigits(digits: string): BitVectorValue {
  return toValue(4 * digits.length, BigInt(`0x${digits}`));
}
