/**
 * `explore --queue`, `worker` and `status`, with a PostgreSQL server of their own: results do not
 * depend on who does the tasks, and what is wrong is said in one line.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { work } from '../../src/index.js';
import { type PostgresServer, startPostgres } from '../../src/platform/postgres-server.js';
import { redzone } from '../cli/memory-io.js';
import { dividedRuns, letters } from './divided-runs.js';
import { endOf } from './journal-harness.js';

const { run, remove } = dividedRuns();
const inputs = [letters];
let server: PostgresServer;
const stopWorkers = new AbortController();
let workers: Promise<unknown>[] = [];

beforeAll(async () => {
  const started = await startPostgres();
  if (started.kind !== 'started') throw new Error(JSON.stringify(started));
  server = started.server;
});

afterAll(async () => {
  stopWorkers.abort();
  await Promise.all(workers);
  await server.stop();
  remove();
});

const sql = async (text: string): Promise<unknown[]> => {
  const client = new pg.Client(server.url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

/** What threads come to, once. */
const reference = { all: run({ inputs, workers: 2 }), limited: run({ inputs, workers: 2, maxPaths: 150 }) };

describe('a queue', () => {
  test('comes to the same bytes as threads, with workers that join late', async () => {
    const notes: string[] = [];
    const begun = run(
      { inputs, queue: server.url, run: 'letters' },
      { onEvent: event => event.kind === 'warning' && notes.push(event.diagnostic.message) },
    );
    await expect.poll(() => notes, { timeout: 60_000 }).toContain('no worker does the tasks of this run');
    const { stdout: before } = await redzone(['status', '--queue', server.url]);
    expect(before).toMatch(/^letters +running .*\n\nno workers/m);
    workers = [1, 2].map(() => work({ queue: server.url, workers: 1 }, { signal: stopWorkers.signal }));
    const queued = await begun;
    expect(queued.files).toEqual((await reference.all).files);
    expect(endOf(queued.report)).toEqual(endOf((await reference.all).report));
    const { stdout } = await redzone(['status', '--queue', server.url, '--json']);
    const { paths } = queued.report.stats;
    expect(JSON.parse(stdout).runs).toMatchObject([
      { name: 'letters', state: 'done', paths: paths.completed + paths.error, findings: 3 },
    ]);
    expect(JSON.parse(stdout).workers).toHaveLength(2);
  });

  test('serves two runs at once: one with a limit, and one that is cancelled and resumed', async () => {
    const name = 'to be cancelled';
    const cancelled = run({ inputs, queue: server.url, run: name });
    const limited = run({ inputs, queue: server.url, maxPaths: 150 });
    const isRunning = () => sql(`SELECT FROM redzone.runs WHERE name = '${name}' AND state = 'running'`);
    while ((await isRunning()).length === 0);
    const { stdout } = await redzone(['status', '--queue', server.url, '--cancel', name]);
    expect(stdout).toContain(`run '${name}' is being stopped\n`);
    const { report, folder } = await cancelled;
    expect(report.summary).toMatch(/cancelled in the queue$/);
    expect((await limited).files).toEqual((await reference.limited).files);
    const resumed = await run({ inputs, queue: server.url, run: name, folder, resume: true });
    expect(resumed.files).toEqual((await reference.all).files);
  });
});

describe('bad input', () => {
  const errorOf = async (args: readonly string[]): Promise<string> => {
    const { exitCode, stderr } = await redzone(args);
    expect(exitCode).toBe(2);
    return stderr;
  };

  test.each([
    ['postgres://127.0.0.1:1/x', 'cannot use the queue at 127.0.0.1:1/x: no server answers there'],
    ['redis://here', "'redis://here' is not the address of a queue"],
    [
      'postgres://me:secret@no such host/x',
      "'postgres://me:...@no such host/x' is not the address of a queue",
    ],
  ])('%s', async (url, message) => {
    for (const args of [['status'], ['worker'], ['explore', 'letters.c']])
      expect(await errorOf([...args, '--queue', url])).toContain(`error: ${message}\n`);
  });

  test('wrong password, no such database, no queue', async () => {
    const at = server.url.replace(/.*@/, '');
    expect(await errorOf(['status', '--queue', `postgres://redzone:wrong@${at}`])).toContain(
      `error: cannot use the queue at ${at}: password authentication failed for user "redzone"\nhelp: the password`,
    );
    expect(await errorOf(['worker', '--queue', server.url.replace(/\w+$/, 'other')])).toContain(
      'database "other" does not exist\n',
    );
    expect(await errorOf(['worker'])).toContain('error: no queue given\n');
  });

  test('tables of another version', async () => {
    await sql('UPDATE redzone.about SET version = 0');
    try {
      expect(await errorOf(['status', '--queue', server.url])).toContain(
        'its tables are of version 0, and this Redzone uses version 1\n',
      );
    } finally {
      await sql('UPDATE redzone.about SET version = 1');
    }
  });

  test('a run that does not exist', async () => {
    expect(await errorOf(['status', '--queue', server.url, '--cancel', 'nothing'])).toContain(
      "has no run 'nothing'\n",
    );
  });
});
