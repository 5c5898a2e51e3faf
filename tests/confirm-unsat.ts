/**
 * In the test suite every `unsat` of our solver is confirmed by Z3. vitest loads this file before
 * each test file: it collects the unsatisfiable cores of all solvers of the file, each once, and
 * when the tests are done queries one Z3 with them.
 *
 * A core that Z3 does not decide in time is ignored; only few of these are allowed.
 */
import { afterAll } from 'vitest';
import type { Terms } from '../src/expr/terms.js';
import type { UnsatCore } from '../src/solver/random-constraints-testing.js';
import { observeUnsat } from '../src/solver/unsat-observer.js';

/** The largest share of undecided cores; one is always allowed. */
const MOST_OPEN = 0.02;

/** The time limit for one core. The long tests have circuits of floats, which take Z3 long. */
const MILLISECONDS = Number(process.env.REDZONE_Z3_MILLISECONDS ?? 4000);

const seen = new WeakMap<Terms, Set<string>>();
const cores: UnsatCore[] = [];

observeUnsat((t, terms) => {
  if (terms.some(term => term.isFalse)) return;
  const known = seen.get(t) ?? new Set();
  seen.set(t, known);
  const key = terms
    .map(term => term.id)
    .sort((a, b) => a - b)
    .join();
  if (known.has(key)) return;
  known.add(key);
  cores.push({ t, terms });
});

afterAll(async () => {
  if (cores.length === 0) return;
  // Loaded only where it is needed: most files use no solver.
  const { confirmUnsat } = await import('../src/solver/random-constraints-testing.js');
  const open = confirmUnsat(cores, MILLISECONDS);
  if (open > Math.max(1, MOST_OPEN * cores.length))
    throw new Error(`Z3 left ${open} of ${cores.length} unsatisfiable answers open`);
});
