/** `redzone prove`: check a transition system, of a file or one that comes with Redzone. */

import { InputError, inputError } from '../findings/diagnostic.js';
import type { ProofResult, ProveReport, Verdict } from '../findings/report.js';
import type { showValue } from '../modelcheck/expression.js';
import type {
  ModelRequest,
  ProveAnswer,
  ProveEvent,
  ProveRequest,
  SystemOutline,
} from '../modelcheck/prove-request.js';
import type { Result, Vacuity } from '../modelcheck/result.js';
import { modelOptions, proveOptions } from '../options/prove-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { startTask } from '../platform/task.js';
import { inThousands } from '../support/plural.js';
import { withoutUndefined } from '../support/without-undefined.js';
import type { RunControl } from './run-control.js';
import { INTERRUPTED, resultOf, supervise } from './supervise.js';

/**
 * The name of a model that comes with Redzone (`hashtable` is the code of the hash table), or a
 * file.
 */
export type ProveModel = string | { readonly file: string; readonly text: string };

export interface ProveOptions extends Given<typeof proveOptions> {
  readonly model: ProveModel;
}

/** How long after its time limit the worker may take to report before it is terminated. */
const graceMs = 300;

/**
 * Throws InputError when the model cannot be read. An aborted run returns what was found so far.
 */
export async function prove(given: ProveOptions, control: RunControl = {}): Promise<ProveReport> {
  const start = performance.now();
  const options = settingsOf(proveOptions, given);
  const { engine, properties, maxDepth, maxStates, maxTimeMs } = options;
  const request = { model: modelOf(options), engine, properties, maxDepth, maxStates, maxTimeMs };
  const expressions = await import('../modelcheck/expression.js');
  const collected = new Collector(control, expressions.showValue);
  const task = startTask<ProveRequest, ProveEvent, ProveAnswer>('modelcheck/prove-worker', request, {
    onEvent: event => collected.take(event),
  });
  const limit = maxTimeMs === undefined ? undefined : maxTimeMs + graceMs;
  const { value: answer, stopped } = await supervise(control, limit, signal => resultOf(task, signal));
  if (answer?.kind === 'invalid') throw new InputError(answer.diagnostic);
  return collected.report(
    answer,
    stopped === INTERRUPTED ? stopped : 'the time limit was reached',
    performance.now() - start,
  );
}

type ProveSettings = Settings<typeof proveOptions> & Pick<ProveOptions, 'model'>;

function modelOf(options: ProveSettings): ModelRequest {
  const { model } = options;
  refuseOthers(options);
  refuseOtherLimits(options);
  if (model === 'hashtable') return codeOf(options);
  if (typeof model !== 'string') return { kind: 'file', ...model };
  const { threads, named, tax, tables, firstSize, variant, threshold } = options;
  return {
    kind: 'built-in',
    name: model,
    threads,
    named,
    lfht: withoutUndefined({ tax, tables, firstSize, variant, threshold }),
  };
}

type ModelOption = keyof typeof modelOptions;

const ofBuiltIn: readonly ModelOption[] = [
  'threads',
  'named',
  'tax',
  'tables',
  'threshold',
  'firstSize',
  'variant',
];
const ofCode: readonly ModelOption[] = ['threads', 'operations', 'entries', 'tax', 'firstSize'];

/** Rejects options that the model does not have, which would be ignored. */
function refuseOthers(options: ProveSettings): void {
  const { model } = options;
  const own = typeof model !== 'string' ? [] : model === 'hashtable' ? ofCode : ofBuiltIn;
  const keys = Object.keys(modelOptions) as ModelOption[];
  const other = keys.find(key => !own.includes(key) && options[key] !== undefined);
  if (other === undefined) return;
  const [flag] = modelOptions[other].flags;
  if (typeof model !== 'string') throw inputError(`${flag} is for models that come with Redzone`);
  throw inputError(`${model} has no ${flag}; only ${model === 'hashtable' ? 'lfht' : 'hashtable'} does`);
}

/** Rejects an engine and limits that would be ignored. */
function refuseOtherLimits({ model, engine, maxDepth, maxStates }: ProveSettings): void {
  if (model === 'hashtable' && (engine !== 'auto' || maxStates !== undefined))
    throw inputError(
      `hashtable has no ${engine === 'auto' ? '--max-states' : '--engine'}`,
      'its code is run in all interleavings, and its model is proved by k-induction',
    );
  if (maxStates !== undefined && engine !== 'auto' && engine !== 'explicit')
    throw inputError(`--max-states is for the engine explicit; ${engine} visits no states`);
  if (maxDepth !== undefined && engine === 'explicit')
    throw inputError('--max-depth is for the other engines; --max-states limits explicit');
}

