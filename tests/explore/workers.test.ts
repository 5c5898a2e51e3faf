/** `explore --workers`: the folder is the same to the byte, however many threads there are. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type BoundedTask, doSubtree, type SharedProgram } from '../../src/api/shared-program.js';
import { type TaskRequest, TaskThreads } from '../../src/api/task-threads.js';
import { Explorer } from '../../src/explore/search/explorer.js';
import type { SubtreeResult, SubtreeTask } from '../../src/explore/search/subtree.js';
import { type ExploreOptions, explore } from '../../src/index.js';
import { DedicatedWorker } from '../../src/platform/dedicated-worker.js';
import { dividedRuns, letters } from './divided-runs.js';
import { endOf } from './journal-harness.js';

const { root, run, remove } = dividedRuns();
afterAll(remove);

const inputs = [letters];

describe('one worker, seven, and one for each processor', () => {
  test('have the findings of a single search, in identical files', async () => {
    const single = await run({ inputs });
    const one = await run({ inputs, workers: 1 });
    expect(endOf(one.report)).toEqual(endOf(single.report));
    expect(one.report.summary).toMatch(/^all \d+ paths explored/);
    expect(one.report.stats.instructions).toBe(single.report.stats.instructions);
    // The paths of a task are merged one by one if they are listed, and otherwise all at once.
    const seven = await run({ inputs, workers: 7, details: true });
    expect(seven.files).toEqual(one.files);
    expect(endOf(seven.report)).toEqual(endOf(one.report));
    const { completed, error } = one.report.stats.paths;
    expect(seven.report.details?.paths).toHaveLength(completed + error);
    // The journal has each of them, with its number.
    const replayed = await run({ inputs, replayTree: one.folder });
    expect(replayed.report.reused?.paths).toBe(completed + error);
    expect(endOf(replayed.report)).toEqual(endOf(single.report));
  });

  test('stop at exactly the same path', async () => {
    const one = await run({ inputs, workers: 1, maxPaths: 150 });
    const auto = await run({ inputs, workers: 'auto', maxPaths: 150 });
    expect(auto.files).toEqual(one.files);
    expect(one.report.verdict).not.toBe('clean');
    expect(one.report.summary).toContain('the limit of 150 paths was reached');
    const { completed, error } = one.report.stats.paths;
    expect(completed + error).toBe(150);
  });
});

// Passes mark the lifetime of the compound literal, turn the computed goto into a switch, and
// insert a call at each place where the secret matters. An input depends on an address.
const changedByPasses = {
  name: 'changed.c',
  text: `#include <klee/klee.h>
#include <redzone.h>
static const int table[] = {3, 1, 4, 1};
static unsigned char s[3];
static int i, total;
static void add(const int *pair) { total += pair[0] + pair[1] > 6; }
int main(void) {
  static void *const labels[] = {&&low, &&high, &&end};
  klee_make_symbolic(s, sizeof s, "s");
  redzone_secret(s + 2, 1);
  for (; i < 3; i++) {
    if (s[i] > 100 || s[i] == 'x') {
      add((int[]){s[i] & 1 ? 7 : i, table[i]});
    }
    goto *labels[(s[i] > 9) + (s[i] > 200)];
  low:
    total++;
    continue;
  high:
    total += table[total % 4];
  end:;
  }
  if (s[0] == ((unsigned long)table >> 4 & 255)) total++;
  return total;
}
`,
};

test('tasks of one module have the results of tasks with a module each', async () => {
  const { do: original } = TaskThreads.prototype;
  const execute = vi.spyOn(TaskThreads.prototype, 'do');
  onTestFinished(() => execute.mockRestore());
  const tasksWith = async (sharedFor: (shared: SharedProgram) => SharedProgram): Promise<object> => {
    let tasks = 0;
    execute.mockImplementation(((task: BoundedTask, shared: SharedProgram) => {
      tasks++;
      return doSubtree(sharedFor(shared), task, { isStopped: () => false });
    }) as typeof original);
    const { files } = await run({ inputs: [changedByPasses], workers: 1 });
    expect(tasks).toBeGreaterThan(4);
    return files;
  };
  expect(await tasksWith(shared => shared)).toEqual(await tasksWith(shared => ({ ...shared })));
});

test('a task that blocks the thread of the exploration is done by another, with the same files', async () => {
  const one = await run({ inputs, workers: 1 });
  const { runFor } = Explorer.prototype;
  let isBlocked = false;
  const slices = vi.spyOn(Explorer.prototype, 'runFor');
  onTestFinished(() => slices.mockRestore());
  slices.mockImplementation(function (this: Explorer, milliseconds, mostMs) {
    const isDone = runFor.call(this, milliseconds, mostMs);
    // As a query that takes this long.
    const end = performance.now() + (mostMs === undefined || isBlocked ? 0 : 1100);
    isBlocked ||= mostMs !== undefined;
    while (performance.now() < end);
    return isDone;
  });
  const calls = vi.spyOn(DedicatedWorker.prototype, 'call');
  onTestFinished(() => calls.mockRestore());
  const other = await run({ inputs, workers: 1 });
  const requests = calls.mock.calls.map(([request]) => (request as TaskRequest<unknown, unknown>).kind);
  expect(isBlocked).toBe(true);
  expect(requests).toContain('task');
  expect(other.files).toEqual(one.files);
});

test('a run that stops before it is divided continues to the same point when it is resumed', async () => {
  const early = { inputs, workers: 1, firstWork: 12_000 };
  const testsOf = (files: object): object =>
    Object.fromEntries(Object.entries(files).filter(([name]) => name !== 'statistics.csv'));
  const whole = await run(early);
  const { folder, report } = await run({ ...early, maxPaths: 5 });
  expect(report.summary).toContain('the limit of 5 paths was reached');
  const resumed = await run({ ...early, folder, resume: true });
  expect(testsOf(resumed.files)).toEqual(testsOf(whole.files));
});

// The solver chooses each of its inputs.
const sort = { inputs: [join(import.meta.dirname, 'programs/bubble-sort.c')], clangFlags: ['-DCOUNT=5'] };

test('an interrupted run has the inputs of an uninterrupted one when it is resumed', async () => {
  const small = { ...sort, firstWork: 3000, taskWork: 40_000, tests: 'all' } as const;
  const whole = await run({ ...small, workers: 1 });
  const stop = new AbortController();
  const { folder } = await run(
    { ...small, workers: 2 },
    {
      signal: stop.signal,
      onEvent: event => event.kind === 'progress' && event.counts!.paths! > 20 && stop.abort(),
    },
  );
  const resumed = await run({ ...small, workers: 1, folder, resume: true });
  const testsOf = (files: object): unknown[] => Object.entries(files).filter(([name]) => /ktest$/.test(name));
  expect(testsOf(resumed.files)).toHaveLength(120);
  expect(testsOf(resumed.files)).toEqual(testsOf(whole.files));
});

test('a task that reaches a limit with nothing merged before it is not executed again', async () => {
  const execute = vi.spyOn(TaskThreads.prototype, 'do');
  const { report } = await run({ inputs, workers: 1, maxPaths: 60, taskWork: 100_000_000 });
  const { completed, error } = report.stats.paths;
  expect(completed + error).toBe(60);
  const tasks = execute.mock.calls.map(([task]) => JSON.stringify((task as SubtreeTask).states));
  expect(tasks.length).toBeGreaterThan(1);
  expect(new Set(tasks).size).toBe(tasks.length);
  execute.mockRestore();
});

test('a limit that a task of a round reaches costs at most the work between two marks', async () => {
  const results: (SubtreeResult | undefined)[] = [];
  const { do: original } = TaskThreads.prototype;
  const execute = vi.spyOn(TaskThreads.prototype, 'do');
  execute.mockImplementation(async function (this: TaskThreads<unknown, unknown, unknown>, ...args) {
    const result = await original.apply(this, args);
    results.push(result as SubtreeResult | undefined);
    return result;
  });
  onTestFinished(() => execute.mockRestore());
  const limited = { inputs, workers: 1, maxPaths: 150, taskWork: 30_000 };
  const { report } = await run(limited);
  const { completed, error } = report.stats.paths;
  expect(completed + error).toBe(150);
  const explored = results.reduce((sum, result) => sum + (result?.finished ?? 0), 0);
  const marked = Math.max(
    ...results.flatMap(result =>
      (result?.marks ?? []).map(({ finished }, i, marks) => finished - (marks[i - 1]?.finished ?? 0)),
    ),
  );
  expect(marked).toBeGreaterThan(0);
  expect(explored).toBeLessThan(150 + 2 * marked);
});

describe('the order in which tasks are done does not matter', () => {
  const { do: original } = TaskThreads.prototype;
  /** Executes the task that was given last. */
  const lastFirst = (): { readonly ended: number[]; first: number } => {
    const execute = vi.spyOn(TaskThreads.prototype, 'do');
    onTestFinished(() => execute.mockRestore());
    const waiting: (() => Promise<void>)[] = [];
    /** The numbers of tasks in the order of their ends, and how many were given at once. */
    const seen = { ended: [] as number[], first: 0 };
    let given = 0;
    let isBusy = false;
    // What a task has left is given before the next one is chosen.
    const next = (): NodeJS.Immediate =>
      setImmediate(async () => {
        if (isBusy) return;
        isBusy = true;
        seen.first ||= given;
        await waiting.pop()?.();
        isBusy = false;
        if (waiting.length > 0) next();
      });
    execute.mockImplementation(
      ((task: BoundedTask, shared: SharedProgram) =>
        new Promise(resolve => {
          const number = given++;
          waiting.push(async () => {
            resolve(await doSubtree(shared, task, { isStopped: () => false }));
            seen.ended.push(number);
          });
          next();
        })) as typeof original,
    );
    return seen;
  };

  test.each<Partial<ExploreOptions>>([
    {},
    { maxPaths: 150 },
    { maxInstructions: 9000 },
    { maxStates: 40 },
    { maxFail: 2 },
  ])('%j', async limits => {
    const options = { inputs, workers: 1, firstWork: 500, taskWork: 500, ...limits };
    const one = await run(options);
    const seen = lastFirst();
    const other = await run(options);
    expect(other.files).toEqual(one.files);
    expect(endOf(other.report)).toEqual(endOf(one.report));
    // What tasks have left does not wait for the first task.
    const early = seen.ended.slice(0, seen.ended.indexOf(0));
    expect(early.filter(number => number >= seen.first).length).toBeGreaterThan(0);
  });
});

