/**
 * Messages for errors that concern the run and not memory: how it ended, invalid calls, exhausted
 * resources, leaks.
 */
import { inThousands } from '../../support/plural.js';
import { type FindingCode, isFindingCode } from '../codes.js';
import type {
  AbortFacts,
  BudgetFacts,
  CallFacts,
  ExhaustionFacts,
  ExternalFacts,
  LeakFacts,
  LoopFacts,
} from '../facts.js';
import type { LoopLine } from '../finding.js';
import type { Description } from './description.js';
import { amount } from './numbers.js';

export function describeLeak({ object, sizes, behind }: LeakFacts): Description {
  const bytes = sizes.reduce((total, size) => total + size, 0);
  const isOne = sizes.length === 1;
  const them = isOne ? 'it' : 'them';
  const blocks = isOne
    ? `a block of ${amount(bytes, 'byte')} is`
    : `${sizes.length} blocks with ${amount(bytes, 'byte')} in total are`;
  const more =
    behind.blocks === 0
      ? ''
      : `, nor ${behind.blocks === 1 ? 'is' : 'are'} ${amount(behind.blocks, 'block')} with ${amount(behind.bytes, 'byte')} that only ${isOne ? 'it refers' : 'they refer'} to`;
  return {
    code: 'memory-leak',
    message: `${blocks} never freed, and nothing points to ${them}${more}`,
    object,
    help: `free ${isOne ? 'the block' : 'each block'} before the last pointer to it is lost`,
  };
}

export function describeCall({ target }: CallFacts): Description {
  if (target === 'mismatch')
    return {
      code: 'wild-pointer',
      message: 'call of a function as one of another type',
      help: 'call the function through a pointer of its own type, and declare it with its parameters',
    };
  if (target === 0n)
    return {
      code: 'null-dereference',
      message: 'call through a null function pointer',
      help: 'compare the pointer with `NULL` before the call',
    };
  return { code: 'wild-pointer', message: `call of 0x${target.toString(16)}, which is not a function` };
}

/** Fewer calls than this exhaust the stack only by the size of their locals. */
const recursionDepth = 100;

export function describeExhaustion({ depth }: ExhaustionFacts): Description {
  const code = 'stack-exhausted';
  if (depth < recursionDepth)
    return {
      code,
      message: 'the local variables do not fit on the stack',
      help: 'allocate large objects with `malloc`',
    };
  return {
    code,
    message: `the stack is exhausted after ${amount(depth, 'call')}`,
    help: 'check that the recursion ends, or use a loop',
  };
}

export function describeLoop({ instructions, lines }: LoopFacts): Description {
  const round = `an iteration is ${inThousands(instructions)} instruction${instructions === 1 ? '' : 's'}`;
  return {
    code: 'infinite-loop',
    message: 'the program never leaves this loop: every iteration ends in the state in which it began',
    notes: [{ message: lines.length === 0 ? round : `${round}, on ${linesInWords(lines)}` }],
    help: 'let every iteration change the condition of the loop',
    loop: { instructions, lines },
  };
}

/** `lines 3 to 5 and 9 of a.c`. */
function linesInWords(lines: readonly LoopLine[]): string {
  const files = [...new Set(lines.map(({ file }) => file))];
  const ofFile = (name: string): string => {
    const numbers = lines.filter(({ file }) => file === name).map(({ line }) => line);
    const ranges: [first: number, last: number][] = [];
    for (const line of numbers) {
      const range = ranges.at(-1);
      if (range?.[1] === line - 1) range[1] = line;
      else ranges.push([line, line]);
    }
    const words = ranges.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
    const all = words.length === 1 ? words[0] : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
    return `line${numbers.length === 1 ? '' : 's'} ${all} of ${name}`;
  };
  return files.map(ofFile).join(', ');
}

/** A budget is a limit of the target device. */
export function describeBudget({ resource, used, limit }: BudgetFacts): Description {
  const over = (code: FindingCode, what: string, unit: string): Description => ({
    code,
    message: `${what}, and the budget is ${amount(limit, unit)}`,
    budget: { resource, used, limit },
  });
  switch (resource) {
    case 'stack':
      return over('stack-exhausted', `local variables take ${amount(used, 'byte')} of stack`, 'byte');
    case 'depth':
      return over('stack-exhausted', `${amount(used, 'call')} are active`, 'call');
    case 'heap':
      return over('out-of-memory', `the program has ${amount(used, 'byte')} of heap`, 'byte');
    case 'allocations':
      return over('out-of-memory', `this is allocation number ${used}`, 'allocation');
  }
}

/** `assert` passes its usual text with file, line and function. */
export function describeAbort({ code, message }: AbortFacts): Description {
  const asserted = /Assertion `(.*)' failed/s.exec(message)?.[1];
  if (asserted !== undefined)
    return {
      code: 'assertion-failure',
      message: `assertion \`${asserted}\` failed`,
      help: helpForAbort('assertion-failure', message)!,
    };
  const known = isFindingCode(code) ? code : 'abort';
  const help = helpForAbort(known, message);
  return { code: known, message, ...(help !== undefined && { help }) };
}

function helpForAbort(code: FindingCode, message: string): string | undefined {
  if (code === 'abort') return 'return an error instead if input can lead here';
  if (code === 'assertion-failure')
    return 'return an error if input can violate the condition; otherwise correct the code before it';
  return code === 'unsupported' && message.startsWith(threadsSideBySide)
    ? '`redzone check` and `redzone explore --threads` let threads take turns'
    : undefined;
}

/** The start of a message of `runtime/libc/pthread/report.c`. */
const threadsSideBySide = 'threads that run side by side: ';

export function describeExternal({ name, outcome }: ExternalFacts): Description {
  switch (outcome.kind) {
    case 'missing':
      return {
        code: 'unsupported',
        message: `the function \`${name}\` is not available`,
        help: 'name the file that defines it as well, or with `--external` a library of this machine',
      };
    case 'unavailable':
      return {
        code: 'unsupported',
        message: `the function \`${name}\` is not available: ${outcome.reason}`,
      };
    case 'types':
      return { code: 'unsupported', message: `the function \`${name}\` cannot be called with its types` };
    case 'crashed':
      return { code: 'abort', message: `the external function \`${name}\` crashed (${outcome.signal})` };
    case 'late':
      return {
        code: 'infinite-loop',
        message: `the external function \`${name}\` did not return within ${outcome.seconds} s`,
      };
  }
}
