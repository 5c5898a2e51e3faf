/**
 * `redzone heap replay` and `redzone heap compare`: measure traces on mallocs. Each pair has its
 * own worker, and the mallocs take turns, so that temporary load affects all of them.
 */
import { inputError } from '../findings/diagnostic.js';
import type { Measurement, MeasureRequest } from '../heap/measure-trace.js';
import { workloadNames } from '../heap/workload-names.js';
import { LONG_TRACE } from '../malloc/heap-trace-format.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { mallocNames } from '../malloc/malloc-names.js';
import { compareOptions } from '../options/heap-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { filesBelow, readFileIfAny } from '../platform/files.js';
import { packageRoot } from '../platform/node.js';
import { startTask } from '../platform/task.js';
import { readTrace } from './heap-trace.js';
import type { RunControl } from './run-control.js';
import { neverAborted, resultOf, supervise } from './supervise.js';

/** All mallocs by default. */
export interface CompareOptions extends Given<typeof compareOptions> {
  /** Files of traces, or names of generated workloads; all workloads of Redzone by default. */
  readonly traces?: readonly string[] | undefined;
  /** Rounds in each worker; the fastest one counts. */
  readonly rounds?: number;
}

export interface Comparison {
  /** False if it was interrupted; the measurements until then are included. */
  readonly isComplete: boolean;
  /** One measurement for each workload and malloc. */
  readonly measurements: readonly Measurement[];
  /**
   * For each malloc, the geometric mean of its time relative to ptmalloc2, over the workloads that
   * both ran.
   */
  readonly meanOverheadPercent: Readonly<Partial<Record<MallocName, number>>>;
}

export const baseline: MallocName = 'ptmalloc2';

const traceFolder = `${packageRoot}runtime/heap/traces`;

/** The workloads that come with Redzone: recorded ones, then generated ones. */
export function listWorkloads(): string[] {
  const recorded = filesBelow(traceFolder).filter(file => file.endsWith('.trace'));
  return [...recorded.map(file => file.slice(0, -'.trace'.length)), ...workloadNames];
}

export async function heapCompare(given: CompareOptions = {}, control: RunControl = {}): Promise<Comparison> {
  const options = settingsOf(compareOptions, given);
  const { value } = await supervise(control, options.maxTimeMs, signal =>
    compareAll(options, { ...control, signal }),
  );
  return value!;
}

/** Returns what was measured until the signal aborts. */
async function compareAll(
  options: Settings<typeof compareOptions> & Pick<CompareOptions, 'traces' | 'rounds'>,
  control: RunControl,
): Promise<Comparison> {
  const { mallocs = mallocNames, rounds = 5, turns, seed } = options;
  const measurements: Measurement[] = [];
  const isOver = (): boolean => control.signal?.aborted ?? false;
  const names = options.traces ?? listWorkloads();
  for (const name of names) {
    const trace = sourceOf(name);
    const best = new Map<MallocName, Measurement>();
    const isLong = (): boolean => [...best.values()].some(({ calls }) => calls >= LONG_TRACE);
    for (let turn = 0; turn < turns && (turn === 0 || !isLong()); turn++)
      for (const malloc of mallocs) {
        if (isOver()) break;
        control.onEvent?.({
          kind: 'progress',
          text: `${name} on ${malloc}, turn ${turn + 1} of ${turns}`,
          counts: { done: measurements.length + best.size, total: names.length * mallocs.length },
        });
        const request = { trace, malloc, rounds, seed };
        const task = startTask<MeasureRequest, never, Measurement>('heap/measure-worker', request);
        const found = await resultOf(task, control.signal ?? neverAborted);
        if (found?.calls === 0) throw inputError(`'${name}' has no calls to measure`);
        if (found !== undefined) best.set(malloc, faster(best.get(malloc), found));
      }
    measurements.push(...[...best.values()].map(found => ({ ...found, workload: name })));
  }
  return { isComplete: !isOver(), ...summaryOf(measurements) };
}

function faster(a: Measurement | undefined, b: Measurement): Measurement {
  if (a === undefined) return b;
  return {
    ...b,
    nsPerCall: Math.min(a.nsPerCall, b.nsPerCall),
    nsPerCallAlone: Math.min(a.nsPerCallAlone, b.nsPerCallAlone),
  };
}

function summaryOf(measurements: readonly Measurement[]): Omit<Comparison, 'isComplete'> {
  const logs = new Map<MallocName, number[]>();
  for (const found of measurements) {
    const overhead = overheadOf(found, measurements);
    if (overhead !== undefined)
      logs.set(found.malloc, [...(logs.get(found.malloc) ?? []), Math.log1p(overhead / 100)]);
  }
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const means = [...logs].map(([malloc, values]) => [malloc, 100 * Math.expm1(mean(values))] as const);
  return { measurements, meanOverheadPercent: Object.fromEntries(means) };
}

/** How much slower than ptmalloc2 on the same workload, in percent. */
export function overheadOf(found: Measurement, all: readonly Measurement[]): number | undefined {
  const base = all.find(({ workload, malloc }) => workload === found.workload && malloc === baseline);
  return base === undefined ? undefined : 100 * (found.nsPerCall / base.nsPerCall - 1);
}

/**
 * The bytes of a trace, one that comes with Redzone or a file; or the name of a generated workload.
 */
export function sourceOf(name: string): Uint8Array | string {
  if ((workloadNames as readonly string[]).includes(name)) return name;
  const bytes = readFileIfAny(`${traceFolder}/${name}.trace`) ?? readFileIfAny(name);
  if (bytes === undefined) {
    const message = `'${name}' is neither a file nor a workload`;
    throw inputError(message, `the workloads are ${listWorkloads().join(', ')}`);
  }
  readTrace(bytes, name);
  return bytes;
}
