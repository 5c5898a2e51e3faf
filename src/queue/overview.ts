/** The contents of a queue: its runs, its workers, and their jobs. */
import { inputError } from '../findings/diagnostic.js';
import type { QueueConnection } from './connection.js';
import { JOBS_CHANNEL, prepareTables, RUN_LOCK, runChannel, WORKER_LOCK } from './tables.js';

export type RunState =
  | 'running'
  /** The process that led the run was killed. */
  | 'interrupted'
  /** Stopped by a limit or by the user. */
  | 'stopped'
  | 'cancelled'
  | 'done';

export interface ListedRun {
  readonly name: string;
  readonly state: RunState;
  /** Machine and process id. */
  readonly leader: string;
  readonly version: string;
  readonly seconds: number;
  readonly paths: number;
  /** The current speed. */
  readonly pathsPerSecond: number;
  readonly states: number;
  readonly findings: number;
  readonly jobs: { readonly waiting: number; readonly underWay: number; readonly done: number };
}

export interface ListedWorker {
  /** Machine and process id. */
  readonly place: string;
  readonly version: string;
  readonly threads: number;
  readonly seconds: number;
  /** Jobs done so far. */
  readonly jobs: number;
  readonly paths: number;
  readonly worksOn: readonly { readonly run: string; readonly seconds: number }[];
}

export interface QueueOverview {
  readonly runs: readonly ListedRun[];
  readonly workers: readonly ListedWorker[];
}

type Numbers<Row, Names extends keyof Row> = Omit<Row, Names> & Readonly<Record<Names, string>>;

export async function overviewOf({ query, name }: QueueConnection): Promise<QueueOverview> {
  await prepareTables(query, name);
  type RunRow = Numbers<Omit<ListedRun, 'jobs'>, 'paths' | 'states'> &
    Readonly<Record<'waiting' | 'underWay' | 'done', string>>;
  const runs = await query<RunRow>(
    `WITH alive AS (SELECT DISTINCT class, id FROM redzone.alive)
     SELECT r.name, r.leader, r.version, r.paths, r.speed AS "pathsPerSecond", r.states, r.findings,
       CASE WHEN r.state = 'running' AND l.id IS NULL THEN 'interrupted' ELSE r.state END AS state,
       extract(epoch FROM CASE WHEN r.state = 'running' AND l.id IS NOT NULL
         THEN now() ELSE r.told END - r.begun)::float8 AS seconds,
       count(j.id) FILTER (WHERE w.id IS NULL AND j.result IS NULL) AS waiting,
       count(w.id) AS "underWay",
       count(j.id) FILTER (WHERE j.result IS NOT NULL) AS done
     FROM redzone.runs r
       LEFT JOIN alive l ON l.class = $1 AND l.id = r.id
       LEFT JOIN redzone.jobs j ON j.run = r.id
       LEFT JOIN alive w ON w.class = $2 AND w.id = j.owner
     GROUP BY r.id, l.id ORDER BY r.id`,
    [RUN_LOCK, WORKER_LOCK],
  );
  type WorkerRow = Numbers<ListedWorker, 'jobs' | 'paths'>;
  const workers = await query<WorkerRow>(
    `SELECT w.place, w.version, w.threads, w.jobs, w.paths,
       extract(epoch FROM now() - w.begun)::float8 AS seconds,
       coalesce((SELECT json_agg(json_build_object('run', r.name,
           'seconds', extract(epoch FROM now() - j.since)::float8) ORDER BY j.id)
         FROM redzone.jobs j JOIN redzone.runs r ON r.id = j.run WHERE j.owner = w.id), '[]') AS "worksOn"
     FROM redzone.workers w
     WHERE EXISTS (SELECT FROM redzone.alive a WHERE a.class = $1 AND a.id = w.id) ORDER BY w.id`,
    [WORKER_LOCK],
  );
  return {
    runs: runs.map(({ waiting, underWay, done, paths, states, ...run }) => ({
      ...run,
      paths: Number(paths),
      states: Number(states),
      jobs: { waiting: Number(waiting), underWay: Number(underWay), done: Number(done) },
    })),
    workers: workers.map(worker => ({ ...worker, jobs: Number(worker.jobs), paths: Number(worker.paths) })),
  };
}

/**
 * Stops a run that a process leads, or removes an abandoned run from the queue. Throws InputError
 * if there is no run of this name.
 */
export async function cancelRun(
  { query, name: queue }: QueueConnection,
  name: string,
): Promise<'cancelled' | 'removed'> {
  await prepareTables(query, queue);
  const [run] = await query<{ id: number; led: boolean }>(
    `SELECT id, EXISTS (SELECT FROM redzone.alive a WHERE a.class = $2 AND a.id = r.id) AS led
     FROM redzone.runs r WHERE name = $1`,
    [name, RUN_LOCK],
  );
  if (run === undefined)
    throw inputError(
      `the queue at ${queue} has no run '${name}'`,
      '`redzone status` without `--cancel` lists the runs',
    );
  const { id, led } = run;
  if (led) {
    await query("UPDATE redzone.runs SET state = 'cancelled' WHERE id = $1", [id]);
    await query("SELECT pg_notify($1, '')", [runChannel(id)]);
    return 'cancelled';
  }
  await query('DELETE FROM redzone.runs WHERE id = $1', [id]);
  await query(
    'DELETE FROM redzone.programs p WHERE NOT EXISTS (SELECT FROM redzone.runs r WHERE r.program = p.hash)',
  );
  await query("SELECT pg_notify($1, '')", [JOBS_CHANNEL]);
  return 'removed';
}
