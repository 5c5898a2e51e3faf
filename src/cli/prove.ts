/** `redzone prove MODEL` */

import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';
import {
  type ProofResult,
  type ProveModel,
  type ProveOptions,
  prove,
  type RunReport,
  renderJson,
} from '../index.js';
import { UsageError } from './arguments.js';
import { exitCodeOf } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { wantsColor } from './io.js';
import type { ParsedOptions } from './option-table.js';
import { readSource } from './print.js';
import { ProgressLine } from './progress.js';

export async function run(invocation: Invocation): Promise<number> {
  const { operands, options, io, signal } = invocation;
  const [name, ...rest] = operands;
  if (name === undefined)
    throw new UsageError('no model given', 'name a file .mcmt or .sal, or a model such as lfht');
  if (rest.length > 0) throw new UsageError('one model at a time');
  const progress = new ProgressLine(io.stderr);
  const report = await prove(requestOf(await modelOf(name, invocation), options), {
    signal,
    onEvent: event => {
      if (!options.quiet && (event.kind === 'phase' || event.kind === 'progress')) progress.show(event.text);
    },
  });
  progress.clear();
  if (options.json) io.stdout.write(renderJson(report));
  else {
    const colors = picocolors.createColors(wantsColor(io.stdout, io.env, options.color));
    io.stdout.write(text(report, colors, options));
  }
  return exitCodeOf(report.verdict);
}

async function modelOf(name: string, { options, io, signal }: Invocation): Promise<ProveModel> {
  if (name === 'hashtable') return codeOf(options);
  const isFile = /\.(mcmt|sal)$/.test(name);
  if (name === '-' || isFile) {
    const other = BUILT_IN_ONLY.find(([, key]) => options[key] !== undefined);
    if (other !== undefined) throw new UsageError(`${other[0]} is for models that come with Redzone`);
  }
  if (name === '-') return { kind: 'file', file: '-', text: await io.readStdin(signal) };
  if (isFile) {
    const content = readSource(name);
    if (content === undefined) throw new UsageError(`'${name}' cannot be read`);
    return { kind: 'file', file: name, text: content };
  }
  const lfht = {
    ...(options.tax !== undefined && { tax: options.tax }),
    ...(options.tables !== undefined && { tables: options.tables }),
    ...(options.firstSize !== undefined && { firstSize: options.firstSize }),
    ...(options.variant !== undefined && { variant: options.variant }),
    ...(options.threshold !== undefined && { threshold: thresholdOf(options.threshold) }),
  };
  for (const [option, value] of [
    ['--tax', options.tax],
    ['--tables', options.tables],
    ['--first-size', options.firstSize],
  ] as const)
    if (value === 0) throw new UsageError(`${option} needs at least 1`);
  return {
    kind: 'built-in',
    name,
    ...(options.threads !== undefined && { threads: threadsOf(options.threads) }),
    ...(options.named && { named: true }),
    lfht,
  };
}

/** A file says itself what these would say. */
const BUILT_IN_ONLY: readonly (readonly [string, keyof ParsedOptions])[] = [
  ['--threads', 'threads'],
  ['--named', 'named'],
  ['--tax', 'tax'],
  ['--tables', 'tables'],
  ['--threshold', 'threshold'],
  ['--first-size', 'firstSize'],
  ['--variant', 'variant'],
  ['--ops', 'operations'],
  ['--entries', 'entriesBefore'],
];

/** The hash table that ships. */
function codeOf(options: ParsedOptions): ProveModel {
  const threads = threadsOf(options.threads ?? '2');
  if (typeof threads !== 'number' || threads > 4)
    throw new UsageError(
      '--threads of hashtable needs a number up to 4',
      'the code is run in all interleavings',
    );
  const { firstSize } = options;
  if (firstSize !== undefined && (firstSize < 2 || firstSize > 64 || !Number.isInteger(Math.log2(firstSize))))
    throw new UsageError('--first-size of hashtable needs a power of two from 2 to 64');
  return {
    kind: 'code',
    threads,
    operations: options.operations ?? 'add find',
    ...(options.entriesBefore !== undefined && { entries: options.entriesBefore }),
    ...(firstSize !== undefined && { capacity: firstSize }),
    ...(options.tax !== undefined && { tax: options.tax }),
  };
}

function requestOf(model: ProveModel, options: ParsedOptions): ProveOptions {
  return {
    model,
    engine: options.engine ?? 'auto',
    ...(options.properties !== undefined && { properties: options.properties }),
    ...(options.maxTimeMs !== undefined && { maxTimeMs: options.maxTimeMs }),
    ...(options.runLength !== undefined && { maxDepth: options.runLength }),
    ...(options.visitedStates !== undefined && { maxStates: options.visitedStates }),
  };
}

function threadsOf(given: string): number | { from: number; to?: number } {
  if (given === 'any') return { from: 1 };
  const range = /^([1-9]\d{0,3})(?:-([1-9]\d{0,3}))?$/.exec(given);
  if (range === null)
    throw new UsageError(
      `--threads needs a number from 1 to 9999, a range such as 1-8, or any, not '${given}'`,
    );
  const from = Number(range[1]);
  return range[2] === undefined ? from : { from, to: Number(range[2]) };
}

function thresholdOf(given: string): { numerator: number; denominator: number } {
  const fraction = /^(\d{1,6})\/([1-9]\d{0,5})$/.exec(given);
  if (fraction !== null) return { numerator: Number(fraction[1]), denominator: Number(fraction[2]) };
  const decimal = /^(\d*)\.(\d{1,6})$/.exec(given);
  if (decimal === null) throw new UsageError(`--threshold needs a part such as 0.6 or 3/5, not '${given}'`);
  const denominator = 10 ** decimal[2]!.length;
  return { numerator: Number(`${decimal[1]}${decimal[2]}`), denominator };
}

function text(report: RunReport, colors: Colors, { quiet, verbose }: ParsedOptions): string {
  const lines = (report.results ?? [])
    .filter(({ status }) => !quiet || status !== 'proved')
    .flatMap(result => resultLines(result, colors, verbose === true));
  const vacuous = (report.results ?? []).filter(result => result.vacuous);
  const notes = [
    ...vacuous.map(({ property }) => `note: what ${property} assumes never happens`),
    ...(report.neverFires ?? []).map(command => `note: the guard of '${command}' never holds`),
  ];
  if (quiet) return lines.map(line => `${line}\n`).join('');
  const seconds = ((report.stats.wallMs ?? 0) / 1000).toFixed(1);
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

interface Step {
  readonly command?: string;
  readonly state: Readonly<Record<string, string>>;
}

/** How many steps are shown at the beginning and at the end of a long trace. */
const shownSteps = 12;

/** Each step with the variables that it changed. */
function traceLines(trace: readonly unknown[], isWhole: boolean): string[] {
  const steps = trace as readonly Step[];
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
