/**
 * The tables of a queue, in the schema `redzone` of the database.
 *
 *     programs   what workers need of a program, once, by its hash
 *     runs       explorations by name, with their counts as their leader reports them
 *     jobs       tasks of runs: waiting (no owner), under way (an owner), done (a result)
 *     workers    processes that do jobs
 *     alive      who holds the lock of its run or worker: see `connection.ts`
 *
 * A job holds its result, so a result and the end of its job are one update of one row. A second
 * result for the same job has no effect.
 */
import { type InputError, inputError } from '../findings/diagnostic.js';
import type { Query } from './connection.js';

/** Incremented when the tables change. */
const TABLES_VERSION = 1;

/** Classes of advisory locks for workers and runs, which are identified by number. */
export const WORKER_LOCK = 0x525a01;
export const RUN_LOCK = 0x525a02;
/** Held while the tables are created. */
const TABLES_LOCK = 0x525a03;

/**
 * Workers listen to this channel. A message is empty if there are new jobs, and `JOB PATHS
 * INSTRUCTIONS` if the bound of a job is lowered. The leader of run N listens to `runChannel(N)`.
 */
export const JOBS_CHANNEL = 'redzone_jobs';
export const runChannel = (run: number): string => `redzone_run_${run}`;

const tables = `
BEGIN;
SELECT pg_advisory_xact_lock(${TABLES_LOCK}, 0);
CREATE SCHEMA IF NOT EXISTS redzone;
CREATE TABLE IF NOT EXISTS redzone.about (version int NOT NULL);
INSERT INTO redzone.about SELECT ${TABLES_VERSION} WHERE NOT EXISTS (SELECT FROM redzone.about);
CREATE TABLE IF NOT EXISTS redzone.programs (hash text PRIMARY KEY, bytes bytea NOT NULL);
CREATE TABLE IF NOT EXISTS redzone.runs (
  id serial PRIMARY KEY,
  name text NOT NULL UNIQUE,
  version text NOT NULL,
  program text NOT NULL REFERENCES redzone.programs,
  leader text NOT NULL,
  state text NOT NULL,
  begun timestamptz NOT NULL DEFAULT now(),
  told timestamptz NOT NULL DEFAULT now(),
  paths bigint NOT NULL DEFAULT 0,
  speed real NOT NULL DEFAULT 0,
  states bigint NOT NULL DEFAULT 0,
  findings int NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS redzone.workers (
  id int PRIMARY KEY,
  place text NOT NULL,
  version text NOT NULL,
  threads int NOT NULL,
  begun timestamptz NOT NULL DEFAULT now(),
  jobs bigint NOT NULL DEFAULT 0,
  paths bigint NOT NULL DEFAULT 0
);
CREATE SEQUENCE IF NOT EXISTS redzone.worker_numbers AS int CYCLE;
CREATE TABLE IF NOT EXISTS redzone.jobs (
  id bigserial PRIMARY KEY,
  run int NOT NULL REFERENCES redzone.runs ON DELETE CASCADE,
  key text NOT NULL,
  task bytea NOT NULL,
  owner int,
  since timestamptz,
  tries int NOT NULL DEFAULT 0,
  refused_by int[] NOT NULL DEFAULT '{}',
  problem text,
  result bytea,
  UNIQUE (run, key)
);
CREATE INDEX IF NOT EXISTS jobs_waiting ON redzone.jobs (run, id) WHERE owner IS NULL AND result IS NULL;
CREATE INDEX IF NOT EXISTS jobs_owned ON redzone.jobs (run, owner) WHERE owner IS NOT NULL;
CREATE OR REPLACE VIEW redzone.alive AS
  SELECT classid::int AS class, objid::int AS id FROM pg_locks
  WHERE locktype = 'advisory' AND objsubid = 2 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
COMMIT`;

/** Creates the tables if they do not exist. Throws InputError if they have another version. */
export async function prepareTables(query: Query, name: string): Promise<void> {
  const refuse = (why: string, help: string): InputError =>
    inputError(`cannot use the queue at ${name}: ${why}`, help);
  const [found] = await query<{ about: string | null }>("SELECT to_regclass('redzone.about') AS about");
  if (found?.about === null) {
    try {
      await query(tables);
    } catch (error) {
      if ((error as { code?: string }).code !== '42501') throw error;
      const help = 'let the owner of the database make the schema `redzone`, or use another database';
      throw refuse((error as Error).message, help);
    }
  }
  const [about] = await query<{ version: number }>('SELECT version FROM redzone.about');
  if (about?.version === TABLES_VERSION) return;
  throw refuse(
    `its tables are of version ${about?.version}, and this Redzone uses version ${TABLES_VERSION}`,
    'use another database, or drop its schema `redzone` when all runs have ended',
  );
}
