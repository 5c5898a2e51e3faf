/**
 * The exit status of `redzone`, on which scripts rely. The exit status of the program under test is
 * reported and never passed on.
 */
import type { Verdict } from '../index.js';

export const exitCodes = {
  /** Nothing found. */
  clean: 0,
  findings: 1,
  /** Bad usage, or the input does not compile. */
  badInput: 2,
  /** A limit was reached, or Ctrl-C pressed, before the answer. */
  inconclusive: 3,
  /** A defect in Redzone. */
  defect: 125,
} as const;

export function exitCodeOf(verdict: Verdict): number {
  return exitCodes[verdict];
}
