/**
 * What takes longer about the hash table's migration: more threads state by state, and the SRI
 * report's own lemmas.
 */
import { describe, expect, test } from 'vitest';
import { composeCounted, unknownThreads } from './compose.js';
import { searchStates } from './explicit/search.js';
import { ref, TRUE } from './expression.js';
import { type LfhtParameters, lfhtModel, REPORT_PARAMETERS } from './models/lfht.js';
import { breakingRun, largestThreads } from './models/lfht-frontier.js';
import { prove } from './prove-system.js';
import { NO_LIMIT } from './result.js';
import type { System } from './system.js';

test.each([
  [4, 27_755],
  [5, 73_416],
  [6, 168_434],
])('%i threads: %i states, all lemmas and MInv hold', (threads, states) => {
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
  const report = searchStates(system, system.properties, NO_LIMIT);
  expect(report.states).toBe(states);
  expect([...report.outcomes.values()].every(({ status }) => status === 'proved')).toBe(true);
});

test('17 threads, by all states', async () => {
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, 17), 17);
  const { results } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
  expect(results.at(-1)!.outcome.status).toBe('proved');
});

test.each([2, 3])(
  '%i threads by k-induction: lemma 27 needs 2P + 1 steps, as in the SRI report',
  async threads => {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
    const { results } = await prove(system, { engine: 'k-induction' }, NO_LIMIT);
    const depths = results.map(({ property, outcome }) => [
      property,
      outcome.status === 'proved' ? outcome.depth : 0,
    ]);
    expect(depths.filter(([, depth]) => depth !== 1)).toEqual([['L27', 2 * threads + 1]]);
  },
);

test('18 threads: our lemmas are not inductive any more', async () => {
  const threads = unknownThreads(1, 18);
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, ref(threads)), threads);
  const options = { engine: 'k-induction', properties: ['MInv'], maxDepth: 1 } as const;
  const { results } = await prove(system, options, NO_LIMIT);
  expect(results.at(-1)!.outcome.status).toBe('unknown');
});

describe.each([3, 4])('%i tables: for how many threads MInv holds, each by one proof and one run', tables => {
  const grid = [5, 6, 7, 8].flatMap(numerator =>
    [1, 2, 3, 4, 6, 8, 12, 16].map(
      (tax): LfhtParameters => ({
        ...REPORT_PARAMETERS,
        tables,
        tax,
        threshold: { numerator, denominator: 10 },
      }),
    ),
  );
  test.each(grid)('threshold $threshold.numerator/10, tax $tax', async parameters => {
    const most = largestThreads(parameters);
    const statusOf = async (system: System, engine: 'explicit' | 'k-induction'): Promise<string> => {
      const options = { engine, properties: ['MInv'], maxDepth: 1 } as const;
      const { results } = await prove(system, options, NO_LIMIT);
      return results.find(({ property }) => property === 'MInv')!.outcome.status;
    };
    if (most === 1) {
      expect(await statusOf(composeCounted(lfhtModel(parameters, 1), 1), 'explicit')).toBe('proved');
    } else if (most > 1) {
      const threads = unknownThreads(1, most);
      const system = composeCounted(lfhtModel(parameters, ref(threads)), threads);
      expect(await statusOf(system, 'k-induction')).toBe('proved');
    }
    const broken = composeCounted(lfhtModel(parameters, most + 1), most + 1);
    const runs = [{ commands: breakingRun(parameters, most + 1)!, start: TRUE }];
    expect(await statusOf({ ...broken, runs }, 'explicit')).toBe('refuted');
  });
});

test('one proof holds for 1 to 17 threads', async () => {
  const threads = unknownThreads(1, 17);
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, ref(threads)), threads);
  const options = { engine: 'k-induction', properties: ['MInv'], maxDepth: 1 } as const;
  const { results } = await prove(system, options, NO_LIMIT);
  expect(results.map(({ outcome }) => outcome.status)).toEqual(results.map(() => 'proved'));
});
