/** What an exploration reuses of an earlier one, and what it verifies. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { endOf, killedProgram } from './journal-harness.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-replay-tree-'));
afterAll(() => rmSync(root, { recursive: true }));

const program = (text: string): ExploreOptions => ({ inputs: [{ name: 'test.c', text }], seed: 3 });
const same = program(killedProgram(2));
const first = join(root, 'first');
let whole: ExploreReport;
beforeAll(async () => {
  whole = await explore({ ...same, folder: first });
});

test('all answers are known, with another searcher as well', async () => {
  const options = { ...same, replayTree: first, reuse: 'answers', search: 'dfs' } as const;
  const report = await explore({ ...options, folder: join(root, 'dfs') });
  expect(endOf(report)).toEqual(endOf(whole));
  expect(report.reused).toMatchObject({ paths: 0, divergences: [] });
  expect(report.reused!.answers).toBeGreaterThan(20);
  const alone = await explore({ ...options, reuse: 'nothing', folder: join(root, 'alone') });
  expect(endOf(alone)).toEqual(endOf(whole));
  expect(alone.reused).toEqual({ paths: 0, answers: 0, divergences: [] });
});

test('explored subtrees are skipped, and unexplored ones are explored', async () => {
  const part = join(root, 'part');
  const stopped = await explore({ ...same, folder: part, search: 'dfs', maxPaths: 12 });
  expect(stopped.verdict).not.toBe('clean');
  const report = await explore({ ...same, replayTree: part, folder: join(root, 'rest') });
  expect(endOf(report)).toEqual(endOf(whole));
  expect(report.reused!.paths).toBeGreaterThan(5);
  expect(report.reused!.paths).toBeLessThanOrEqual(12);
  const again = await explore({ ...same, replayTree: join(root, 'rest') });
  expect(endOf({ ...again, stats: { ...again.stats, tests: whole.stats.tests } })).toEqual(endOf(whole));
  // The first block is counted where the program starts.
  expect(again.stats.instructions).toBeLessThan(50);
});

/** A parser of ten kinds of statements, each in a function of its own. */
const parser = (changed: string): string => `#include <klee/klee.h>
  ${changed === '' ? '' : '// Lines may move.'}
  ${Array.from({ length: 10 }, (_, i) => {
    const limit = i === 4 && changed !== '' ? changed : '9';
    return `static int parse${i}(const char *s) {
      int n = 0;
      for (int i = 1; i < 4; i++) if (s[i] >= '0' && s[i] <= '${limit}') n = n * 10 + s[i] - '0'; else n += ${i};
      return n;
    }`;
  }).join('\n')}
  int main(void) {
    char s[4];
    klee_make_symbolic(s, sizeof s, "s");
    switch (s[0]) {
      ${Array.from({ length: 10 }, (_, i) => `case '${String.fromCharCode(97 + i)}': return parse${i}(s);`).join('\n')}
    }
    return -1;
  }`;

test('an edit of one function of ten costs a fraction, and the rest is reused', async () => {
  const folder = join(root, 'edited');
  const before = await explore({ ...program(parser('')), folder });
  const fresh = await explore(program(parser('5')));
  const edited = await explore({ ...program(parser('5')), folder });
  const { paths, instructions } = edited.stats;
  expect({ verdict: edited.verdict, summary: edited.summary, paths }).toEqual({
    verdict: fresh.verdict,
    summary: fresh.summary,
    paths: fresh.stats.paths,
  });
  const done = before.stats.paths!.completed;
  expect(edited.reused!.paths).toBeGreaterThan(0.85 * done);
  expect(instructions).toBeLessThan(0.3 * fresh.stats.instructions!);
  expect(edited.stats.tests).toBe(fresh.stats.paths!.completed);
});

test('a finding is found again at its new location', async () => {
  const folder = join(root, 'moved');
  const text = killedProgram(1);
  const before = await explore({ ...program(text), folder });
  const after = await explore({ ...program(`\n\n${text}`), folder });
  const lines = ({ findings }: ExploreReport): number[] =>
    findings.map(({ location }) => location.line).sort();
  expect(lines(after)).toEqual(lines(before).map(line => line + 2));
});

/** Whether a path forks depends on an address, which may depend on what other paths allocate. */
const addresses = `#include <klee/klee.h>
  #include <stdlib.h>
  int main(void) {
    char c[3];
    klee_make_symbolic(c, sizeof c, "c");
    int n = 0;
    for (int i = 0; i < 3; i++) {
      if (c[i] == 'a') free(malloc(24));
      char *next = malloc(24);
      if ((unsigned long)next >> 5 & 1 && c[i] > 'm') n++;
    }
    return n;
  }`;

/** Replays the program under the other options; returns the number of lines that diverged. */
async function diverged(allocator: 'global' | 'kdalloc', name: string, other: Partial<ExploreOptions>) {
  const folder = join(root, `${name}-${allocator}`);
  const options = { ...program(addresses), allocator, checks: ['spatial'], search: 'dfs' } as const;
  await explore({ ...options, folder });
  const report = await explore({ ...options, replayTree: folder, reuse: 'answers', ...other });
  for (const { location } of report.reused!.divergences) expect(location.line).toBeGreaterThan(7);
  return report.reused!.divergences.length;
}

test('with an allocator that paths share they diverge, with KDALLOC they do not', async () => {
  expect(await diverged('kdalloc', 'order', { search: 'bfs' })).toBe(0);
  expect(await diverged('global', 'order', { search: 'bfs' })).toBeGreaterThan(0);
});

test('so they do if the system moves its addresses from run to run, as with ASLR', async () => {
  const lines = { global: 0, kdalloc: 0 };
  for (const seed of [4, 5, 6, 7])
    for (const allocator of ['global', 'kdalloc'] as const)
      lines[allocator] += await diverged(allocator, `seed-${seed}`, { seed });
  expect(lines.kdalloc).toBe(0);
  expect(lines.global).toBeGreaterThan(0);
});
