/** The models that come with Redzone, by name. */
import { composeCounted, composeNamed, THREADS } from '../compose.js';
import { int, ref } from '../expression.js';
import type { Model } from '../model.js';
import type { ModelRequest } from '../request.js';
import type { System } from '../system.js';
import { casModel } from './cas.js';
import { fourSlotModel } from './four-slot.js';
import { lfhtModel, REPORT_PARAMETERS } from './lfht.js';
import { queueModel } from './queue.js';

type BuiltIn = Extract<ModelRequest, { kind: 'built-in' }>;

interface Entry {
  readonly text: string;
  readonly usualThreads: number;
  /** Threads have so many states that naming them is cheaper than counting them. */
  readonly named?: true;
  readonly build: (request: BuiltIn, threads: number | 'any') => Model;
}

export const catalogue: Readonly<Record<string, Entry>> = {
  lfht: {
    text: 'the migration of the lock-free hash table, with the 28 lemmas of the report',
    usualThreads: 2,
    build: ({ lfht }, threads) =>
      lfhtModel({ ...REPORT_PARAMETERS, ...lfht }, threads === 'any' ? ref(parameterP) : int(threads)),
  },
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
    build: (_, threads) => build(threads === 'any' ? usualThreads : threads, isBroken),
  });
  return { [name]: entry(false), [`${name}-broken`]: entry(true) };
}

/** P in formulas; composition finds it by its name. */
const parameterP = { name: THREADS, domain: { kind: 'int', min: 1 } } as const;

export function buildSystem(request: BuiltIn): System | undefined {
  const entry = Object.hasOwn(catalogue, request.name) ? catalogue[request.name] : undefined;
  if (entry === undefined) return undefined;
  const threads = request.threads ?? entry.usualThreads;
  const model = entry.build(request, threads);
  if ((request.named || entry.named) && threads !== 'any') return composeNamed(model, threads);
  return composeCounted(model, threads);
}
