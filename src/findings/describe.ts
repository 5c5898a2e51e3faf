/**
 * Turns facts into a Finding. Code, message, label, notes and help are chosen here, for both
 * engines.
 *
 * Messages are lowercase, have no final period and can be understood alone; only `help` suggests a
 * fix, in one line. The wording is in `words/`, a file for each family of facts. The compiler
 * reports a kind of facts that has no case here.
 */
import { inThousands } from '../support/plural.js';
import { type AnyCode, infoOf } from './codes.js';
import type { FindingFacts, ObjectFacts, Occurrence, PluginFacts } from './facts.js';
import { type Finding, isInLibrary, type MemoryObject, type Stack } from './finding.js';
import {
  describeAccess,
  describeFree,
  describeOverlap,
  describeRoom,
  describeUnwritten,
  describeVariadic,
} from './words/access-words.js';
import { describeAnnotation } from './words/annotation-words.js';
import { describeArithmetic } from './words/arithmetic-words.js';
import type { Description } from './words/description.js';
import {
  describeAbort,
  describeBudget,
  describeCall,
  describeExhaustion,
  describeExternal,
  describeLeak,
  describeLoop,
} from './words/end-words.js';
import { describeFlow } from './words/flow-words.js';
import { describePromise } from './words/promise-words.js';
import {
  describeDeadlock,
  describeLeftThread,
  describeLockOrder,
  describeRace,
} from './words/thread-words.js';

export function describe(facts: FindingFacts, { location, stack, omittedFrames }: Occurrence): Finding {
  const described = inWords(facts, stack);
  const { code, message, access, accesses, object, label, notes = [], help, annotation } = described;
  const { loop, budget } = described;
  const { cwe, severity: usual } = infoOf(code);
  const severity = described.severity ?? usual;
  return {
    code,
    severity,
    ...(cwe !== undefined && { cwe }),
    message,
    location,
    stack,
    ...(omittedFrames !== undefined && { omittedFrames }),
    ...(access !== undefined && { access }),
    ...(object !== undefined && { object: memoryObject(object) }),
    ...(label !== undefined && { label }),
    ...(notes.length > 0 && { notes }),
    ...(help !== undefined && { help }),
    ...(accesses !== undefined && { accesses }),
    ...annotation,
    ...(loop !== undefined && { loop }),
    ...(budget !== undefined && { budget }),
  };
}

const helpForAssembly = 'use the alternative in C, which a macro such as `-DNO_ASM` often selects';

/** The likely fixes of the checks that are plug-ins of Redzone. */
const helpOfChecks: Readonly<Partial<Record<AnyCode, string>>> = {
  'strict-aliasing': 'copy the bytes with `memcpy`, or access them through a union',
  'restrict-violation': 'pass memory that does not overlap, or remove `restrict`',
};

function describePlugin({ code, message, notes }: PluginFacts): Description {
  const help = helpOfChecks[code];
  return { code, message, notes, ...(help !== undefined && { help }) };
}

function inWords(facts: FindingFacts, stack: Stack): Description {
  switch (facts.kind) {
    case 'access':
      return describeAccess(facts, libraryFunction(stack));
    case 'room':
      return describeRoom(facts, libraryFunction(stack));
    case 'outside-memory':
      return { code: 'wild-pointer', message: 'access outside the memory of the program' };
    case 'variadic':
      return describeVariadic(facts);
    case 'free':
      return describeFree(facts);
    case 'unwritten':
      return describeUnwritten(facts);
    case 'misaligned':
    case 'assumed-alignment':
    case 'far-pointer':
    case 'null-offset':
    case 'unsequenced':
      return describePromise(facts);
    case 'overlap':
      return describeOverlap(facts);
    case 'leak':
      return describeLeak(facts);
    case 'call':
      return describeCall(facts);
    case 'exhaustion':
      return describeExhaustion(facts);
    case 'budget':
      return describeBudget(facts);
    case 'abort':
      return describeAbort(facts);
    case 'trap':
      return { code: 'abort', message: 'the program executes a trap instruction' };
    case 'endless':
      return {
        code: 'infinite-loop',
        message: `the input has not ended after ${inThousands(facts.steps)} steps`,
      };
    case 'loop':
      return describeLoop(facts);
    case 'stale-jump':
      return {
        code: 'use-after-return',
        message: 'longjmp to a function that has returned',
        help: 'call `longjmp` only while the function that called `setjmp` is active',
      };
    case 'lost-goto':
      return { code: 'wild-pointer', message: 'a computed goto to an address that is not a label' };
    case 'unsupported':
      return {
        code: 'unsupported',
        message: `${facts.what} is not supported`,
        ...(facts.what === 'inline assembly' && { help: helpForAssembly }),
      };
    case 'external':
      return describeExternal(facts);
    case 'race':
      return describeRace(facts);
    case 'deadlock':
      return describeDeadlock(facts);
    case 'lock-order':
      return describeLockOrder(facts);
    case 'left-thread':
      return describeLeftThread(facts);
    case 'plugin':
      return describePlugin(facts);
    case 'annotation':
      return describeAnnotation(facts);
    case 'flow':
      return describeFlow(facts, libraryFunction(stack));
    case 'overflow':
    case 'negation':
    case 'quotient':
    case 'zero-divisor':
    case 'shift':
    case 'float-cast':
    case 'array-length':
    case 'no-value-of-type':
    case 'zero-argument':
    case 'null-argument':
    case 'null-result':
    case 'missing-return':
    case 'unreachable':
      return describeArithmetic(facts);
  }
}

/** The function of the C library that the program called, if the error is in the library. */
function libraryFunction(stack: Stack): string | undefined {
  const own = stack.findIndex(frame => !isInLibrary(frame));
  return own > 0 ? stack[own - 1]!.function : undefined;
}

function memoryObject({ life: _, ...object }: ObjectFacts): MemoryObject {
  return object;
}
