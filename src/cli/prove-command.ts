/** `redzone prove MODEL` */

import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import {
  type ProofResult,
  type ProofStep,
  type ProveModel,
  type ProveReport,
  prove,
  renderJson,
} from '../index.js';
import type { proveOptions, proveOutput } from '../options/prove-options.js';
import type { Given } from '../options/schema.js';
import type { shown } from '../options/shared.js';
import { exitCodeOf } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { wantsColor } from './io.js';
import { readSource } from './print.js';
import { ProgressLine } from './progress.js';
import { htmlReportFor } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run(invocation: Invocation<typeof proveOptions, typeof proveOutput>): Promise<number> {
  const { operands, options, output, io, signal } = invocation;
  const [name, ...rest] = operands;
  if (name === undefined)
    throw new UsageError('no model given', 'name a file .mcmt or .sal, or a model such as lfht');
  if (rest.length > 0) throw new UsageError('one model at a time');
  const page = await htmlReportFor(output, io);
  const progress = new ProgressLine(io.stderr);
  const report = await prove(
    { ...options, model: await modelOf(name, invocation) },
    {
      signal,
      onEvent: event => {
        page?.note(event);
        if (!output.quiet && (event.kind === 'phase' || event.kind === 'progress')) progress.show(event.text);
      },
    },
  );
  progress.clear();
  if (output.json) io.stdout.write(renderJson(report));
  else {
    const colors = picocolors.createColors(wantsColor(io.stdout, io));
    io.stdout.write(text(report, colors, output));
  }
  await page?.write(report);
  return exitCodeOf(report.verdict);
}

/** Reads a model's file. The library finds the models that come with Redzone by name. */
async function modelOf(name: string, { io, signal }: Pick<Invocation, 'io' | 'signal'>): Promise<ProveModel> {
  if (name === '-') return { file: '-', text: await io.readStdin(signal) };
  if (!/\.(mcmt|sal)$/.test(name)) return name;
  const content = readSource(name);
  if (content === undefined) throw new UsageError(`'${name}' cannot be read`);
  return { file: name, text: content };
}

function text(report: ProveReport, colors: Colors, { quiet, verbose }: Given<typeof shown>): string {
  const lines = report.results
    .filter(({ status }) => !quiet || status !== 'proved')
    .flatMap(result => resultLines(result, colors, verbose === true));
  const vacuous = report.results.filter(result => result.vacuous);
  const notes = [
    ...vacuous.map(({ property }) => `note: the premise of ${property} never holds`),
    ...(report.neverFires ?? []).map(command => `note: the guard of '${command}' never holds`),
  ];
  if (quiet) return lines.map(line => `${line}\n`).join('');
  const seconds = (report.stats.wallMs / 1000).toFixed(1);
  return [...lines, ...notes, `redzone prove: ${report.summary}; ${seconds} s`]
    .map(line => `${line}\n`)
    .join('');
}

function resultLines(result: ProofResult, colors: Colors, isVerbose: boolean): string[] {
  const { property, status, engine, depth, lemmas = [], reason, certificate, system } = result;
  const paint = { proved: colors.green, refuted: colors.red, unknown: colors.yellow }[status];
  const about = {
    proved: `${engine}, depth ${depth}${lemmas.length === 0 ? '' : `, with ${lemmas.join(', ')}`}`,
    refuted: `${engine}, after ${depth} steps`,
    unknown: reason ?? '',
  }[status];
  const name = system === undefined ? property : `${system}: ${property}`;
  const described = result.text === undefined ? '' : `: ${result.text}`;
  return [
    `${paint(status.padEnd(7))}  ${colors.bold(name)}${described} (${about})`,
    ...(isVerbose && certificate !== undefined ? [`         certificate: ${certificate}`] : []),
    ...(status === 'refuted' ? traceLines(result.trace ?? [], isVerbose) : []),
  ];
}

/** The number of steps shown at the beginning and at the end of a long trace. */
const shownSteps = 12;

/** Each step with the variables that it changed. */
function traceLines(steps: readonly ProofStep[], isWhole: boolean): string[] {
  const lines = steps.map(({ command, state }, i) => {
    const before = steps[i - 1]?.state;
    const changed = Object.entries(state)
      .filter(([name, value]) => before === undefined || before[name] !== value)
      .map(([name, value]) => `${name} = ${value}`);
    return `  ${`${i}`.padStart(4)}  ${(command ?? 'start').padEnd(14)}  ${changed.join(', ')}`;
  });
  if (isWhole || lines.length <= 2 * shownSteps + 1) return lines;
  const left = lines.length - 2 * shownSteps;
  return [
    ...lines.slice(0, shownSteps),
    `        ... ${left} more steps; -v shows them`,
    ...lines.slice(-shownSteps),
  ];
}
