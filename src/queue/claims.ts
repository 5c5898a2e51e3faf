/**
 * The queue from the view of a worker: it claims free jobs and stores their results.
 *
 * Jobs are taken from the run with the fewest claimed jobs, so that no run waits for the end of
 * another. The leader of a run releases the jobs of workers that have died (`leader.ts`).
 */
import type { Query, QueueConnection } from './connection.js';
import { JOBS_CHANNEL, prepareTables, WORKER_LOCK } from './tables.js';

export interface WorkerDescription {
  /** Machine and process id. */
  readonly place: string;
  readonly version: string;
  readonly threads: number;
}

export interface Job {
  readonly id: string;
  readonly run: string;
  readonly program: string;
  readonly task: Uint8Array;
}

export interface WorkerEvents {
  /** Called when there may be new jobs. */
  readonly onNews: () => void;
  /** Called when less of a job can count: `0` means that the job was dropped. */
  readonly onBound?: (job: string, paths: number, instructions: number) => void;
  readonly onTrouble: (message: string) => void;
}

export class Claims {
  readonly #connection: QueueConnection;
  readonly #worker: WorkerDescription;
  /** The numbers of the jobs that this worker has claimed. */
  readonly #taken = new Set<string>();
  #id = 0;
  #done = { jobs: 0, paths: 0 };

  private constructor(connection: QueueConnection, worker: WorkerDescription) {
    this.#connection = connection;
    this.#worker = worker;
  }

  /** Throws InputError if the tables have another version. */
  static async begin(
    connection: QueueConnection,
    worker: WorkerDescription,
    { onNews, onBound, onTrouble }: WorkerEvents,
  ): Promise<Claims> {
    const claims = new Claims(connection, worker);
    await prepareTables(connection.query, connection.name);
    const [row] = await connection.query<{ id: number }>(
      "SELECT nextval('redzone.worker_numbers')::int AS id",
    );
    claims.#id = row!.id;
    await connection.use({
      channels: () => [JOBS_CHANNEL],
      onConnect: async query => {
        await claims.#enter(query);
        onNews();
      },
      onNews: (_, text) => {
        const [job, paths, instructions] = text.split(' ');
        if (instructions === undefined) onNews();
        else onBound?.(job!, Number(paths), Number(instructions));
      },
      onTrouble,
    });
    return claims;
  }

  /**
   * Runs on each new connection. The lock is shared, because the lost connection may still hold it.
   */
  async #enter(query: Query): Promise<void> {
    const { place, version, threads } = this.#worker;
    // A server that crashes may forget the last jobs and results, which are then done again. What
    // it keeps is consistent, and no statement waits for its disk.
    await query('SET synchronous_commit = off');
    await query('SELECT pg_advisory_lock_shared($1, $2)', [WORKER_LOCK, this.#id]);
    await query(
      `INSERT INTO redzone.workers (id, place, version, threads, jobs, paths) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO NOTHING`,
      [this.#id, place, version, threads, this.#done.jobs, this.#done.paths],
    );
    await query(
      `DELETE FROM redzone.workers w
       WHERE NOT EXISTS (SELECT FROM redzone.alive a WHERE a.class = $1 AND a.id = w.id)
       AND id <> $2`,
      [WORKER_LOCK, this.#id],
    );
    // Releases a claim whose confirmation was lost.
    await query('UPDATE redzone.jobs SET owner = NULL WHERE owner = $1 AND NOT id = ANY($2::bigint[])', [
      this.#id,
      [...this.#taken],
    ]);
  }

  /** Claims up to `most` jobs. */
  async take(most: number): Promise<Job[]> {
    const jobs = await this.#connection.query<Job>(
      `WITH first AS MATERIALIZED (
         SELECT w.id, r.name, r.program FROM redzone.runs r CROSS JOIN LATERAL (
           SELECT id FROM redzone.jobs
           WHERE run = r.id AND owner IS NULL AND result IS NULL AND problem IS NULL AND NOT $1 = ANY(refused_by)
           ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED) w
         WHERE r.state = 'running' AND r.version = $2
         ORDER BY (SELECT count(*) FROM redzone.jobs o WHERE o.run = r.id AND o.owner IS NOT NULL), w.id
         LIMIT $3)
       UPDATE redzone.jobs j SET owner = $1, since = now(), tries = tries + 1 FROM first WHERE j.id = first.id
       RETURNING j.id::text AS id, first.name AS run, first.program, j.task`,
      [this.#id, this.#worker.version, most],
    );
    for (const { id } of jobs) this.#taken.add(id);
    return jobs;
  }

  async program(hash: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#connection.query<{ bytes: Uint8Array }>(
      'SELECT bytes FROM redzone.programs WHERE hash = $1',
      [hash],
    );
    return row?.bytes;
  }

  /** The bytes that the leader keeps for a job; undefined if its run no longer exists. */
  async kept({ id }: Job, key: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#connection.query<{ result: Uint8Array }>(
      `SELECT k.result FROM redzone.jobs k JOIN redzone.jobs j ON j.run = k.run
       WHERE j.id = $1 AND k.key = $2`,
      [id, key],
    );
    return row?.result;
  }

  /** Stores the result unless there already is one. */
  async finish({ id }: Job, result: Uint8Array, paths: number): Promise<void> {
    this.#taken.delete(id);
    this.#done = { jobs: this.#done.jobs + 1, paths: this.#done.paths + paths };
    await this.#connection.query(
      `WITH done AS (
         UPDATE redzone.jobs SET result = $2, owner = NULL WHERE id = $1 AND result IS NULL RETURNING run, key),
       counted AS (
         UPDATE redzone.workers SET jobs = jobs + 1, paths = paths + $3
         WHERE id = $4 AND EXISTS (SELECT FROM done))
       SELECT pg_notify('redzone_run_' || run, key) FROM done`,
      [id, Buffer.from(result), paths, this.#id],
    );
  }

  /** The job was dropped by its leader. */
  forget({ id }: Job): void {
    this.#taken.delete(id);
  }

  /** Returns a job that needs more memory, because another worker may have it. */
  async refuse({ id }: Job): Promise<void> {
    this.#taken.delete(id);
    await this.#connection.query(
      `WITH freed AS (
         UPDATE redzone.jobs SET owner = NULL, refused_by = refused_by || $2::int
         WHERE id = $1 AND owner = $2 RETURNING 1)
       SELECT pg_notify('${JOBS_CHANNEL}', '') FROM freed`,
      [id, this.#id],
    );
  }

  /** Reports an internal error, which would occur on other workers as well. */
  async report({ id }: Job, problem: string): Promise<void> {
    this.#taken.delete(id);
    await this.#connection.query(
      'UPDATE redzone.jobs SET owner = NULL, problem = $2 WHERE id = $1 AND result IS NULL',
      [id, problem],
    );
  }

  /** Active runs of other versions, with their version. */
  async otherVersions(): Promise<{ readonly name: string; readonly version: string }[]> {
    return this.#connection.query(
      "SELECT name, version FROM redzone.runs WHERE state = 'running' AND version <> $1 ORDER BY id",
      [this.#worker.version],
    );
  }

  /** Releases all unfinished jobs. */
  async leave(): Promise<void> {
    const { query } = this.#connection;
    await query(
      `WITH freed AS (UPDATE redzone.jobs SET owner = NULL WHERE owner = $1 RETURNING 1)
       SELECT pg_notify('${JOBS_CHANNEL}', '') WHERE EXISTS (SELECT FROM freed)`,
      [this.#id],
    );
    await query('DELETE FROM redzone.workers WHERE id = $1', [this.#id]);
  }
}
