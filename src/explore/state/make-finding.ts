/** Makes a Finding from an error on a path: its location, and the facts of its object. */
import { describe } from '../../findings/describe.js';
import type { FindingFacts, ObjectFacts, Occurrence } from '../../findings/facts.js';
import { type Finding, isInLibrary, ownFrame, type Stack } from '../../findings/finding.js';
import { librarysBlock } from '../../findings/words/object-words.js';
import { stackOf } from '../../ir/debug.js';
import { stackOfTrace, type Trace } from '../memory/call-trace.js';
import type { ObjectState } from '../memory/object-state.js';

export function makeFinding(facts: FindingFacts, trace: Trace): Finding {
  return describe(facts, occurrenceAt(trace));
}

export function occurrenceAt(trace: Trace): Occurrence {
  const stack = userStack(trace);
  return {
    location: ownFrame(stack) ?? { file: '', line: 0, column: 0 },
    stack: withoutMiddle(stack),
    ...(isDeep(stack) && { omittedFrames: stack.length - 2 * shownFrames }),
  };
}

/** Queried at the end of every path for the same few blocks. */
const librarys = new WeakMap<Trace, boolean>();

/** Whether all frames of a stack are the library's. */
export function isLibrarys(trace: Trace): boolean {
  const known = librarys.get(trace);
  if (known !== undefined) return known;
  const answer = stackOfTrace(trace).every(isInLibrary);
  librarys.set(trace, answer);
  return answer;
}

/** Whether the innermost function belongs to the library. */
export function endsInLibrary({ at }: Trace): boolean {
  const [innermost] = stackOf(at);
  return innermost !== undefined && isInLibrary(innermost);
}

/** The stack without the library's code before `main`. */
export function userStack(trace: Trace): Stack {
  const stack = stackOfTrace(trace);
  const outermost = stack.findLastIndex(frame => !isInLibrary(frame));
  return outermost < 0 ? stack : stack.slice(0, outermost + 1);
}

/** The number of frames of a very deep stack that are shown at either end. */
const shownFrames = 8;

const isDeep = (stack: Stack): boolean => stack.length > 2 * shownFrames;

function withoutMiddle(stack: Stack): Stack {
  return isDeep(stack) ? [...stack.slice(0, shownFrames), ...stack.slice(-shownFrames)] : stack;
}

/** The description of an object of this size. */
export function objectFacts({ info, life, ended }: ObjectState, bytes: number): ObjectFacts {
  const made = info.declared === undefined ? info.allocated && userStack(info.allocated) : [info.declared];
  // Without debug information the allocating function is unknown.
  const isStartUps = info.kind === 'heap' && made !== undefined && made.length > 0 && made.every(isInLibrary);
  const name = isStartUps ? librarysBlock(made) : info.name;
  const allocated = isStartUps ? undefined : made;
  const freed = life === 'freed' && ended !== undefined ? userStack(ended) : undefined;
  const omitsFrames = [allocated, freed].some(stack => stack !== undefined && isDeep(stack));
  return {
    kind: info.kind,
    ...(name === undefined ? {} : { name }),
    bytes,
    life,
    ...(allocated === undefined ? {} : { allocated: withoutMiddle(allocated) }),
    ...(freed === undefined ? {} : { freed: withoutMiddle(freed) }),
    ...(omitsFrames && { omitsFrames }),
  };
}
