/** Random constraint sets by the hundred: the chain, CaDiCaL alone and Z3 give the same answers. */
import { expect, test } from 'vitest';
import { Terms } from '../expr/terms.js';
import { randomSets } from './random-constraints-testing.js';
import { Solver } from './solver.js';

test.each([1, 2, 3, 4])('seed %i', { timeout: 600_000 }, async seed => {
  const t = new Terms();
  const chain = await Solver.create(t, { backend: 'cadical' });
  const plain = await Solver.create(t, { backend: 'cadical', caches: false });
  const reference = await Solver.create(t, {
    backend: 'z3',
    caches: false,
    limits: { milliseconds: 20_000, conflicts: 0 },
  });
  for (const constraints of randomSets(t, seed, 300)) {
    const expected = reference.check(constraints);
    const answer = chain.check(constraints);
    expect(plain.check(constraints).kind).toBe(answer.kind);
    // What Z3 does not decide in time proves nothing about us.
    if (expected.kind !== 'unknown') expect(answer.kind).toBe(expected.kind);
  }
  for (const solver of [chain, plain, reference]) solver.dispose();
});
