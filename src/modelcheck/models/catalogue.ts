/** The models that come with Redzone, by name. */
import { closestTo } from '../../support/closest.js';
import { composeCounted, composeNamed, unknownThreads } from '../compose.js';
import { type IntExpr, int, ref } from '../expression.js';
import type { Model } from '../model-builder.js';
import type { ModelRequest } from '../prove-request.js';
import type { System } from '../system.js';
import { casModel } from './cas.js';
import { fourSlotModel } from './four-slot.js';
import { type LfhtParameters, lfhtModel, REPORT_PARAMETERS } from './lfht.js';
import { breakingRun, largestThreads } from './lfht-frontier.js';
import { lfhtHandlesModel } from './lfht-handles.js';
import { queueModel } from './queue.js';
import { tableProtocol } from './table-protocol.js';

type BuiltIn = Extract<ModelRequest, { kind: 'built-in' }>;

export interface Objection {
  readonly message: string;
  readonly help?: string;
}

/** The numbers of threads that a request is about; `most` may be infinite. */
interface Range {
  readonly least: number;
  readonly most: number;
}

interface Entry {
  readonly text: string;
  readonly usualThreads: number;
  /** Threads have many states, so naming them is cheaper than counting them. */
  readonly named?: true;
  readonly build: (request: BuiltIn, threads: IntExpr, range: Range) => Model;
}

export const catalogue: Readonly<Record<string, Entry>> = {
  lfht: {
    text: 'the migration of the lock-free hash table, with the 28 lemmas of the SRI report',
    usualThreads: 2,
    build: ({ lfht }, threads, { least, most }) => {
      const parameters = { ...REPORT_PARAMETERS, ...lfht };
      const broken = Math.max(least, largestThreads(parameters) + 1);
      const commands = broken <= most ? breakingRun(parameters, broken) : undefined;
      const runs = commands === undefined ? [] : [{ commands, threads: broken }];
      return { ...lfhtModel(parameters, threads), runs };
    },
  },
  'table-protocol': {
    text: 'what the hash table that ships does to its entries',
    usualThreads: 0,
    named: true,
    build: tableProtocol,
  },
  ...twins(
    'lfht-handles',
    'the hash table with handles, reference counts and atomic steps',
    2,
    (threads, isBroken) =>
      lfhtHandlesModel({ tables: 4, threads, entries: 1, freeing: isBroken ? 'any' : 'oldest-first' }),
  ),
  ...twins('cas', 'an increment by compare-and-swap', 3, (threads, isBroken) => casModel(threads, isBroken)),
  ...twins('queue', 'the non-blocking queue of Michael and Scott', 2, queueModel),
  ...twins('four-slot', "Simpson's four-slot algorithm", 1, (_, isBroken) => fourSlotModel(isBroken)),
};

/** A model and its broken variant. */
function twins(
  name: string,
  text: string,
  usualThreads: number,
  build: (threads: number, isBroken: boolean) => Model,
): Record<string, Entry> {
  const entry = (isBroken: boolean): Entry => ({
    text: isBroken ? `${text}, broken` : text,
    usualThreads,
    named: true,
    build: (_request, _threads, { most }) => build(most, isBroken),
  });
  return { [name]: entry(false), [`${name}-broken`]: entry(true) };
}

/** Why a request makes no sense; undefined if it does. */
export function objectionTo({ name, threads, named, lfht = {} }: BuiltIn): Objection | undefined {
  const entry = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined;
  if (entry === undefined) {
    const names = Object.keys(catalogue);
    const guess = closestTo(name, names);
    const all = names.map(known => `${known} (${catalogue[known]!.text})`).join(', ');
    return {
      message: `there is no model '${name}'`,
      help: guess === undefined ? `models: ${all}; or a file .mcmt or .sal` : `did you mean ${guess}?`,
    };
  }
  if (entry.named && typeof threads === 'object')
    return {
      message: `the threads of ${name} have names: --threads needs a number`,
      help: 'lfht has a proof for every number of threads at once',
    };
  if (entry.named && named) return { message: `${name} has no --named: its threads always have names` };
  if (typeof threads === 'object' && (threads.to ?? threads.from) < threads.from)
    return { message: `there is no number of threads from ${threads.from} to ${threads.to}` };
  const [own] = Object.keys(lfht);
  if (name !== 'lfht' && own !== undefined)
    return { message: `${name} has no ${LFHT_OPTIONS[own as keyof LfhtParameters]}; only lfht does` };
  const { numerator, denominator } = lfht.threshold ?? REPORT_PARAMETERS.threshold;
  if (numerator < 1 || numerator > denominator)
    return { message: '--threshold needs a part of a table, more than 0 and at most 1' };
  return undefined;
}

const LFHT_OPTIONS: Readonly<Record<keyof LfhtParameters, string>> = {
  tables: '--tables',
  tax: '--tax',
  threshold: '--threshold',
  firstSize: '--first-size',
  variant: '--variant',
};

export function buildSystem(request: BuiltIn): System | undefined {
  const entry = Object.hasOwn(catalogue, request.name) ? catalogue[request.name] : undefined;
  if (entry === undefined) return undefined;
  const threads = request.threads ?? entry.usualThreads;
  if (typeof threads === 'number') {
    const model = entry.build(request, int(threads), { least: threads, most: threads });
    return request.named || entry.named ? composeNamed(model, threads) : composeCounted(model, threads);
  }
  const { from: least, to } = threads;
  const unknown = unknownThreads(least, to);
  const range = { least, most: to ?? Number.POSITIVE_INFINITY };
  return composeCounted(entry.build(request, ref(unknown), range), unknown);
}
