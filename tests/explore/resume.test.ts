/** An exploration that was stopped and resumed ends like one that was not. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore, type RunEvent } from '../../src/index.js';
import { Solver } from '../../src/solver/solver.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-resume-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Findings early and late, symbolic arguments and a file. */
const text = `#include <klee/klee.h>
  #include <stdio.h>
  #include <stdlib.h>
  int main(int argc, char **argv) {
    char *p = malloc(3);
    int n = 0;
    for (char *c = argc > 1 ? argv[1] : ""; *c; c++) n += *c == 'x' ? 1 : *c == 'y' ? 2 : 0;
    FILE *f = fopen("A", "r");
    if (getc(f) == '#') abort();
    fclose(f);
    p[n] = 1;
    free(p);
    return n;
  }`;
const program: ExploreOptions = {
  inputs: [{ name: 'test.c', text }],
  symArgs: { min: 0, max: 1, bytes: 2 },
  symFiles: { count: 1, bytes: 1 },
  seed: 3,
  tests: 'all',
};

/** All files without their times, and without the journal, which has times, too. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter(name => name !== 'timing.csv' && name !== 'journal');
  return Object.fromEntries(
    names.map(name => [name, readFileSync(join(folder, name), 'latin1').replaceAll(folder, 'FOLDER')]),
  );
}

/** The summary at the end, without times. */
function said({ verdict, summary, stats }: ExploreReport): object {
  const { instructions, paths, queries, allocations, tests } = stats;
  return { verdict, summary, instructions, paths, queries, allocations, tests };
}

const whole = join(root, 'whole');
const folder = join(root, 'parts');
const resume = (more: Partial<ExploreOptions>, notes: string[] = []): Promise<ExploreReport> => {
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') notes.push(event.diagnostic.message.replace(root, ''));
  };
  return explore({ ...program, folder, resume: true, ...more }, { onEvent });
};

test('three parts equal the whole run, to the byte', async () => {
  const uninterrupted = await explore({ ...program, folder: whole });
  expect(uninterrupted.findings.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['abort', 'heap-buffer-overflow']),
  );
  const first = await explore({ ...program, folder, maxPaths: 4 });
  expect(first).toMatchObject({ next: expect.stringContaining('`--resume`'), stats: { tests: 4 } });
  expect(first.findings.length).toBeLessThan(uninterrupted.findings.length);
  cpSync(folder, join(root, 'stopped'), { recursive: true });

  const notes: string[] = [];
  const second = await resume({ maxInstructions: 500 }, notes);
  expect(second.summary).toMatch(/the limit of 500 instructions was reached/);
  const third = await resume({}, notes);
  expect(third.next).toBeUndefined();
  expect(said(third)).toEqual(said(uninterrupted));
  expect(filesOf(folder)).toEqual(filesOf(whole));
  expect(notes).toEqual([
    expect.stringMatching(
      /^resuming '\/parts': 4 paths and \d findings? so far, \d+ states to continue with$/,
    ),
    expect.stringMatching(
      /^resuming '\/parts': \d+ paths and \d findings? so far, \d+ states to continue with$/,
    ),
  ]);
});

test('if nothing is left, the verdict is the earlier one', async () => {
  const before = filesOf(folder);
  const notes: string[] = [];
  const report = await resume({}, notes);
  expect(notes).toEqual([
    expect.stringMatching(/^nothing is left to resume in '\/parts': \d+ paths, to the last one$/),
  ]);
  expect(report.verdict).toBe('findings');
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
  expect(filesOf(folder)).toEqual(before);
});

test('the locations where the earlier run abandoned paths are reported, too', async () => {
  const options = { ...program, folder: join(root, 'left'), maxDepth: 2 };
  const uninterrupted = await explore(options);
  expect(uninterrupted.left).toHaveLength(2);
  expect((await explore({ ...options, maxPaths: 2 })).next).toBeDefined();
  expect((await explore({ ...options, resume: true })).left).toEqual(uninterrupted.left);
});

test('so are the locations where it concretized values', async () => {
  const text = `#include <klee/klee.h>
    #include <math.h>
    int main(void) {
      float f;
      char c;
      klee_make_symbolic(&f, sizeof f, "f");
      klee_make_symbolic(&c, sizeof c, "c");
      if (c == 1) return fmodf(f, 3) > 1;
      if (c == 2) return 2;
      return fmodf(f, 5) > 1;
    }`;
  const options = {
    inputs: [{ name: 'chosen.c', text }],
    folder: join(root, 'chosen'),
    search: 'dfs',
  } as const;
  const uninterrupted = await explore(options);
  expect(uninterrupted.chosen).toHaveLength(2);
  expect((await explore({ ...options, maxPaths: 2 })).next).toBeDefined();
  expect((await explore({ ...options, resume: true })).chosen).toEqual(uninterrupted.chosen);
});