describe('stored answers of Z3', () => {
  const squares = {
    name: 'squares.c',
    text: `#include <klee/klee.h>
int main(void) {
  unsigned short a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  int found = 0;
  for (int i = 1; i < 5; i++) found += a * i > b + i;
  return found + ((unsigned short)(a * b) == 40961);
}
`,
  };

  test('change nothing but the time', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'redzone-cold-'));
    onTestFinished(() => rmSync(cache, { recursive: true }));
    vi.stubEnv('REDZONE_CACHE', cache);
    onTestFinished(() => void vi.unstubAllEnvs());
    const entries = (): number => readdirSync(cache, { recursive: true }).length;
    const squaresIn = (more: Partial<ExploreOptions>) =>
      run({ inputs: [squares], firstWork: 1, taskWork: 100_000, ...more });
    await squaresIn({ solver: 'cadical', maxPaths: 1 });
    const compiled = entries();
    const cold = await squaresIn({ solver: 'z3', workers: 2 });
    const stored = entries();
    expect(stored).toBeGreaterThan(compiled);
    const warm = await squaresIn({ solver: 'z3', workers: 1 });
    expect(entries()).toBe(stored);
    expect(warm.files).toEqual(cold.files);
    expect(endOf(warm.report)).toEqual(endOf(cold.report));
  });
});

test.each<[Partial<ExploreOptions>, string]>([
  [{ search: 'bfs' }, '`--search bfs` cannot be combined with `--workers`'],
  [{ replayTree: 'somewhere' }, '`--replay-tree` cannot be combined with `--workers`'],
  [{ allocator: 'global' }, '`--allocator global` cannot be combined with `--workers`'],
])('what a single search alone can do is refused: %j', async (options, message) => {
  const folder = join(root, 'refused');
  await expect(explore({ inputs, folder, workers: 2, ...options })).rejects.toThrow(message);
});
