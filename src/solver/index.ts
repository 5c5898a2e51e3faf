/**
 * The solver as a separate library, `redzone/solver`: terms, queries, and the formats in which they
 * are written.
 */
export { evaluate } from '../expr/evaluate.js';
export { parseKQuery } from '../expr/parse-kquery.js';
export { parseSmtLib } from '../expr/parse-smtlib.js';
export { printKQuery } from '../expr/print-kquery.js';
export { printSmtLib, printSmtLibQuery } from '../expr/print-smtlib.js';
export type { ByteArray, Term } from '../expr/term.js';
export { Terms } from '../expr/terms.js';
export type { ConstraintSet } from './constraint-set.js';
export type { Limits } from './limits.js';
export type { Model, Outcome, YesOrNo } from './query-outcome.js';
export {
  type BranchAnswer,
  type RangeAnswer,
  Solver,
  type SolverOptions,
  type SolverStatistics,
  type ValueAnswer,
} from './solver.js';
