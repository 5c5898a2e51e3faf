/** `redzone heap compare [TRACE...]`: the tables B.1 to B.4 of the report anew, for every malloc. */
import {
  baseline,
  type Comparison,
  heapCompare,
  type MallocName,
  type Measurement,
  mallocInfo,
  mallocNames,
  overheadOf,
} from '../index.js';
import { UsageError } from './arguments.js';
import { exitCodeOf } from './exit-codes.js';
import { mallocsOf, printResult } from './heap-options.js';
import type { Invocation } from './invocation.js';
import { jsonText } from './print.js';
import { ProgressLine } from './progress.js';
import { tableOf } from './table.js';

export function run(invocation: Invocation): Promise<number> {
  return compare(invocation, invocation.operands.length === 0 ? undefined : invocation.operands);
}

/** `traces` are files or names of workloads; all that there are when undefined. */
export async function compare(
  invocation: Invocation,
  traces: readonly string[] | undefined,
): Promise<number> {
  const { options, io, signal } = invocation;
  if (options.rounds === 0) throw new UsageError('--rounds needs at least 1');
  const progress = new ProgressLine(io.stderr);
  const mallocs = mallocsOf(options) ?? mallocNames;
  const comparison = await heapCompare(
    {
      mallocs,
      ...(traces !== undefined && { traces }),
      ...(options.seed !== undefined && { seed: options.seed }),
      ...(options.rounds !== undefined && { turns: options.rounds }),
    },
    {
      signal,
      onEvent: event => {
        if (!options.quiet && event.kind === 'progress') progress.show(event.text);
      },
    },
  );
  progress.clear();
  const { isComplete, ...measured } = comparison;
  const verdict = isComplete ? 'clean' : 'inconclusive';
  const document = { schema: 1, command: 'heap', verdict, findings: [], stats: {}, ...measured };
  const tables = [
    ...mallocs
      .filter(malloc => comparison.measurements.some(found => found.malloc === malloc))
      .map(malloc => mallocTable(malloc, comparison)),
    summaryTable(mallocs, comparison),
    isComplete ? '' : 'redzone heap: interrupted before everything was measured\n',
  ];
  printResult(invocation, options.json ? jsonText(document) : tables.join(''));
  return exitCodeOf(verdict);
}

function mallocTable(malloc: MallocName, { measurements }: Comparison): string {
  const rows = measurements.filter(found => found.malloc === malloc).map(found => rowOf(found, measurements));
  const head = ['workload', 'calls', 'ns/call', 'alone', 'overhead', 'peak KiB', 'apart KiB', 'fragmented'];
  return `${malloc}: ${mallocInfo[malloc].summary}\n${tableOf([head, ...rows])}\n`;
}

function rowOf(found: Measurement, all: readonly Measurement[]): string[] {
  const overhead = overheadOf(found, all);
  const kib = (bytes: number): string => `${Math.round(bytes / 1024)}`;
  return [
    found.failures === 0 ? found.workload : `${found.workload} (${found.failures} calls failed)`,
    `${found.calls}`,
    found.nsPerCall.toFixed(1),
    found.nsPerCallAlone.toFixed(1),
    overhead === undefined ? '' : percent(overhead),
    kib(found.peakBytes),
    kib(found.metadataBytesApart),
    `${found.fragmentationPercent.toFixed(0)} %`,
  ];
}

function summaryTable(
  mallocs: readonly MallocName[],
  { measurements, meanOverheadPercent }: Comparison,
): string {
  const rows = mallocs.flatMap(malloc => {
    const mean = meanOverheadPercent[malloc];
    if (mean === undefined) return [];
    const overheads = measurements
      .filter(found => found.malloc === malloc)
      .flatMap(found => overheadOf(found, measurements) ?? []);
    return [[malloc, percent(mean), percent(Math.max(...overheads))]];
  });
  return rows.length === 0 ? '' : tableOf([[`against ${baseline}`, 'mean', 'worst'], ...rows]);
}

function percent(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(0)} %`;
}
