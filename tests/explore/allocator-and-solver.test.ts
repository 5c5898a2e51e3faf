/**
 * `explore` with another allocator, another solver, its queries in a file, and queries that are too
 * hard.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { parseKQuery, parseSmtLib, Solver, type Term, Terms } from '../../src/solver/index.js';
import { redzone } from '../cli/memory-io.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-solver-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (text: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({ inputs: [{ name: 'test.c', text }], ...options });

describe('--allocator', () => {
  const stale = `
    #include <stdlib.h>
    int main(void) {
      char *p = malloc(8);
      free(p);
      char *q = malloc(8);
      if (!q) return 1;
      *q = 1;
      return *p;
    }`;

  test.each([
    ['kdalloc', undefined, ['use-after-free']],
    ['kdalloc', 1, ['use-after-free']],
    ['kdalloc', 0, []],
    ['bump', undefined, ['use-after-free']],
    ['global', undefined, []],
  ] as const)('%s with quarantine %s finds %j', async (allocator, quarantine, codes) => {
    const checks = ['temporal'] as const;
    const report = await run(stale, {
      allocator,
      checks,
      ...(quarantine === undefined ? {} : { quarantine }),
    });
    expect(report.findings.map(({ code }) => code)).toEqual(codes);
  });

  test('paths do not depend on the allocator', async () => {
    for (const allocator of ['kdalloc', 'global', 'bump'] as const) {
      const inputs = [join(import.meta.dirname, 'programs/bubble-sort.c')];
      const report = await explore({ inputs, clangFlags: ['-DCOUNT=4'], allocator });
      expect(report.stats.paths).toEqual({ completed: 24, error: 0, partial: 0 });
    }
  });
});

/** Queries that the domains of single bytes do not answer: sums of two bytes, and a product. */
const sums = `
  #include <klee/klee.h>
  int main(void) {
    unsigned char a, b;
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
    if (a + b == 300) return 1;
    if (a * b == 169) return 2;
    if (a * b == 251 * 2) return 3;
    if (a - b == 300) return 4;
    return 5;
  }`;

function constraintsOf(t: Terms, script: string, format: 'smt2' | 'kquery'): readonly Term[] {
  const read = format === 'smt2' ? parseSmtLib(t, script.replace('(reset)', '')) : parseKQuery(t, script);
  if (!read.ok) throw new Error(read.message);
  return 'assertions' in read ? read.assertions : read.queries[0]!.constraints;
}

describe('--solver and --dump-queries', () => {
  test.each(['both', 'cadical', 'z3'] as const)('%s finds all paths', async solver => {
    const report = await run(sums, { solver });
    expect(report.summary).toBe('all 4 paths explored');
  });

  test.each(['smt2', 'kquery'] as const)('dumped queries in %s have the recorded answers', async format => {
    const { exitCode } = await redzone(['explore', '-', '-o', folder, '--dump-queries', format], {
      stdin: sums,
    });
    expect(exitCode).toBe(0);
    const file = `queries.${format}`;
    expect(readdirSync(folder).filter(name => name.startsWith('queries'))).toEqual([file]);
    const scripts = readFileSync(join(folder, file), 'utf8').split(/^(?=[;#] query)/m);
    expect(scripts.length).toBeGreaterThan(3);
    const t = new Terms();
    const solver = await Solver.create(t, { backend: 'cadical' });
    for (const script of scripts) {
      const { kind } = solver.check(constraintsOf(t, script, format));
      expect(script).toMatch(new RegExp(`^. query \\d+: ${kind},`));
    }
    solver.dispose();
  });
});

describe('a query that is too hard', () => {
  /** The factors of a product of two primes of 32 bits: no solver finds them in a moment. */
  const factors = `
    #include <klee/klee.h>
    int main(void) {
      unsigned long x, y;
      klee_make_symbolic(&x, sizeof x, "x");
      klee_make_symbolic(&y, sizeof y, "y");
      if (x == 7) return 1;
      if (x >> 32 || y >> 32 || x < 2 || y < 2) return 2;
      if (x * y == 2860486313ul * 3367900313ul) return 3;
      return 4;
    }`;

  const run = async (...limit: string[]) => {
    const { exitCode, stdout } = await redzone(
      ['explore', '-', '-o', folder, '--tests', 'all', '--json', ...limit],
      {
        stdin: factors,
      },
    );
    return { exitCode, ...JSON.parse(stdout) };
  };

  test('abandons its path and makes the run inconclusive', async () => {
    const { exitCode, verdict, summary, stats } = await run('--max-conflicts', '500');
    expect(exitCode).toBe(3);
    expect(verdict).toBe('inconclusive');
    expect(summary).toMatch(/^\d+ paths explored; 1 left; the solver gave up: conflict limit$/);
    expect(stats.paths.partial).toBe(1);
    expect(stats.paths.completed).toBeGreaterThan(1);
    const endings = readdirSync(folder)
      .filter(name => /^\d+\.json$/.test(name))
      .map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')).end.kind);
    expect(endings.filter(kind => kind === 'partial')).toHaveLength(1);
  });

  // On a busy machine the easy queries before it may run out of time as well.
  test.each([
    ['--max-solver-time 200ms', /the solver gave up: time limit/],
    ['--max-time 800ms', /the solver gave up: time limit|the time is up/],
    ['--max-solver-time 1500ms --solver z3', /the solver gave up: time limit/],
  ])('%s holds, so that the factors are not found', async (limit, reason) => {
    const { exitCode, summary, stats } = await run(...limit.split(' '));
    expect(exitCode).toBe(3);
    expect(summary).toMatch(reason);
    expect(stats.paths.partial).toBeGreaterThan(0);
  });
});
