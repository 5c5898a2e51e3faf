/**
 * The hash table's migration: state counts that an independent run gave, lemmas, vacuity, and where
 * MInv breaks.
 */
import { describe, expect, test } from 'vitest';
import { composeCounted, composeNamed, unknownThreads } from './compose.js';
import { searchStates } from './explicit/search.js';
import { ref, TRUE } from './expression.js';
import { buildSystem } from './models/catalogue.js';
import { type LfhtParameters, lfhtModel, REPORT_PARAMETERS } from './models/lfht.js';
import { breakingRun, largestThreads } from './models/lfht-frontier.js';
import { prove } from './prove-system.js';
import { NO_LIMIT } from './result.js';

describe('the protocol of the SRI report', () => {
  test.each([
    [1, 232],
    [2, 1863],
    [3, 8504],
  ])('%i threads: %i states, all 28 lemmas and MInv hold', (threads, states) => {
    const system = composeCounted(lfhtModel(REPORT_PARAMETERS, threads), threads);
    expect(system.properties).toHaveLength(32); // L29, L30, L31 are ours
    const report = searchStates(system, system.properties, NO_LIMIT);
    expect(report.states).toBe(states);
    expect([...report.outcomes.values()].map(({ status }) => status)).toEqual(Array(32).fill('proved'));
    expect(report.vacuous).toEqual([{ kind: 'guard', command: 'full' }]);
  });

  test('named threads up to renaming have as many states as counted ones', () => {
    const system = composeNamed(lfhtModel(REPORT_PARAMETERS, 3), 3);
    const report = searchStates(system, system.properties, NO_LIMIT);
    expect([report.states, report.depth]).toEqual([8504, 237]);
  });

  test('with a tax of one entry, two threads violate MInv; the trace ends with an early growth', async () => {
    const system = composeCounted(lfhtModel({ ...REPORT_PARAMETERS, tax: 1 }, 2), 2);
    const { results } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
    const outcome = results.at(-1)!.outcome;
    expect(outcome.status).toBe('refuted');
    if (outcome.status !== 'refuted') return;
    expect(outcome.trace).toHaveLength(120);
    expect(outcome.trace.at(-1)!.command).toBe('grow');
    expect(outcome.trace[0]!.state).toHaveLength(system.variables.length);
  });
});

const small: LfhtParameters = { ...REPORT_PARAMETERS, firstSize: 8 };

