/** `redzone prove`: check a transition system, of a file or one that comes with Redzone. */
import { InputError } from '../findings/diagnostic.js';
import type { ProofResult, RunReport, Verdict } from '../findings/report.js';
import { showValue } from '../modelcheck/expression.js';
import type {
  ModelRequest,
  ProveAnswer,
  ProveEvent,
  ProveRequest,
  SystemOutline,
} from '../modelcheck/request.js';
import type { Result, Vacuity } from '../modelcheck/result.js';
import { startTask } from '../platform/task.js';
import type { RunControl } from './control.js';

export type ProveModel = ModelRequest;
export type ProveOptions = ProveRequest;

/** How much longer than its limit the worker may take before it is ended. */
const graceMs = 1500;

/** Throws InputError when the model cannot be read. An aborted run returns what was found so far. */
export async function prove(options: ProveOptions, control: RunControl = {}): Promise<RunReport> {
  const start = performance.now();
  const collected = new Collector(control);
  const task = startTask<ProveRequest, ProveEvent, ProveAnswer>('modelcheck/prove-worker', options, {
    onEvent: event => collected.take(event),
  });
  const stop = (): void => task.stop();
  control.signal?.addEventListener('abort', stop, { once: true });
  const timer = options.maxTimeMs === undefined ? undefined : setTimeout(stop, options.maxTimeMs + graceMs);
  let answer: ProveAnswer | undefined;
  try {
    answer = control.signal?.aborted ? undefined : await task.result;
  } finally {
    clearTimeout(timer);
    control.signal?.removeEventListener('abort', stop);
    task.stop();
  }
  if (answer?.kind === 'invalid') throw new InputError(answer.diagnostic);
  const why = control.signal?.aborted ? 'interrupted' : 'the time was over';
  return collected.report(answer, why, performance.now() - start);
}

interface Seen {
  readonly outline: SystemOutline;
  readonly results: Map<string, Result>;
}

/** Puts the results of all systems together as they arrive. */
class Collector {
  readonly #control: RunControl;
  readonly #systems = new Map<string, Seen>();
  #lastProgress = '';

  constructor(control: RunControl) {
    this.#control = control;
  }

  take(event: ProveEvent): void {
    if (event.kind === 'system') {
      this.#systems.set(event.system.name, { outline: event.system, results: new Map() });
      this.#control.onEvent?.({ kind: 'phase', text: `proving ${event.system.name}` });
    } else if (event.kind === 'result') {
      this.#systems.get(event.system)?.results.set(event.result.property, event.result);
    } else {
      this.#lastProgress = event.text;
      this.#control.onEvent?.({ kind: 'progress', text: event.text });
    }
  }

  report(answer: ProveAnswer | undefined, why: string, wallMs: number): RunReport {
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
    const known = [...results.values()].map(result => proofResult(outline, result, vacuous));
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
    default: {
      const trace = outcome.trace.map(({ command, state }) => ({
        ...(command !== undefined && { command }),
        state: Object.fromEntries(
          variables.map(({ name, domain }, i) => [name, showValue(domain, state[i]!)] as const),
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
  return [...counted, ...(states > 0 ? [`${states.toLocaleString('en')} states`] : [])].join(', ');
}
