/**
 * From an error on a path to the Finding that is reported: where it happened, and what is known of
 * the object.
 */
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

/** Asked at the end of every path about the same few blocks. */
const librarys = new WeakMap<Trace, boolean>();

/** Is all of a stack the library's own? */
export function isLibrarys(trace: Trace): boolean {
  const known = librarys.get(trace);
  if (known !== undefined) return known;
  const answer = stackOfTrace(trace).every(isInLibrary);
  librarys.set(trace, answer);
  return answer;
}

/** Is the innermost function one of the library? */
export function endsInLibrary({ at }: Trace): boolean {
  const [innermost] = stackOf(at);
  return innermost !== undefined && isInLibrary(innermost);
}

/** The stack without what the library does before `main`. */
export function userStack(trace: Trace): Stack {
  const stack = stackOfTrace(trace);
  const outermost = stack.findLastIndex(frame => !isInLibrary(frame));
  return outermost < 0 ? stack : stack.slice(0, outermost + 1);
}

/** Frames of a very deep stack that are shown at either end. */
const shownFrames = 8;

const isDeep = (stack: Stack): boolean => stack.length > 2 * shownFrames;

function withoutMiddle(stack: Stack): Stack {
  return isDeep(stack) ? [...stack.slice(0, shownFrames), ...stack.slice(-shownFrames)] : stack;
}

/** The description of an object that has so many bytes. */
export function objectFacts({ info, life, ended }: ObjectState, bytes: number): ObjectFacts {
  const made = info.declared === undefined ? info.allocated && userStack(info.allocated) : [info.declared];
  // Without debug information nothing is known of who has made it.
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
