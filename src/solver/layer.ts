/**
 * The shape that all layers of the chain share. A layer answers a query itself or asks the layer
 * below it.
 */
import type { Term } from '../expr/term.js';
import type { Deadline, Limits } from './limits.js';
import type { Outcome } from './query-outcome.js';

/** Are these constraints, all of width 1, satisfiable together? */
export interface Query {
  readonly constraints: readonly Term[];
  readonly limits: Limits;
  /** When `limits.milliseconds` end; shared by all layers that work on the query. */
  readonly deadline: Deadline;
  /** How much Z3 may do, in its own units of work; no limit unless given. */
  readonly work?: number;
}

export interface Layer {
  check(query: Query): Outcome;
}
