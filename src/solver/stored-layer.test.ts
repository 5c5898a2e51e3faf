import { expect, test } from 'vitest';
import type { Term } from '../expr/term.js';
import { Terms } from '../expr/terms.js';
import { Solver, type SolverOptions } from './solver.js';
import type { AnswerStore } from './stored-layer.js';

function storeIn(answers: Map<string, string>): AnswerStore {
  return { get: query => answers.get(query), put: (query, answer) => void answers.set(query, answer) };
}

/** The answers of a separate run, and how many of them were stored. */
async function ask(answers: Map<string, string>, constraintsOf: (t: Terms) => Term[]) {
  const t = new Terms();
  const options: SolverOptions = { backend: 'z3', caches: false, store: storeIn(answers) };
  const solver = await Solver.create(t, options);
  const outcome = solver.check(constraintsOf(t));
  const { z3, stored } = solver.statistics;
  solver.dispose();
  const found = outcome.kind === 'sat' ? outcome.model.assignment : outcome.kind;
  return { found, z3, stored };
}

/** Two factors, one between 2 and 255, the other between 3 and 256. */
const product = (value: number) => (t: Terms) => {
  const [x, y] = [t.variable('x', 16), t.variable('y', 16)];
  const isFactor = (z: Term): Term[] => [t.ult(z, t.constant(16, 256)), t.ult(t.constant(16, 1), z)];
  return [t.eq(t.add(t.mul(x, y), x), t.constant(16, value)), ...isFactor(x), ...isFactor(y)];
};

test('the next run reuses the answers of Z3, and counts the same', async () => {
  const answers = new Map<string, string>();
  for (const value of [101 * 103, 10_007]) {
    const first = await ask(answers, product(value));
    const second = await ask(answers, product(value));
    expect(first.stored).toBe(0);
    expect(second).toEqual({ ...first, stored: 1 });
  }
  expect(answers.size).toBe(2);
});

test('a stored model that does not satisfy the constraints is discarded', async () => {
  const answers = new Map<string, string>();
  const first = await ask(answers, product(101 * 103));
  for (const [query] of answers)
    answers.set(
      query,
      JSON.stringify({
        variables: [
          ['x', '7'],
          ['y', '7'],
        ],
        arrays: [],
      }),
    );
  expect(await ask(answers, product(101 * 103))).toEqual(first);
});
