/** Answers of Z3 are in the cache folder, where another program finds them. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Solver } from '../solver/solver.js';
import { storedAnswers } from './stored-answers.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-answers-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** The answers of Z3 that a program has found in the store, for each of its queries. */
async function storedFor(queriesOf: (t: Terms) => Term[][]): Promise<number[]> {
  const t = new Terms();
  const solver = await Solver.create(t, { backend: 'z3', caches: false, store: storedAnswers() });
  const counts = queriesOf(t).map(query => {
    const before = solver.statistics.stored;
    solver.check(query);
    return solver.statistics.stored - before;
  });
  solver.dispose();
  return counts;
}

test('a program finds the answers to the queries that another one shares', async () => {
  vi.stubEnv('REDZONE_CACHE', folder);
  const factorOf = (t: Terms, value: number): Term[] => {
    const x = t.variable('x', 16);
    return [t.eq(t.mul(x, x), t.constant(16, value)), t.ult(t.constant(16, 1), x)];
  };
  expect(await storedFor(t => [factorOf(t, 121), factorOf(t, 144)])).toEqual([0, 0]);
  expect(readdirSync(folder)).not.toEqual([]);
  expect(await storedFor(t => [factorOf(t, 169), factorOf(t, 144), factorOf(t, 121)])).toEqual([0, 1, 1]);
});
