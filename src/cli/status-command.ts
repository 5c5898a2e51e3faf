/** `redzone status --queue URL` */
import { type ListedRun, type ListedWorker, type StatusReport, status } from '../index.js';
import type { statusOptions, statusOutput } from '../options/queue-options.js';
import { inThousands, plural } from '../support/plural.js';
import { printable } from '../support/printable.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printJson } from './print.js';
import { tableOf } from './text-table.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  options,
  output,
  io,
}: Invocation<typeof statusOptions, typeof statusOutput>): Promise<number> {
  if (operands.length > 0) throw new UsageError('status takes no files', '`--queue URL` names the queue');
  const { json } = output;
  const report = await status(options);
  if (json) printJson(io, report);
  else io.stdout.write(printable(textOf(report, options.cancel)));
  return exitCodes.clean;
}

function textOf({ runs, workers, cancelled }: StatusReport, name: string | undefined): string {
  const done = cancelled === 'removed' ? 'is removed from the queue' : 'is being stopped';
  const head = [
    ...['run', 'state', 'time', 'paths', 'paths/s', 'states', 'findings'],
    ...['tasks waiting', 'under way', 'done'],
  ];
  return [
    ...(cancelled === undefined ? [] : [`run '${name}' ${done}\n\n`]),
    runs.length === 0 ? 'no runs\n' : tableOf([head, ...runs.map(runRow)]),
    '\n',
    workers.length === 0
      ? 'no workers\n'
      : tableOf([['worker', 'threads', 'time', 'tasks', 'paths', 'works on'], ...workers.map(workerRow)]),
    ...versionsOf(runs, workers).map(line => `${line}\n`),
  ].join('');
}

function runRow({
  name,
  state,
  seconds,
  paths,
  pathsPerSecond,
  states,
  findings,
  jobs,
}: ListedRun): string[] {
  const { waiting, underWay, done } = jobs;
  return [
    name,
    state,
    timeOf(seconds),
    inThousands(paths),
    state === 'running' ? inThousands(Math.round(pathsPerSecond)) : '',
    inThousands(states),
    String(findings),
    ...[waiting, underWay, done].map(String),
  ];
}

function workerRow({ place, threads, seconds, jobs, paths, worksOn }: ListedWorker): string[] {
  const runs = [...new Set(worksOn.map(({ run: name }) => name))].map(name => {
    const own = worksOn.filter(({ run: other }) => other === name);
    const longest = Math.max(...own.map(job => job.seconds));
    return `${plural(own.length, 'task')} of ${name} (${timeOf(longest)})`;
  });
  return [
    place,
    String(threads),
    timeOf(seconds),
    inThousands(jobs),
    inThousands(paths),
    runs.join(', ') || 'nothing',
  ];
}

/** Runs that no connected worker can work on. */
function versionsOf(runs: readonly ListedRun[], workers: readonly ListedWorker[]): string[] {
  return runs
    .filter(({ state, version }) => state === 'running' && !workers.some(other => other.version === version))
    .map(({ name, version }) => `note: run '${name}' needs workers of Redzone ${version}`);
}

const minute = 60;
const hour = 60 * minute;

function timeOf(seconds: number): string {
  if (seconds < minute) return `${Math.max(0, Math.round(seconds))} s`;
  return seconds < hour ? `${Math.floor(seconds / minute)} min` : `${(seconds / hour).toFixed(1)} h`;
}
