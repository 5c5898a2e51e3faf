/**
 * A call stack as a linked list that calls share: each frame adds one link to its caller's list, so remembering where a
 * block was allocated costs one small object, whatever the depth.
 */
import type { Stack } from '../findings/finding.js';
import { stackOf } from '../ir/debug.js';
import type { Instruction } from '../ir/model.js';

export interface Trace {
  /** What the innermost function was doing. */
  readonly at: Instruction;
  /** The calls that lead there. */
  readonly calls: Trace | undefined;
}

/** Innermost frame first. Calls without a place in the source are left out. */
export function stackOfTrace(trace: Trace | undefined): Stack {
  const stack = [];
  for (let link = trace; link !== undefined; link = link.calls) stack.push(...stackOf(link.at));
  return stack;
}
