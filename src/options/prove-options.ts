/** The options of `prove`. */
import { engineChoices, lfhtVariants } from '../modelcheck/engine-names.js';
import { limits, page, shown } from './shared.js';

/**
 * The number of threads of a model: one number, or all numbers of a range at once. A range without
 * an end means every number.
 */
export type ThreadCount = number | { readonly from: number; readonly to?: number };

/** `4`, `1-17` or `any`. */
function readThreads(text: string): ThreadCount | undefined {
  if (text === 'any') return { from: 1 };
  const range = /^([1-9]\d{0,3})(?:-([1-9]\d{0,3}))?$/.exec(text);
  if (range === null) return undefined;
  const from = Number(range[1]);
  return range[2] === undefined ? from : { from, to: Number(range[2]) };
}

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** `0.6` or `3/5`. */
function readFraction(text: string): Fraction | undefined {
  const fraction = /^(\d{1,6})\/([1-9]\d{0,5})$/.exec(text);
  if (fraction !== null) return { numerator: Number(fraction[1]), denominator: Number(fraction[2]) };
  const decimal = /^(\d*)\.(\d{1,6})$/.exec(text);
  if (decimal === null) return undefined;
  return { numerator: Number(`${decimal[1]}${decimal[2]}`), denominator: 10 ** decimal[2]!.length };
}

/** Model files set these themselves, so they apply only to models that come with Redzone. */
export const modelOptions = {
  threads: {
    flags: ['--threads'],
    kind: 'parsed',
    read: readThreads as typeof readThreads,
    expected: 'a number from 1 to 9999, a range such as 1-8, or any',
    json: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        {
          type: 'object',
          properties: { from: { type: 'integer', minimum: 1 }, to: { type: 'integer', minimum: 1 } },
          required: ['from'],
          additionalProperties: false,
        },
      ],
    },
    value: 'P',
    help: 'the number of threads; 1-17 or any: one proof for all of them',
  },
  named: {
    flags: ['--named'],
    kind: 'flag',
    help: 'lfht: name the threads instead of counting them',
  },
  operations: {
    flags: ['--ops'],
    kind: 'text',
    value: 'LIST',
    help: 'hashtable: what each thread does: add, find, remove, reopen, with :KEY (default: add find)',
  },
  entries: {
    flags: ['--entries'],
    kind: 'number',
    value: 'N',
    help: 'hashtable: entries in the table at the start',
  },
  tax: {
    flags: ['--tax'],
    kind: 'number',
    least: 1,
    value: 'M',
    help: 'lfht, hashtable: entries that a thread moves on each visit',
  },
  tables: {
    flags: ['--tables'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'lfht: the maximal number of headers',
  },
  threshold: {
    flags: ['--threshold'],
    kind: 'parsed',
    read: readFraction as typeof readFraction,
    expected: 'a part such as 0.6 or 3/5',
    json: {
      type: 'object',
      properties: {
        numerator: { type: 'integer', minimum: 0 },
        denominator: { type: 'integer', minimum: 1 },
      },
      required: ['numerator', 'denominator'],
      additionalProperties: false,
    },
    value: 'T',
    help: 'lfht: a header grows above this fraction of its size: 0.6 or 3/5',
  },
  firstSize: {
    flags: ['--first-size'],
    kind: 'number',
    least: 1,
    value: 'S',
    help: 'lfht, hashtable: the size of the first table',
  },
  variant: {
    flags: ['--variant'],
    kind: 'choice',
    choices: lfhtVariants as typeof lfhtVariants,
    value: 'NAME',
    help: 'lfht: the protocol as published (report), or a variant of it',
  },
} as const;

const own = {
  engine: {
    flags: ['--engine'],
    kind: 'choice',
    choices: engineChoices as typeof engineChoices,
    value: 'NAME',
    default: 'auto',
    help: 'the engine that decides',
  },
  properties: {
    flags: ['--property'],
    kind: 'list',
    value: 'NAME',
    help: 'check only this property; may be repeated',
  },
  maxDepth: {
    flags: ['--max-depth'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'the bound: runs of at most N steps, or N frames',
  },
  maxStates: {
    flags: ['--max-states'],
    kind: 'number',
    least: 1,
    value: 'N',
    help: 'visit at most N states explicitly',
  },
  maxTimeMs: limits.maxTimeMs as typeof limits.maxTimeMs,
} as const;

export const proveOptions: typeof own & typeof modelOptions = { ...own, ...modelOptions };

export const proveOutput: typeof shown & typeof page = { ...shown, ...page };
