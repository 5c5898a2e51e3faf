/**
 * Folds immediately repeated sequences of commands in a trace, for the report and for the page: a
 * thread that waits in a loop would otherwise hide the steps that matter.
 */
import type { ProofStep } from '../findings/report.js';

export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly repeats: number;
}

/** The longest cycle that is searched for. */
const longestCycle = 50;
const fewestRepeats = 3;

/** Folds immediately repeated sequences of steps. */
export function foldedSteps(trace: readonly ProofStep[]): Stretch[] {
  const commandOf = (i: number): string | undefined => trace[i]?.command;
  const stretches: Stretch[] = [];
  for (let at = 0; at < trace.length; ) {
    const { length, repeats } = cycleAt(at, trace.length, commandOf);
    stretches.push({ from: at, to: at + length, repeats });
    at += length * repeats;
  }
  return stretches;
}

/** The cycle from here that covers the most steps, or a single step. */
function cycleAt(
  at: number,
  end: number,
  commandOf: (i: number) => string | undefined,
): { readonly length: number; readonly repeats: number } {
  let best = { length: 1, repeats: 1 };
  for (let length = 1; length <= longestCycle && at + 2 * length <= end; length++) {
    let same = 0;
    while (at + length + same < end && commandOf(at + same) === commandOf(at + length + same)) same++;
    const repeats = 1 + Math.floor(same / length);
    if (repeats >= fewestRepeats && repeats * length > best.repeats * best.length) best = { length, repeats };
  }
  return best;
}
