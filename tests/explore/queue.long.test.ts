/** Two runs in one queue, of which one is cancelled and continued later. */
import { afterAll, expect, test } from 'vitest';
import { redzone } from '../cli/memory-io.js';
import { dividedRuns, letters } from './divided-runs.js';
import { queueServer } from './queue-server.js';

const { run, remove } = dividedRuns();
const inputs = [letters];
const server = queueServer();
afterAll(remove);

test('serves two runs at once: one with a limit, and one that is cancelled and resumed', async () => {
  // The first connection makes the tables.
  await redzone(['status', '--queue', server.url]);
  server.startWorkers(2);
  const name = 'to be cancelled';
  const cancelled = run({ inputs, queue: server.url, run: name });
  const limited = run({ inputs, queue: server.url, maxPaths: 150 });
  const isRunning = () => server.sql(`SELECT FROM redzone.runs WHERE name = '${name}' AND state = 'running'`);
  while ((await isRunning()).length === 0);
  const { stdout } = await redzone(['status', '--queue', server.url, '--cancel', name]);
  expect(stdout).toContain(`run '${name}' is being stopped\n`);
  const { report, folder } = await cancelled;
  expect(report.summary).toMatch(/cancelled in the queue$/);
  expect((await limited).files).toEqual((await run({ inputs, workers: 2, maxPaths: 150 })).files);
  const resumed = await run({ inputs, queue: server.url, run: name, folder, resume: true });
  expect(resumed.files).toEqual((await run({ inputs, workers: 2 })).files);
});