test('paths continue after forks on bytes that might be uninitialized', async () => {
  const text = `#include <klee/klee.h>
    int main(void) {
      char c[2], local[2];
      int n = 0;
      klee_make_symbolic(c, sizeof c, "c");
      for (int i = 0; i < 2; i++) {
        local[c[i] & 1] = c[i];
        if (local[c[i] & 1] > 5) n++;
      }
      return n;
    }`;
  const options = { inputs: [{ name: 'written.c', text }], folder: join(root, 'written') };
  const uninterrupted = await explore({ inputs: options.inputs });
  await explore({ ...options, maxPaths: 1 });
  const resumed = await explore({ ...options, resume: true });
  const inTasks = await explore({ inputs: options.inputs, workers: 1, firstWork: 100, taskWork: 100 });
  for (const { summary, stats } of [resumed, inTasks])
    expect([summary, stats.paths]).toEqual([uninterrupted.summary, uninterrupted.stats.paths]);
});

test('paths continue after queries that had no time left', async () => {
  const text = `#include <klee/klee.h>
    #include <stdlib.h>
    int main(void) {
      unsigned a, b;
      char s[3];
      klee_make_symbolic(&a, sizeof a, "a");
      klee_make_symbolic(&b, sizeof b, "b");
      klee_make_symbolic(s, sizeof s, "s");
      klee_assume(a * b == 391 & a > 1 & b > 1 & a < 300 & b < 300);
      char *p = malloc(a + (s[0] & 3));
      p[0] = 1;
      int n = 0;
      for (int i = 0; i < 3; i++) if (s[i] > 5) n++;
      char *q = malloc(b + n);
      q[0] = p[0];
      free(p);
      free(q);
      return n;
    }`;
  const options = { inputs: [{ name: 'late.c', text }], folder: join(root, 'late') };
  const { summary, stats } = await explore({ inputs: options.inputs });
  // Every fifth query ends without an answer, at a time when the run is over.
  let queries = 0;
  let late = 0;
  let isLate = false;
  onTestFinished(() => void vi.restoreAllMocks());
  for (const name of ['branch', 'mayBeTrue', 'getValue'] as const) {
    const solve = Solver.prototype[name] as (...args: readonly unknown[]) => never;
    vi.spyOn(Solver.prototype, name).mockImplementation(function (this: Solver, ...args: unknown[]) {
      isLate = ++queries % 5 === 0;
      if (isLate) late++;
      return isLate ? ({ kind: 'unknown', reason: 'late' } as never) : solve.apply(this, args);
    });
  }
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => {
    const time = isLate ? Number.POSITIVE_INFINITY : now();
    isLate = false;
    return time;
  });
  let report = await explore({ ...options, maxPaths: 10 });
  while (report.next !== undefined) report = await explore({ ...options, maxPaths: 10, resume: true });
  expect(late).toBeGreaterThan(5);
  expect([report.summary, report.stats.paths]).toEqual([summary, stats.paths]);
});

test('tests are found in a folder that was moved', async () => {
  const moved = join(root, 'moved');
  cpSync(folder, moved, { recursive: true });
  const { findings } = await resume({ folder: moved });
  expect(findings.length).toBeGreaterThan(1);
  for (const { test } of findings) expect(test).toMatch(/\/moved\/\d{6}\.ktest$/);
});

test('a run that cannot be resumed is rejected, and the folder is unchanged', async () => {
  const stopped = join(root, 'stopped');
  const before = filesOf(stopped);
  const inputs = [{ name: 'test.c', text: text.replace('malloc(3)', 'malloc(4)') }];
  await expect(resume({ folder: stopped, inputs })).rejects.toThrow(
    /cannot be resumed: the program has changed/,
  );
  await expect(resume({ folder: stopped, seed: 4, search: 'dfs' })).rejects.toThrow(
    /--search was default and is dfs now; --seed was 3 and is 4 now/,
  );
  await expect(resume({ folder: stopped, search: 'dfs' })).rejects.toMatchObject({
    diagnostics: [
      { help: expect.stringMatching(/^`--replay-tree .*stopped -o OTHER` reuses what it has learned; /) },
    ],
  });
  await expect(resume({ folder: join(root, 'none') })).rejects.toThrow(
    /there is no such folder, or it is empty/,
  );
  expect(filesOf(stopped)).toEqual(before);
  rmSync(join(stopped, 'journal'));
  await expect(resume({ folder: stopped })).rejects.toThrow(/it has no 'journal'/);
  writeFileSync(join(stopped, 'journal'), '{');
  await expect(resume({ folder: stopped })).rejects.toThrow(/'journal' is damaged at offset 0/);
});
