/**
 * The interface of all layers of the chain. A layer answers a query itself or passes it to the
 * layer below.
 */
import type { Term } from '../expr/term.js';
import type { Deadline, Limits } from './limits.js';
import type { Outcome } from './query-outcome.js';

/** Asks whether these constraints, all of width 1, are satisfiable together. */
export interface Query {
  readonly constraints: readonly Term[];
  readonly limits: Limits;
  /** When `limits.milliseconds` end; shared by all layers that work on the query. */
  readonly deadline: Deadline;
  /** The work limit of Z3, in its own units; no limit unless given. */
  readonly work?: number;
}

export interface Layer {
  check(query: Query): Outcome;
}