/** The model of the hash table's code. */
function codeOf({
  threads = 2,
  operations = 'add find',
  entries,
  firstSize,
  tax,
}: ProveSettings): ModelRequest {
  if (typeof threads !== 'number' || threads > 4)
    throw inputError('--threads of hashtable needs a number up to 4', 'the code is run in all interleavings');
  if (firstSize !== undefined && (firstSize < 2 || firstSize > 64 || !Number.isInteger(Math.log2(firstSize))))
    throw inputError('--first-size of hashtable needs a power of two from 2 to 64');
  return { kind: 'code', threads, operations, entries, capacity: firstSize, tax };
}

interface Seen {
  readonly outline: SystemOutline;
  readonly results: Map<string, Result>;
}

/** Merges the results of all systems as they arrive. */
class Collector {
  readonly #control: RunControl;
  readonly #show: typeof showValue;
  readonly #systems = new Map<string, Seen>();
  #lastProgress = '';

  constructor(control: RunControl, show: typeof showValue) {
    this.#control = control;
    this.#show = show;
  }

  take(event: ProveEvent): void {
    if (event.kind === 'system') {
      this.#systems.set(event.system.name, { outline: event.system, results: new Map() });
      this.#control.onEvent?.({ kind: 'phase', text: `proving ${event.system.name}` });
    } else if (event.kind === 'result') {
      this.#systems.get(event.system)?.results.set(event.result.property, event.result);
    } else {
      this.#lastProgress = event.text;
      const systems = [...this.#systems.values()];
      const done = systems.reduce((sum, { results }) => sum + results.size, 0);
      const total = systems.reduce((sum, { outline }) => sum + outline.properties.length, 0);
      this.#control.onEvent?.({ kind: 'progress', text: event.text, counts: { done, total } });
    }
  }

  report(answer: ProveAnswer | undefined, why: string, wallMs: number): ProveReport {
    const reports = answer?.kind === 'done' ? answer.reports : [];
    const vacuous = reports.flatMap(report => report.vacuous);
    const several = this.#systems.size > 1;
    const results = [...this.#systems.values()].flatMap(seen =>
      this.#resultsOf(seen, vacuous, answer === undefined ? why : undefined).map(result =>
        several ? { ...result, system: seen.outline.name } : result,
      ),
    );
    const states = reports.reduce((sum, report) => sum + (report.states ?? 0), 0);
    const guards = vacuous.filter(one => one.kind === 'guard').map(({ command }) => command);
    return {
      schema: 1,
      command: 'prove',
      verdict: answer === undefined && results.length === 0 ? 'inconclusive' : verdictOf(results),
      summary: summaryOf(results, states),
      findings: [],
      stats: { wallMs: Math.round(wallMs), ...(states > 0 && { states }) },
      results,
      ...(guards.length > 0 && { neverFires: guards }),
    };
  }

  #resultsOf(
    { outline, results }: Seen,
    vacuous: readonly Vacuity[],
    stopped: string | undefined,
  ): ProofResult[] {
    const known = [...results.values()].map(result => proofResult(outline, result, vacuous, this.#show));
    if (stopped === undefined) return known;
    const reason = this.#lastProgress === '' ? stopped : `${stopped}; last: ${this.#lastProgress}`;
    const open = outline.properties.filter(({ name }) => !results.has(name));
    return [
      ...known,
      ...open.map(({ name }): ProofResult => ({ property: name, status: 'unknown', engine: '', reason })),
    ];
  }
}

function proofResult(
  { variables, properties }: SystemOutline,
  { property, engine, outcome, ms }: Result,
  vacuous: readonly Vacuity[],
  show: typeof showValue,
): ProofResult {
  const isVacuous = vacuous.some(one => one.kind === 'premise' && one.property === property);
  const text = properties.find(({ name }) => name === property)?.text;
  const common = {
    property,
    status: outcome.status,
    engine,
    ...(isVacuous && { vacuous: true as const }),
    ...(text !== undefined && { text }),
    ms: Math.round(ms),
  };
  switch (outcome.status) {
    case 'proved':
      return { ...common, depth: outcome.depth, lemmas: outcome.lemmas, certificate: outcome.certificate };
    case 'unknown':
      return { ...common, depth: outcome.depth, reason: outcome.reason };
    case 'refuted': {
      const trace = outcome.trace.map(({ command, state }) => ({
        ...(command !== undefined && { command }),
        state: Object.fromEntries(
          variables.map(({ name, domain }, i) => [name, show(domain, state[i]!)] as const),
        ),
      }));
      return { ...common, depth: trace.length - 1, trace };
    }
  }
}

function verdictOf(results: readonly ProofResult[]): Verdict {
  if (results.some(({ status }) => status === 'refuted')) return 'findings';
  return results.some(({ status }) => status === 'unknown') ? 'inconclusive' : 'clean';
}

function summaryOf(results: readonly ProofResult[], states: number): string {
  const counted = (['proved', 'refuted', 'unknown'] as const)
    .map(status => [results.filter(result => result.status === status).length, status] as const)
    .filter(([count]) => count > 0)
    .map(([count, status]) => `${count} ${status}`);
  return [...counted, ...(states > 0 ? [`${inThousands(states)} states`] : [])].join(', ');
}
