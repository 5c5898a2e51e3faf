/**
 * `explore --queue`, `worker` and `status`, with a PostgreSQL server of their own: results do not
 * depend on which worker processes a task, and an error is one line.
 */
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { Claims } from '../../src/queue/claims.js';
import { QueueConnection } from '../../src/queue/connection.js';
import { QueuedRun } from '../../src/queue/leader.js';
import { redzone } from '../cli/memory-io.js';
import { dividedRuns, letters } from './divided-runs.js';
import { endOf } from './journal-harness.js';
import { queueServer } from './queue-server.js';

const { run, remove } = dividedRuns();
const inputs = [letters];
const server = queueServer();
afterAll(remove);

describe('a queue', () => {
  test('writes the same bytes as threads, with workers that join late', async () => {
    const notes: string[] = [];
    const begun = run(
      { inputs, queue: server.url, run: 'letters' },
      { onEvent: event => event.kind === 'warning' && notes.push(event.diagnostic.message) },
    );
    await expect.poll(() => notes, { timeout: 60_000 }).toContain('no worker does the tasks of this run');
    const { stdout: before } = await redzone(['status', '--queue', server.url]);
    expect(before).toMatch(/^letters +running .*\n\nno workers/m);
    server.startWorkers(2);
    const queued = await begun;
    const threads = await run({ inputs, workers: 2 });
    expect(queued.files).toEqual(threads.files);
    expect(endOf(queued.report)).toEqual(endOf(threads.report));
    const { stdout } = await redzone(['status', '--queue', server.url, '--json']);
    const { paths } = queued.report.stats;
    expect(JSON.parse(stdout).runs).toMatchObject([
      { name: 'letters', state: 'done', paths: paths.completed + paths.error, findings: 3 },
    ]);
    expect(JSON.parse(stdout).workers).toHaveLength(2);
  });
});

// Without it they would take the first tasks of each round at their next poll, after 15 s.
test('waiting workers are notified of new jobs, and jobs of killed ones are not under way', async () => {
  const events = { onDone: () => undefined, onTrouble: () => undefined };
  const program = { hash: 'none', bytes: () => new Uint8Array() };
  const leader = await QueueConnection.open(server.url);
  const description = { name: 'told', version: 'none', leader: 'me', program };
  const led = await QueuedRun.lead(leader, description, false, events);
  const waiting = await QueueConnection.open(server.url);
  let told = 0;
  const worker = { place: 'here', version: 'none', threads: 1 };
  const claims = await Claims.begin(waiting, worker, { onNews: () => told++, onTrouble: () => undefined });
  for (const key of ['a', 'b', 'c']) {
    const before = told;
    await led.send([{ key, task: new Uint8Array() }]);
    await expect.poll(() => told, { timeout: 60_000 }).toBeGreaterThan(before);
  }
  const counts = async (): Promise<object> => {
    const { stdout } = await redzone(['status', '--queue', server.url, '--json']);
    return JSON.parse(stdout).runs.find(({ name }: { name: string }) => name === 'told');
  };
  const jobs = { waiting: 1, underWay: 2, done: 0 };
  expect(await claims.take(2)).toHaveLength(2);
  expect(await counts()).toMatchObject({ state: 'running', jobs });
  // What a killed worker has begun is not under way, whether a leader notices it or not.
  await Promise.all([leader.close(), waiting.close()]);
  await expect.poll(counts, { timeout: 60_000 }).toMatchObject({
    state: 'interrupted',
    jobs: { waiting: 3, underWay: 0, done: 0 },
  });
  await redzone(['status', '--queue', server.url, '--cancel', 'told']);
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

  test('wrong password, missing database, missing queue', async () => {
    const at = server.url.replace(/.*@/, '');
    expect(await errorOf(['status', '--queue', `postgres://redzone:wrong@${at}`])).toContain(
      `error: cannot use the queue at ${at}: password authentication failed for user "redzone"\nhelp: the password`,
    );
    expect(await errorOf(['status', '--queue', `postgres://redzone@${at}`])).toContain(
      `error: cannot use the queue at ${at}: the server requires a password\nhelp: the password`,
    );
    expect(await errorOf(['worker', '--queue', server.url.replace(/\w+$/, 'other')])).toContain(
      'database "other" does not exist\n',
    );
    expect(await errorOf(['worker'])).toContain('error: no queue given\n');
  });

  test('a server of another kind', async () => {
    const other = createServer(socket => socket.destroy());
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const at = `127.0.0.1:${(other.address() as AddressInfo).port}/x`;
    expect(await errorOf(['status', '--queue', `postgres://${at}`])).toBe(
      `error: cannot use the queue at ${at}: the server has closed the connection\n`,
    );
    other.close();
  });

  test('tables of another version', async () => {
    await server.sql('UPDATE redzone.about SET version = 0');
    try {
      expect(await errorOf(['status', '--queue', server.url])).toContain(
        'its tables are of version 0, and this Redzone uses version 1\n',
      );
    } finally {
      await server.sql('UPDATE redzone.about SET version = 1');
    }
  });

  test('a run that does not exist', async () => {
    expect(await errorOf(['status', '--queue', server.url, '--cancel', 'nothing'])).toContain(
      "has no run 'nothing'\n",
    );
  });
});
