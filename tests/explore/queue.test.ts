/**
 * `explore --queue`, `worker` and `status`, with a PostgreSQL server of their own: results do not
 * depend on which worker processes a task, and an error is one line.
 */
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { jobsToTake } from '../../src/api/worker-loop.js';
import { Claims } from '../../src/queue/claims.js';
import { QueueConnection } from '../../src/queue/connection.js';
import { QueuedRun } from '../../src/queue/leader.js';
import { Random } from '../../src/support/random.js';
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

test('a run stops for lack of memory when all workers, or three, have refused a job', async () => {
  const counts = { paths: 0, speed: 0, states: 0, findings: 0 };
  const program = { hash: 'none', bytes: () => new Uint8Array() };
  const version = 'with little memory';
  const leader = await QueueConnection.open(server.url);
  const led = await QueuedRun.lead(leader, { name: 'refused', version, leader: 'me', program }, false, {
    onDone: () => undefined,
    onTrouble: () => undefined,
  });
  const join = async (): Promise<{ refuse: () => Promise<void>; leave: () => Promise<void> }> => {
    const connection = await QueueConnection.open(server.url);
    const events = { onNews: () => undefined, onTrouble: () => undefined };
    const claims = await Claims.begin(connection, { place: 'here', version, threads: 1 }, events);
    return {
      refuse: async () => {
        const [job] = await claims.take(1);
        await claims.refuse(job!);
        expect(await claims.take(1)).toEqual([]);
      },
      leave: async () => {
        await claims.leave();
        await connection.close();
      },
    };
  };
  const hopeless = async (): Promise<string | undefined> => (await led.look(counts)).hopeless?.kind;
  await led.send([{ key: 'large', task: new Uint8Array() }]);
  const [small, large, later] = [await join(), await join(), await join()];
  await small.refuse();
  expect(await hopeless()).toBeUndefined();
  // A worker that has left says nothing about those that are there.
  await small.leave();
  await later.leave();
  expect(await hopeless()).toBeUndefined();
  await large.refuse();
  expect(await hopeless()).toBe('memory');
  const [third, fourth] = [await join(), await join()];
  expect(await hopeless()).toBeUndefined();
  await third.refuse();
  expect(await hopeless()).toBe('memory');
  for (const worker of [large, third, fourth]) await worker.leave();
  await led.end('stopped', counts);
  await leader.close();
  await redzone(['status', '--queue', server.url, '--cancel', 'refused']);
});

test('a worker takes jobs for its free threads, however many results are delivered', () => {
  const random = new Random(1);
  for (const threads of [1, 2, 3, 8]) {
    let [busy, delivered] = [0, 0];
    for (let step = 0; step < 400; step++) {
      const taken = jobsToTake(threads, busy, delivered);
      expect(taken).toBeGreaterThanOrEqual(0);
      // A thread does not wait while one result is delivered.
      if (busy < threads && delivered <= threads - 1) expect(taken).toBeGreaterThan(0);
      if (busy === 0 && delivered === 1) expect(taken).toBe(threads);
      busy += random.below(taken + 1);
      const ended = random.below(busy + 1);
      busy -= ended;
      delivered += ended;
      expect(delivered).toBeLessThanOrEqual(2 * threads);
      delivered -= random.below(delivered + 1);
    }
  }
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
