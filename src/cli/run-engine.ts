/**
 * The code that the commands of all engines share around their call of the library: it shows
 * progress on stderr, forwards the program's output, prints the report as text, JSON or SARIF, and
 * computes the exit code.
 *
 *     export const run = (invocation: Invocation): Promise<number> =>
 *       runEngine(invocation, control => check({ … }, control));
 */

import {
  explain,
  type FindingCode,
  isFindingCode,
  type LeftPaths,
  type ProgramOutcome,
  type RunControl,
  type RunEvent,
  type RunReport,
  type RunStats,
  renderFinding,
  renderGcc,
  renderJson,
  renderSarif,
  version,
} from '../index.js';
import type { Given } from '../options/schema.js';
import type { page, reportFolder, sarif, shown } from '../options/shared.js';
import { plural } from '../support/plural.js';
import { printable } from '../support/printable.js';
import { exitCodeOf } from './exit-codes.js';
import type { HtmlReport } from './html-report.js';
import type { Invocation } from './invocation.js';
import { PhaseTimes } from './phase-times.js';
import { printDiagnostics, requireWritableResults, sourceReader, terminalOf, writeTo } from './print.js';
import { ProgressLine } from './progress.js';

/** Engines that write no other files use `-o DIR` for the report. */
type EngineInvocation = Pick<Invocation, 'io' | 'signal'> & {
  readonly output: Given<typeof shown & typeof sarif> & Given<Partial<typeof reportFolder>>;
};

export async function runEngine(
  { output: options, io, signal }: EngineInvocation,
  engine: (control: RunControl) => Promise<RunReport>,
): Promise<number> {
  const { format, outDir, sarif } = options;
  requireWritableResults({ file: sarif, folder: outDir });
  const page = await htmlReportFor(options, io);
  const progress = new ProgressLine(io.stderr);
  const phases = new PhaseTimes();
  const onEvent = (event: RunEvent): void => {
    page?.note(event);
    if (event.kind === 'phase') phases.begin(event.text);
    if (event.kind === 'phase' || event.kind === 'progress') {
      if (!options.quiet) progress.show(event.text);
      return;
    }
    if (event.kind === 'output' && event.isShown) return;
    progress.clear();
    if (event.kind === 'output') {
      const stream = options.json ? 'stderr' : event.stream;
      io[stream].write(event.bytes);
    } else if (!options.quiet) {
      printDiagnostics([event.diagnostic], terminalOf(io, 'stderr'));
    }
  };
  const report = await engine({ signal, onEvent });
  progress.clear();

  if (options.json) {
    io.stdout.write(renderJson(report));
  } else {
    const terminal = { ...terminalOf(io, 'stdout'), showsLibrary: options.verbose === true };
    const text = [
      ...report.findings.map(finding =>
        format === 'gcc' ? renderGcc(finding) : `${renderFinding(finding, terminal)}\n`,
      ),
      ...(options.quiet ? [] : [`${verdictLine(report)}${verdictNotes(report)}`]),
      // The exit code 3 alone does not say which limit was reached.
      ...(options.quiet && report.verdict === 'inconclusive' ? [verdictLine(report)] : []),
      ...(options.verbose ? [statsLine(report.stats), phases.line()] : []),
    ].join('');
    terminal.output.write(
      'leavesLineOpen' in report && report.leavesLineOpen && text !== '' ? `\n${text}` : text,
    );
  }
  if (outDir !== undefined) writeTo(`${outDir}/report.json`, renderJson(report), outDir);
  if (sarif !== undefined) {
    const explainPage = (code: FindingCode): string => explain(code).markdown;
    writeTo(
      sarif,
      renderSarif(report, { readSource: sourceReader(io), version: version(), explain: explainPage }),
    );
  }
  await page?.write(report);
  return exitCodeOf(report.verdict);
}

/** Writes the page of `--html`. Its modules are loaded only for that option. */
export async function htmlReportFor(
  { html }: Given<typeof page>,
  io: Invocation['io'],
): Promise<HtmlReport | undefined> {
  if (html === undefined) return undefined;
  const { HtmlReport } = await import('./html-report.js');
  return new HtmlReport(html, io);
}

/** Prints the findings and the verdict. */
function verdictLine(report: RunReport): string {
  const { command, verdict, findings, summary } = report;
  const program = 'program' in report ? report.program : undefined;
  const found = {
    clean: 'nothing found',
    findings: plural(findings.length, 'finding'),
    inconclusive: 'inconclusive',
  }[verdict];
  const parts = [found, summary, program && outcome(program, command)].filter(part => part !== undefined);
  return printable(`redzone ${command}: ${parts.join('; ')}\n`);
}

/** Prints notes and the suggested next command. */
function verdictNotes(report: RunReport): string {
  const { findings, next } = report;
  const { left = undefined, chosen = undefined } = report.command === 'explore' ? report : {};
  const codes = [...new Set(findings.map(finding => finding.code))];
  const helps = [
    ...codes
      .filter(isFindingCode)
      .map(code => `\`redzone explain ${code}\` says what it means and how to fix it`),
    ...(next === undefined ? [] : [next]),
  ];
  const notes = [
    ...(left === undefined ? [] : [`note: paths were abandoned ${placesInWords(left)}\n`]),
    ...(chosen === undefined ? [] : [`note: values were concretized ${placesInWords(chosen)}\n`]),
  ].join('');
  return printable(`${notes}${helps.map(help => `help: ${help}\n`).join('')}`);
}

/** Lines beyond this number are only counted. */
const shownPlaces = 3;

function placesInWords(all: readonly LeftPaths[]): string {
  const places = all.slice(0, shownPlaces).map(({ location: { file, line, function: name }, paths }) => {
    const count = all.length === 1 ? '' : ` (${paths})`;
    return `at ${file}:${line}${name === undefined ? '' : ` in \`${name}\``}${count}`;
  });
  const others = all.length - places.length;
  return [...places, ...(others === 0 ? [] : [`and at ${plural(others, 'other line')}`])].join(', ');
}

/** The details of `-v`: times and counters. */
export function statsLine(stats: RunStats): string {
  const { wallMs, compileMs, runMs, solverMs, instructions, queries, allocations, maxRssBytes } = stats;
  const time = (name: string, ms: number | undefined) =>
    ms === undefined ? [] : [`${name} ${ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`}`];
  const counted = (count: number | undefined, one: string, many = `${one}s`) =>
    count === undefined ? [] : [`${count} ${count === 1 ? one : many}`];
  const parts = [
    ...time('compiling', compileMs),
    ...time('running', runMs),
    ...time('of which solver', solverMs),
    ...time('in all', wallMs),
    ...counted(instructions, 'instruction'),
    ...counted(queries, 'query', 'queries'),
    ...counted(allocations, 'allocation'),
    ...(maxRssBytes === undefined ? [] : [`${Math.round(maxRssBytes / 1e6)} MB of memory`]),
  ];
  return parts.length === 0 ? '' : `stats: ${parts.join(', ')}\n`;
}

function outcome({ exit, signal }: ProgramOutcome, command: RunReport['command']): string {
  const who = command === 'run' ? 'the command' : 'the program';
  return signal === null ? `${who} exited with status ${exit}` : `${who} was ended by ${signal}`;
}
