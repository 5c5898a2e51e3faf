/** What an exploration has reached, whether it is a whole one or a task of one. */
import type { LeftPaths } from '../../findings/report.js';

export interface Counts {
  readonly completed: number;
  readonly error: number;
  readonly partial: number;
}

export interface Totals {
  readonly counts: Counts;
  readonly finished: number;
  readonly notes: readonly string[];
  /** Where paths were abandoned. */
  readonly left: readonly LeftPaths[];
  /** Where values were concretized, on paths that have ended. */
  readonly chosen: readonly LeftPaths[];
  readonly allocations: number;
  readonly instructions: number;
  readonly queries: number;
}
