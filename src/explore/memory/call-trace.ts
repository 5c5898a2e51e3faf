/**
 * A call stack as a linked list that calls share: each frame adds one link to its caller's list, so
 * recording where a block was allocated costs one small object, whatever the depth.
 */
import { isInLibrary, type SourceLocation, type Stack } from '../../findings/finding.js';
import { stackOf } from '../../ir/debug.js';
import type { Instruction } from '../../ir/model.js';

export interface Trace {
  /** The current instruction of the innermost function. */
  readonly at: Instruction;
  /** The calls that lead there. */
  readonly calls: Trace | undefined;
  /** Where the local is declared that the instruction makes, which has no line of its own. */
  readonly declared?: SourceLocation | undefined;
}

/** The number of calls that lead to an instruction. */
export function depthOf({ calls }: Trace): number {
  let depth = 0;
  for (let link = calls; link !== undefined; link = link.calls) depth++;
  return depth;
}

/** The metadata of an instruction never changes, and few instructions are looked up often. */
const stacks = new WeakMap<Instruction, Stack>();

/** Where an instruction is in the source, innermost frame first. */
export function stackOfInstruction(at: Instruction): Stack {
  const known = stacks.get(at);
  if (known !== undefined) return known;
  const stack = stackOf(at);
  stacks.set(at, stack);
  return stack;
}

/** Innermost frame first. Calls without a source location are left out. */
export function stackOfTrace(trace: Trace | undefined): Stack {
  const stack = [];
  for (let link = trace; link !== undefined; link = link.calls)
    stack.push(...(link.declared === undefined ? stackOfInstruction(link.at) : [link.declared]));
  return stack;
}

/** The innermost line outside the library; undefined before the program itself has begun. */
export function lineOf(top: Trace): SourceLocation | undefined {
  for (let link: Trace | undefined = top; link !== undefined; link = link.calls) {
    const own = stackOfInstruction(link.at).find(place => !isInLibrary(place));
    if (own !== undefined) return own;
  }
  return undefined;
}
