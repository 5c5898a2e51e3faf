/**
 * More operations per thread than `table-scenario.test.ts` has time for; the same checks.
 */
import { expect, test } from 'vitest';
import { add, find, remove, smallScenarios } from './scenarios-testing.js';
import { exploreTable, type TableScenario } from './table-scenario.js';

const scenarios: Record<string, TableScenario> = {
  ...smallScenarios,
  'a find and an update while the table is migrated': {
    ...{ capacity: 2, before: [add(1, 10)] },
    threads: [[find(1)], [add(1, 11)]],
  },
  'the race of footnote 3': {
    ...{ capacity: 4, tax: 8, before: [add(1, 10)] },
    threads: [[add(3, 30)], [add(2, 20), find(2)]],
  },
  '2 × 2, blocks of two': {
    capacity: 2,
    threads: [
      [add(2, 20), find(1)],
      [remove(2), add(1, 12)],
    ],
  },
  '2 × 2, one key': {
    capacity: 2,
    before: [add(1, 10)],
    threads: [
      [remove(1), add(1, 12)],
      [find(1), find(1)],
    ],
  },
  '2 × 3': {
    capacity: 4,
    tax: 2,
    threads: [
      [add(1, 10), add(2, 20), find(1)],
      [remove(1), find(2), add(1, 12)],
    ],
  },
  '2 × 3, in the middle of a growth': {
    ...{ capacity: 4, tax: 2, before: [add(1, 10)] },
    threads: [
      [add(2, 20), add(3, 30), find(1)],
      [remove(1), find(2), add(1, 12)],
    ],
  },
  '2 × 3, the same size and then twice that': {
    ...{ capacity: 4, tax: 8, sameSizeFrom: 4, before: [add(1, 10), remove(1)] },
    threads: [
      [add(2, 20), remove(2), add(3, 30)],
      [add(1, 11), find(2), find(3)],
    ],
  },
  '2 × 3, values in cells': { ...smallScenarios['2 × 3, both migrate']!, wide: true },
  '3 × 2, the same size': {
    ...{ capacity: 8, tax: 16, sameSizeFrom: 8 },
    before: [add(1, 10), add(2, 20), add(3, 30), add(4, 40), remove(1), remove(2), remove(3)],
    threads: [
      [add(5, 50), find(4)],
      [add(4, 41), find(5)],
      [remove(4), add(1, 11)],
    ],
  },
  '3 × 1, two growths': {
    ...{ capacity: 2, tax: 2 },
    threads: [[add(2, 20)], [add(1, 12)], [remove(2)]],
  },
  '3 × 2, two growths': {
    ...{ capacity: 2, tax: 8 },
    threads: [
      [add(2, 20), find(1)],
      [remove(2), add(1, 12)],
      [find(2), find(1)],
    ],
  },
  '3 × 3, the same size': {
    ...{ capacity: 8, tax: 16, sameSizeFrom: 8 },
    before: [add(1, 10), add(2, 20), add(3, 30), add(4, 40), remove(1), remove(2), remove(3)],
    threads: [
      [add(5, 50), find(4), remove(5)],
      [add(4, 41), find(5), find(4)],
      [remove(4), add(1, 11), find(1)],
    ],
  },
  '3 × 2, all change something': {
    ...{ capacity: 4, tax: 2, before: [add(1, 10)] },
    threads: [
      [add(2, 20), find(1)],
      [add(1, 11), find(2)],
      [remove(1), find(1)],
    ],
  },
  '3 × 2, five changes': {
    ...{ capacity: 4, tax: 4, before: [add(1, 10)] },
    threads: [
      [add(2, 20), remove(1)],
      [add(1, 11), find(2)],
      [remove(2), add(3, 30)],
    ],
  },
  '3 threads, entries reserved before': {
    ...{ capacity: 8, tax: 16, batch: 2, before: [add(1, 10), add(4, 40)] },
    threads: [[add(2, 20), add(3, 30)], [add(3, 31)], [remove(1)]],
  },
  '3 × 2, six changes': {
    ...{ capacity: 4, tax: 2, before: [add(1, 10)] },
    threads: [
      [add(2, 20), remove(1)],
      [add(1, 11), remove(2)],
      [add(3, 30), add(1, 12)],
    ],
  },
  '3 × 3, one block': {
    ...{ capacity: 4, tax: 8, before: [add(1, 10)] },
    threads: [
      [add(2, 20), find(1), remove(2)],
      [add(1, 11), find(2), find(1)],
      [remove(1), find(1), add(1, 12)],
    ],
  },
};

/** It takes three of the eight minutes; '3 × 2, the same size' is the same with less. */
const largest = '3 × 3, the same size';
const runsAll = process.env.REDZONE_EXHAUSTIVE === '1';

for (const [name, scenario] of Object.entries(scenarios))
  test.skipIf(name === largest && !runsAll)(name, () => {
    const from = performance.now();
    const { violation, outcome, states, steps, finalStates } = exploreTable({
      ...scenario,
      maxSteps: 80_000_000,
    });
    const seconds = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${name}: ${outcome}, ${states} states, ${finalStates} final, ${steps} steps, ${seconds} s`);
    expect(violation?.message).toBe(undefined);
    expect(outcome).toBe('exhausted');
  });
