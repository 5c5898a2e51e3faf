/**
 * The queue from the view of the process that leads a run: it sends jobs, receives their results
 * and publishes its progress.
 *
 * Jobs are identified by keys, which are the same for equal tasks. So a process that takes over a
 * run after its leader was killed finds the existing jobs, with or without results.
 */
import { inputError } from '../findings/diagnostic.js';
import type { QueueConnection } from './connection.js';
import { JOBS_CHANNEL, prepareTables, RUN_LOCK, runChannel, WORKER_LOCK } from './tables.js';

export interface RunDescription {
  readonly name: string;
  /** Workers of other versions skip the run. */
  readonly version: string;
  /** The leader: machine and process id. */
  readonly leader: string;
  readonly program: { readonly hash: string; readonly bytes: () => Uint8Array };
}

export interface RunCounts {
  readonly paths: number;
  /** Current paths per second. */
  readonly speed: number;
  readonly states: number;
  readonly findings: number;
}

export interface LeaderEvents {
  /** Called when jobs are done. */
  readonly onDone: (keys: readonly string[]) => void;
  readonly onTrouble: (message: string) => void;
}

/** The state of the run as the leader sees it. */
export interface RunView {
  readonly isCancelled: boolean;
  /** The number of live workers of this version. */
  readonly workers: number;
  /** A job that no worker can do, and the reason. */
  readonly hopeless: { readonly kind: 'memory' | 'deaths' | 'defect'; readonly why: string } | undefined;
}

/**
 * A job that this many workers refused for lack of memory, or died of, is not offered again; nor is
 * one that all workers refused.
 */
const mostRefusals = 3;
const mostDeaths = 20;

/** The server may keep a lost connection open; its lock is waited for this long. */
const lockMs = 40_000;

/** Stops the workers of the jobs in `dropped`. */
const TELL_STOPPED = `SELECT pg_notify('${JOBS_CHANNEL}', id || ' 0 0') FROM dropped WHERE owner IS NOT NULL`;

export class QueuedRun {
  readonly #connection: QueueConnection;
  readonly #run: RunDescription;
  readonly #events: LeaderEvents;
  #id = 0;
  #isLed = false;

  private constructor(connection: QueueConnection, run: RunDescription, events: LeaderEvents) {
    this.#connection = connection;
    this.#run = run;
    this.#events = events;
  }

