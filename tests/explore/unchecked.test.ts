/**
 * A kind of check that is switched off (`--checks`) hides only its own errors: both engines find
 * the errors after them, at the same lines. Where a machine could not continue, the path is
 * abandoned, with a note.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type CommonReport,
  check,
  type ExploreOptions,
  type ExploreReport,
  explore,
} from '../../src/index.js';
import { type CheckKind, defaultChecks } from '../../src/monitor/check-kinds.js';

const path = join(import.meta.dirname, 'unchecked.c');
const lines = readFileSync(path, 'utf8').split('\n');

const without = (kind: CheckKind): CheckKind[] => defaultChecks.filter(each => each !== kind);

/** The lines after the errors of a kind. */
function linesBehind(kind: CheckKind): number[] {
  const start = lines.findIndex(line => line.startsWith(`static void ${kind}(`));
  const end = lines.indexOf('}', start);
  return lines.flatMap((line, i) => (i > start && i < end && /\bBEHIND\b/.test(line) ? [i + 1] : []));
}

const found = ({ findings }: CommonReport): string[] =>
  findings.map(({ code, location }) => `${code}:${location.line}`).sort();

const behind = (kind: CheckKind): string[] =>
  linesBehind(kind)
    .map(line => `null-dereference:${line}`)
    .sort();

const exploring = (kind: CheckKind, more: Partial<ExploreOptions> = {}): ExploreOptions => ({
  inputs: [path],
  clangFlags: ['-DONE_BY_ONE', '-w'],
  arguments: [kind],
  ...more,
});

/** Threads take turns under `check` only. */
const kinds = defaultChecks.filter(kind => kind !== 'races');

describe.each(kinds)('%s', kind => {
  test('errors after its errors are found without it', async () => {
    const checks = without(kind);
    const explored = await explore(exploring(kind, { checks }));
    expect(found(explored)).toEqual(behind(kind));
    const checked = await check({
      inputs: [path],
      clangFlags: ['-w'],
      arguments: [kind],
      checks,
      keepGoing: true,
    });
    expect(found(checked)).toEqual(behind(kind));
  });

  test('with it, its errors come first', async () => {
    const report = await explore(exploring(kind));
    const [first] = linesBehind(kind);
    expect(report.findings.length).toBeGreaterThan(0);
    if (kind !== 'leaks') expect(found(report)).not.toContain(`null-dereference:${first}`);
  });

  test('its twin has no findings', async () => {
    const clangFlags = ['-DONE_BY_ONE', '-DFIXED', '-w'];
    const report = await explore(exploring(kind, { clangFlags, checks: without(kind) }));
    expect(found(report)).toEqual([]);
    expect(report.summary).toMatch(/^(all \d+ paths|the only path) explored$/);
  });
});

const source = (body: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({
    inputs: [
      {
        name: 'test.c',
        text: `#include <klee/klee.h>
#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf gone;
__attribute__((noinline)) static void leave(void) { if (setjmp(gone)) abort(); }
int main(void) {
  int n = klee_int("n");
  char *p = malloc(4);
  ${body}
  free(p);
  return 0;
}`,
      },
    ],
    ...options,
  });

test.each([
  ['division-by-zero', 'undefined', 'if (n < 3) n = 8 / (n - 2);'],
  ['signed-overflow', 'undefined', 'if (n < 0) n = INT_MIN / n;'],
  ['unreachable-reached', 'undefined', 'if (n == 2) __builtin_unreachable();'],
  ['use-after-return', 'temporal', 'leave(); if (n == 2) longjmp(gone, 1);'],
] as const)('%s, after which no machine continues, is an abandoned path', async (code, kind, body) => {
  const report = await source(body, { checks: without(kind) });
  expect(report).toMatchObject({
    findings: [],
    verdict: 'inconclusive',
    stats: { paths: { error: 0, partial: 1 } },
    left: [{ location: { line: 10 }, paths: 1 }],
  });
  expect(report.summary).toContain(`1 left; a path ends at an error that is not checked (\`${code}\`)`);
});

test('all inputs continue after arithmetic that wraps, and all paths are explored', async () => {
  const report = await source(
    `int y = n + 1;
    if (n == INT_MAX && y == INT_MIN) p[8] = 1;
    if ((unsigned)y << (n & 63) == 68 && (n & 63) == 33) p[5] = 1;`,
    { checks: without('undefined') },
  );
  expect(found(report)).toEqual(['heap-buffer-overflow:11', 'heap-buffer-overflow:12']);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});

test('a float that does not fit is the nearest integer, for all inputs', async () => {
  const report = await source(
    `double d;
    klee_make_symbolic(&d, sizeof d, "d");
    int i = (int)d;
    if (d != d && i != 0) p[4] = 1;
    if (d > 3e9 && i != INT_MAX) p[5] = 1;
    if (d < -3e9 && i != INT_MIN) p[6] = 1;
    if (d == 2.5 && i == 2) p[7] = 1;`,
    { checks: without('undefined') },
  );
  expect(found(report)).toEqual(['heap-buffer-overflow:16']);
  expect(report.verdict).toBe('findings');
});

test('unchecked reads and writes outside objects are reported, with the line', async () => {
  const report = await source('if (n == 1) n = p[4 + (n & 1)]; if (n == 2) p[4] = 1;', {
    checks: without('spatial'),
  });
  expect(report).toMatchObject({
    findings: [],
    verdict: 'inconclusive',
    chosen: [{ location: { line: 10 }, paths: 2 }],
  });
  expect(report.summary).toMatch(
    /a read outside live objects was concretized; a write outside live objects was skipped|a write outside.*; what is read outside/,
  );
});
