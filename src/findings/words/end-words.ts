/**
 * Words for errors that are about the run and not about memory: its end, its calls, what it uses
 * up, what it leaves behind.
 */
import { isFindingCode } from '../codes.js';
import type { AbortFacts, CallFacts, ExhaustionFacts, ExternalFacts, LeakFacts } from '../facts.js';
import type { Description } from './description.js';
import { plural } from './numbers.js';

export function describeLeak({ object, sizes, behind }: LeakFacts): Description {
  const bytes = sizes.reduce((total, size) => total + size, 0);
  const isOne = sizes.length === 1;
  const them = isOne ? 'it' : 'them';
  const blocks = isOne
    ? `a block of ${plural(bytes, 'byte')} is`
    : `${sizes.length} blocks with ${plural(bytes, 'byte')} in total are`;
  const more =
    behind.blocks === 0
      ? ''
      : `, nor ${behind.blocks === 1 ? 'is' : 'are'} ${plural(behind.blocks, 'block')} with ${plural(behind.bytes, 'byte')} behind ${them}`;
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
  return { code: 'wild-pointer', message: `call of 0x${target.toString(16)}, which is no function` };
}

export function describeExhaustion(facts: ExhaustionFacts): Description {
  switch (facts.kind) {
    case 'calls':
      return {
        code: 'stack-exhausted',
        message: `the stack is exhausted after ${plural(facts.depth, 'call')}`,
        help: 'check that the recursion ends, or use a loop',
      };
    case 'locals':
      return {
        code: 'stack-exhausted',
        message: `local variables take more than ${facts.limitBytes / 2 ** 20} MiB of stack`,
        help: 'allocate large objects with `malloc`',
      };
  }
}

/** `assert` passes on the text that it prints on a machine, with file, line and function in it. */
export function describeAbort({ code, message }: AbortFacts): Description {
  const asserted = /Assertion `(.*)' failed/s.exec(message)?.[1];
  if (asserted !== undefined)
    return { code: 'assertion-failure', message: `assertion \`${asserted}\` failed` };
  return { code: isFindingCode(code) ? code : 'abort', message };
}

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