  /** Throws InputError if another process leads the run, or the tables are of another version. */
  static async lead(
    connection: QueueConnection,
    description: RunDescription,
    isResumed: boolean,
    events: LeaderEvents,
  ): Promise<QueuedRun> {
    const run = new QueuedRun(connection, description, events);
    await prepareTables(connection.query, connection.name);
    await run.#sendProgram();
    const { name, version, leader, program } = description;
    const [row] = await connection.query<{ id: number; led: boolean; leader: string }>(
      `WITH made AS (
         INSERT INTO redzone.runs (name, version, program, leader, state) VALUES ($1, $2, $3, $4, 'running')
         ON CONFLICT DO NOTHING RETURNING id)
       SELECT id, false AS led, '' AS leader FROM made UNION ALL
       SELECT id, EXISTS (SELECT FROM redzone.alive a WHERE a.class = $5 AND a.id = r.id), leader
       FROM redzone.runs r WHERE name = $1`,
      [name, version, program.hash, leader, RUN_LOCK],
    );
    if (row!.led)
      throw inputError(
        `run '${name}' of the queue is led by ${row!.leader}`,
        '`--run NAME` chooses another name for this one; `redzone status` shows all of them',
      );
    run.#id = row!.id;
    await connection.query(
      `UPDATE redzone.runs SET version = $2, program = $3, leader = $4, state = 'running',
       begun = CASE WHEN $5 THEN begun ELSE now() END, told = now() WHERE id = $1`,
      [run.#id, version, program.hash, leader, isResumed],
    );
    if (!isResumed) await connection.query('DELETE FROM redzone.jobs WHERE run = $1', [run.#id]);
    await connection.use({
      channels: () => [runChannel(run.#id)],
      onConnect: query => run.#take(query),
      onNews: (_, key) => events.onDone(key === '' ? [] : [key]),
      onTrouble: events.onTrouble,
    });
    return run;
  }

  async #sendProgram(): Promise<void> {
    const { hash, bytes } = this.#run.program;
    const { query } = this.#connection;
    if ((await query('SELECT FROM redzone.programs WHERE hash = $1', [hash])).length > 0) return;
    await query('INSERT INTO redzone.programs VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      hash,
      Buffer.from(bytes()),
    ]);
  }

  /** Runs on each new connection. */
  async #take(query: QueueConnection['query']): Promise<void> {
    const since = performance.now();
    for (;;) {
      const [row] = await query<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [
        RUN_LOCK,
        this.#id,
      ]);
      if (row!.got) break;
      if (!this.#isLed || performance.now() - since > lockMs)
        throw inputError(`run '${this.#run.name}' of the queue is led by another process`);
      await new Promise(resolve => setTimeout(resolve, 500));
    }
    this.#isLed = true;
    this.#events.onDone(await this.#doneKeys(query));
  }

  async #doneKeys(query: QueueConnection['query']): Promise<string[]> {
    const rows = await query<{ key: string }>(
      'SELECT key FROM redzone.jobs WHERE run = $1 AND result IS NOT NULL',
      [this.#id],
    );
    return rows.map(({ key }) => key);
  }

  /** Sends jobs; existing ones are not sent again. */
  async send(jobs: readonly { readonly key: string; readonly task: Uint8Array }[]): Promise<void> {
    // The notification is in a row that always exists: a join with the keys would leave it out if
    // there are none.
    const [row] = await this.#connection.query<{ done: string[] }>(
      `WITH sent AS (
         INSERT INTO redzone.jobs (run, key, task)
         SELECT $1, key, task FROM unnest($2::text[], $3::bytea[]) WITH ORDINALITY AS new (key, task, place)
         ORDER BY place ON CONFLICT DO NOTHING RETURNING 1)
       SELECT CASE WHEN EXISTS (SELECT FROM sent) THEN pg_notify('${JOBS_CHANNEL}', '')::text END AS told,
         ARRAY(SELECT key FROM redzone.jobs WHERE run = $1 AND key = ANY($2) AND result IS NOT NULL) AS done`,
      [this.#id, jobs.map(({ key }) => key), jobs.map(({ task }) => Buffer.from(task))],
    );
    if (row!.done.length > 0) this.#events.onDone(row!.done);
  }

  /** Undefined if the job no longer exists. */
  async result(key: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#connection.query<{ result: Uint8Array }>(
      'SELECT result FROM redzone.jobs WHERE run = $1 AND key = $2 AND result IS NOT NULL',
      [this.#id, key],
    );
    return row?.result;
  }

  /** Stores bytes under a key, as the result of a job that no worker does. */
  async keep(key: string, bytes: Uint8Array): Promise<void> {
    await this.#connection.query(
      `INSERT INTO redzone.jobs (run, key, task, result) VALUES ($1, $2, '', $3) ON CONFLICT DO NOTHING`,
      [this.#id, key, Buffer.from(bytes)],
    );
  }

  /** Deletes results that are no longer needed to resume this run. */
  async forget(keys: readonly string[]): Promise<void> {
    await this.#connection.query('DELETE FROM redzone.jobs WHERE run = $1 AND key = ANY($2)', [
      this.#id,
      keys,
    ]);
  }

  /** Deletes jobs whose results are no longer needed, and stops those that are being done. */
  async drop(keys: readonly string[]): Promise<void> {
    await this.#connection.query(
      `WITH dropped AS (DELETE FROM redzone.jobs WHERE run = $1 AND key = ANY($2) RETURNING id, owner)
       ${TELL_STOPPED}`,
      [this.#id, keys],
    );
  }