async function statusOfMInv(parameters: LfhtParameters, threads: number): Promise<string> {
  const system = composeCounted(lfhtModel(parameters, threads), threads);
  const { results } = await prove(system, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
  return results.find(({ property }) => property === 'MInv')!.outcome.status;
}

describe('for how many threads MInv holds', () => {
  const grid = [1, 2, 3, 4].flatMap(tax =>
    [5, 6].map((numerator): LfhtParameters => ({ ...small, tax, threshold: { numerator, denominator: 10 } })),
  );

  test.each(grid)(
    'tax $tax, threshold $threshold.numerator/10: the formula agrees with the enumeration of states',
    async parameters => {
      const threads = largestThreads(parameters);
      if (threads > 0) expect(await statusOfMInv(parameters, threads)).toBe('proved');
      expect(await statusOfMInv(parameters, threads + 1)).toBe('refuted');
    },
  );

  test.each(grid)(
    'tax $tax, threshold $threshold.numerator/10: the run that violates MInv is a run of the model',
    async parameters => {
      const threads = largestThreads(parameters) + 1;
      const system = {
        ...composeCounted(lfhtModel(parameters, threads), threads),
        runs: [{ commands: breakingRun(parameters, threads)!, start: TRUE }],
      };
      const { results } = await prove(
        system,
        { engine: 'explicit', properties: ['MInv'], maxStates: 1 },
        NO_LIMIT,
      );
      expect(results[0]!.outcome.status).toBe('refuted');
    },
  );

  test('more than three tables change nothing, except for a tax of one entry, where one thread is too late for the third growth', async () => {
    const four = { ...REPORT_PARAMETERS, tables: 4 };
    expect(largestThreads(four)).toBe(17);
    expect(largestThreads({ ...four, tax: 1 })).toBe(0);
    const system = composeCounted(lfhtModel({ ...four, tax: 1 }, 1), 1);
    const suspected = {
      ...system,
      runs: [{ commands: breakingRun({ ...four, tax: 1 }, 1)!, start: TRUE }],
    };
    for (const one of [system, suspected]) {
      const { results } = await prove(one, { engine: 'explicit', properties: ['MInv'] }, NO_LIMIT);
      const { outcome } = results.at(-1)!;
      expect(outcome.status === 'refuted' && outcome.trace.length - 1).toBe(237);
    }
  });

  test('with two tables there is no second growth that could be early', () => {
    const two: LfhtParameters = { ...REPORT_PARAMETERS, tables: 2 };
    expect(largestThreads(two)).toBe(Number.POSITIVE_INFINITY);
    expect(breakingRun(two, 1000)).toBeUndefined();
  });

  test('with the tax and the threshold of the SRI report: 17', () => {
    expect(largestThreads(REPORT_PARAMETERS)).toBe(17);
  });
});

describe('a number of threads that is not given', () => {
  const systemOf = (threads: { readonly from: number; readonly to?: number }) =>
    buildSystem({ kind: 'built-in', name: 'lfht', threads })!;

  test.each([
    ['any number', { from: 1 }, 18],
    ['1 to 20', { from: 1, to: 20 }, 18],
    ['at least 30', { from: 30 }, 30],
  ])('%s: the run of the fewest threads that violate MInv', async (_, threads, broken) => {
    const system = systemOf(threads);
    const { results } = await prove(system, { engine: 'auto', properties: ['MInv'] }, NO_LIMIT);
    const { outcome } = results[0]!;
    expect(outcome.status).toBe('refuted');
    if (outcome.status !== 'refuted') return;
    const at = system.variables.findIndex(({ name }) => name === 'P');
    expect(outcome.trace[0]!.state[at]).toBe(broken);
  });

  test('any number: auto decides all but lemma 27, and ends', async () => {
    const { results } = await prove(systemOf({ from: 1 }), { engine: 'auto' }, NO_LIMIT);
    const others = results.filter(({ outcome }) => outcome.status !== 'proved');
    expect(others.map(({ property, outcome }) => [property, outcome.status])).toEqual([
      ['L30', 'refuted'],
      ['MInv', 'refuted'],
      ['L27', 'unknown'],
    ]);
    expect(others.at(-1)!.outcome).toMatchObject({ reason: expect.stringContaining('no number of steps') });
  });

  test('1 to 17, which do not violate it: no run', () => {
    expect(systemOf({ from: 1, to: 17 }).runs).toEqual([]);
  });
});

test('auto gives up on an induction over more steps than it tries, and decides the rest', async () => {
  const system = composeCounted(lfhtModel(REPORT_PARAMETERS, 99), 99);
  const options = { engine: 'auto', properties: ['L26', 'L27'], maxStates: 100 } as const;
  const { results } = await prove(system, options, NO_LIMIT);
  const outcomes = new Map(results.map(({ property, outcome }) => [property, outcome]));
  expect(outcomes.get('L26')).toMatchObject({ status: 'proved' });
  expect(outcomes.get('L27')).toMatchObject({
    status: 'unknown',
    reason: expect.stringContaining('199 steps'),
  });
});

describe('changes that make it hold for any number of threads', () => {
  const any = unknownThreads(1);
  const statuses = async (variant: LfhtParameters['variant']): Promise<Record<string, string>> => {
    const system = composeCounted(lfhtModel({ ...REPORT_PARAMETERS, variant }, ref(any)), any);
    const options = { engine: 'k-induction', properties: ['MInv', 'Room'], maxDepth: 1 } as const;
    const { results } = await prove(system, options, NO_LIMIT);
    return Object.fromEntries(results.map(({ property, outcome }) => [property, outcome.status]));
  };

  test('growing only when the old header is assimilated: MInv, by one conjunct', async () => {
    expect(await statuses('grow-when-assimilated')).toMatchObject({ MInv: 'proved', Room: 'unknown' });
    // With many threads a header overflows: freebies take the slots that migration needs.
    const parameters: LfhtParameters = { ...small, firstSize: 2, variant: 'grow-when-assimilated' };
    const system = composeCounted(lfhtModel(parameters, 6), 6);
    const { results } = await prove(system, { engine: 'explicit', properties: ['Room'] }, NO_LIMIT);
    expect(results.at(-1)!.outcome.status).toBe('refuted');
  });

  test('and reserving space for entries that are still to be migrated: no header overflows either', async () => {
    expect(await statuses('reserve')).toMatchObject({ MInv: 'proved', Room: 'proved', L32: 'proved' });
  });
});
