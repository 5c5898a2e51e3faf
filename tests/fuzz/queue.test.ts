/**
 * `fuzz --queue`: workers on other machines search, and the campaign comes to the same inputs and
 * findings as with threads of its own process.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { type FuzzOptions, type FuzzReport, fuzz, type RunControl } from '../../src/index.js';
import { QueuedRun } from '../../src/queue/leader.js';
import { redzone } from '../cli/memory-io.js';
import { queueServer } from '../explore/queue-server.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-queue-'));
const server = queueServer();
afterAll(() => rmSync(root, { recursive: true }));

const inputs = [join(import.meta.dirname, 'targets/json.c')];
let folders = 0;

interface Campaign {
  readonly report: FuzzReport;
  readonly files: readonly string[];
}

async function run(options: Partial<FuzzOptions>, control?: RunControl): Promise<Campaign> {
  const folder = join(root, String(folders++));
  const report = await fuzz({ inputs, mode: 'grey', seed: 5, folder, ...options }, control);
  return { report, files: (readdirSync(folder, { recursive: true }) as string[]).sort() };
}

const told = ({ findings, stats }: FuzzReport): unknown => [
  findings.map(({ code, location, notes }) => [code, location.line, notes?.at(-1)?.message]),
  [stats.runs, stats.edges, stats.corpus],
];

test('workers that join late have the same findings, from a renewed base', async () => {
  const keep = vi.spyOn(QueuedRun.prototype, 'keep');
  const notes: string[] = [];
  const begun = run(
    { maxRuns: 6000, queue: server.url, run: 'json' },
    { onEvent: event => event.kind === 'warning' && notes.push(event.diagnostic.message) },
  );
  await expect.poll(() => notes, { timeout: 60_000 }).toContain('no worker does the tasks of this run');
  server.startWorkers(2);
  const queued = await begun;
  expect(keep).toHaveBeenCalled();
  const threads = await run({ maxRuns: 6000, workers: 2 });
  expect(queued.files).toEqual(threads.files);
  expect(told(queued.report)).toEqual(told(threads.report));
  const { runs, corpus } = queued.report.stats;
  const { stdout } = await redzone(['status', '--queue', server.url, '--json']);
  expect(JSON.parse(stdout).runs).toMatchObject([
    { name: 'json', state: 'done', paths: runs, states: corpus, jobs: { waiting: 0, done: 0 } },
  ]);
});

test('a cancelled campaign reports it, and keeps its findings', async () => {
  let isCancelled = false;
  const onEvent: RunControl['onEvent'] = event => {
    if (event.kind !== 'progress' || isCancelled) return;
    isCancelled = true;
    void redzone(['status', '--queue', server.url, '--cancel', 'long']);
  };
  const { report, files } = await run({ queue: server.url, run: 'long' }, { onEvent });
  expect(report.summary).toMatch(/^cancelled in the queue; \d/);
  expect(report.verdict).not.toBe('clean');
  expect(files.length).toBeGreaterThan(2);
});

test('a missing queue is rejected before anything is compiled', async () => {
  const { exitCode, stderr } = await redzone(['fuzz', '--queue', 'postgres://127.0.0.1:1/x', 'missing.c']);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('cannot use the queue at 127.0.0.1:1/x: no server answers there\n'),
  ]);
});
