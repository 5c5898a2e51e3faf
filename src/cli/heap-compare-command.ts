/**
 * `redzone heap compare [TRACE...]`: computes tables B.1 to B.4 of the SRI report for every malloc.
 */
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
import type { compareOptions, resultOutput } from '../options/heap-options.js';
import { exitCodeOf } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { jsonText, printResult } from './print.js';
import { ProgressLine } from './progress.js';
import { htmlReportFor, statsLine } from './run-engine.js';
import { tableOf } from './text-table.js';

export type CompareInvocation = Invocation<typeof compareOptions, typeof resultOutput>;

export function run(invocation: CompareInvocation): Promise<number> {
  return compare(invocation, invocation.operands.length === 0 ? undefined : invocation.operands);
}

/** `traces` are files or names of workloads; undefined means all workloads. */
export async function compare(
  invocation: CompareInvocation,
  traces: readonly string[] | undefined,
): Promise<number> {
  const { options, output, io, signal } = invocation;
  const page = await htmlReportFor(output, io);
  const progress = new ProgressLine(io.stderr);
  const start = performance.now();
  const { mallocs = mallocNames } = options;
  const comparison = await heapCompare(
    { ...options, traces },
    {
      signal,
      onEvent: event => {
        page?.note(event);
        if (!output.quiet && event.kind === 'progress') progress.show(event.text);
      },
    },
  );
  progress.clear();
  const { isComplete, ...measured } = comparison;
  const verdict = isComplete ? 'clean' : 'inconclusive';
  const document = { schema: 1, command: 'heap', verdict, findings: [], stats: {}, ...measured };
  const measuredTables = tablesOf(mallocs, comparison);
  const tables = [
    ...measuredTables.map(tableText),
    isComplete ? '' : 'redzone heap: interrupted before everything was measured\n',
    output.verbose ? statsLine({ wallMs: performance.now() - start }) : '',
  ];
  printResult(invocation, output.json ? jsonText(document) : tables.join(''));
  const stats = { wallMs: performance.now() - start };
  const headline = isComplete
    ? 'mallocs on workloads, measured'
    : 'interrupted before everything was measured';
  await page?.write(
    { schema: 1, command: 'heap', verdict, findings: [], stats },
    { tables: tablesByWorkload(mallocs, comparison), headline },
  );
  return exitCodeOf(verdict);
}

/** The results as data: one entry for each malloc that was measured, and a summary. */
function tablesOf(mallocs: readonly MallocName[], comparison: Comparison): Table[] {
  const { measurements } = comparison;
  return [
    ...mallocs
      .filter(malloc => measurements.some(found => found.malloc === malloc))
      .map(malloc => ({
        caption: `${malloc}: ${mallocInfo[malloc].summary}`,
        head: ['workload', ...columns],
        rows: measurements.filter(found => found.malloc === malloc).map(found => rowOf(found, measurements)),
      })),
    summaryTable(mallocs, comparison),
  ];
}

/** For a page: a table for each workload, with the mallocs below each other. */
function tablesByWorkload(mallocs: readonly MallocName[], comparison: Comparison): Table[] {
  const { measurements } = comparison;
  const workloads = [...new Set(measurements.map(({ workload }) => workload))];
  return [
    summaryTable(mallocs, comparison),
    ...workloads.map(workload => ({
      caption: workload,
      head: ['malloc', ...columns, 'what it is'],
      rows: measurements
        .filter(found => found.workload === workload)
        .map(found => [
          found.malloc,
          ...rowOf(found, measurements).slice(1),
          `${mallocInfo[found.malloc].summary}${found.failures === 0 ? '' : ` (${found.failures} calls failed)`}`,
        ]),
    })),
  ];
}

const columns = ['calls', 'ns/call', 'alone', 'overhead', 'peak KiB', 'apart KiB', 'fragmented'];

interface Table {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function tableText({ caption, head, rows }: Table): string {
  if (rows.length === 0) return '';
  return caption === undefined ? tableOf([head, ...rows]) : `${caption}\n${tableOf([head, ...rows])}\n`;
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
): Table {
  const rows = mallocs.flatMap(malloc => {
    const mean = meanOverheadPercent[malloc];
    if (mean === undefined) return [];
    const overheads = measurements
      .filter(found => found.malloc === malloc)
      .flatMap(found => overheadOf(found, measurements) ?? []);
    return [[malloc, percent(mean), percent(Math.max(...overheads))]];
  });
  return { head: [`against ${baseline}`, 'mean', 'worst'], rows };
}

function percent(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(0)} %`;
}