  /** Lowers the bound of a job that is being done. */
  async tellBound(key: string, paths: number, instructions: number): Promise<void> {
    await this.#connection.query(
      `SELECT pg_notify('${JOBS_CHANNEL}', id || ' ' || $3::bigint || ' ' || $4::bigint) FROM redzone.jobs
       WHERE run = $1 AND key = $2 AND owner IS NOT NULL AND result IS NULL`,
      [this.#id, key, paths, instructions],
    );
  }

  /** Publishes the progress of the run, and releases the jobs of dead workers. */
  async look({ paths, speed, states, findings }: RunCounts): Promise<RunView> {
    const { query } = this.#connection;
    await query(
      `WITH freed AS (
         UPDATE redzone.jobs SET owner = NULL WHERE run = $1 AND owner IS NOT NULL
         AND NOT EXISTS (SELECT FROM redzone.alive a WHERE a.class = ${WORKER_LOCK} AND a.id = owner) RETURNING 1)
       SELECT pg_notify('${JOBS_CHANNEL}', '') WHERE EXISTS (SELECT FROM freed)`,
      [this.#id],
    );
    const [row] = await query<{ state: string; workers: string }>(
      `UPDATE redzone.runs SET told = now(), paths = $2, speed = $3, states = $4, findings = $5 WHERE id = $1
       RETURNING state, (SELECT count(*) FROM redzone.workers w JOIN redzone.alive a
         ON a.class = ${WORKER_LOCK} AND a.id = w.id WHERE w.version = $6) AS workers`,
      [this.#id, paths, speed, states, findings, this.#run.version],
    );
    const workers = Number(row?.workers ?? 0);
    return {
      isCancelled: row?.state !== 'running',
      workers,
      hopeless: await this.#hopeless(),
    };
  }

  async #hopeless(): Promise<RunView['hopeless']> {
    const [job] = await this.#connection.query<{ problem: string | null; refusals: number }>(
      `SELECT problem, cardinality(refused_by) AS refusals FROM redzone.jobs
       WHERE run = $1 AND owner IS NULL AND result IS NULL
       AND (problem IS NOT NULL OR cardinality(refused_by) >= $2 OR tries - cardinality(refused_by) >= $3
         OR cardinality(refused_by) > 0 AND NOT EXISTS (
           SELECT FROM redzone.workers w JOIN redzone.alive a ON a.class = ${WORKER_LOCK} AND a.id = w.id
           WHERE w.version = $4 AND NOT w.id = ANY(refused_by)))
       LIMIT 1`,
      [this.#id, mostRefusals, mostDeaths, this.#run.version],
    );
    if (job === undefined) return undefined;
    if (job.problem !== null) return { kind: 'defect', why: job.problem };
    return job.refusals > 0
      ? { kind: 'memory', why: 'no worker has enough memory for a task' }
      : { kind: 'deaths', why: `${mostDeaths} workers have died while they processed a task` };
  }

  /**
   * Ends the run. Unfinished jobs are removed; finished ones stay for a process that resumes the
   * run.
   */
  async end(state: 'done' | 'stopped', { paths, states, findings }: RunCounts): Promise<void> {
    const rest = state === 'done' ? '' : 'AND result IS NULL';
    const { query } = this.#connection;
    await query(
      `WITH dropped AS (DELETE FROM redzone.jobs WHERE run = $1 ${rest} RETURNING id, owner) ${TELL_STOPPED}`,
      [this.#id],
    );
    await query(
      `UPDATE redzone.runs SET told = now(), speed = 0, paths = $3, states = $4, findings = $5,
       state = CASE state WHEN 'running' THEN $2 ELSE state END WHERE id = $1`,
      [this.#id, state, paths, states, findings],
    );
  }
}
