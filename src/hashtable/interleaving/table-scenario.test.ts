/**
 * The table under a scheduler that owns every atomic step: all interleavings of small programs
 * around a growth. Larger ones are in `table-scenario.long.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { add, find, remove, smallScenarios } from './scenarios-testing.js';
import { exploreTable, type TableScenario } from './table-scenario.js';

/** The second add of the first thread needs not reserve an entry. */
const reservedBefore: TableScenario = {
  ...{ capacity: 4, tax: 8, batch: 2 },
  threads: [[add(1, 10), add(2, 20)], [add(2, 21)]],
};

describe('all interleavings around a growth are linearisable, and no table is lost or used after its release', () => {
  const scenarios: Record<string, TableScenario> = {
    'two adds to a table that must grow': {
      capacity: 4,
      before: [add(1, 10)],
      threads: [[add(2, 20)], [add(3, 30)]],
    },
    'three threads: one makes it grow, one removes, one finds': {
      ...{ capacity: 4, before: [add(1, 10)] },
      threads: [[add(2, 20)], [remove(1)], [find(1)]],
    },
    'a handle is opened anew while the table grows': {
      ...{ capacity: 4, before: [add(1, 10)] },
      threads: [[add(2, 20)], [{ kind: 'reopen' }, find(2)]],
    },
    'the table is deleted while a handle is opened': {
      threads: [[{ kind: 'reopen' }], [{ kind: 'delete' }, { kind: 'reopen' }]],
    },
    'two threads add a key, with entries reserved before': reservedBefore,
    'the table is deleted while it grows': {
      ...{ capacity: 2, before: [add(1, 10)] },
      threads: [[{ kind: 'delete' }], [add(2, 20)]],
    },
  };

  test.each(Object.entries(scenarios))('%s', (_, scenario) => {
    const { violation, outcome } = exploreTable(scenario);
    expect(violation?.message).toBe(undefined);
    expect(outcome).toBe('exhausted');
  });
});

test('a table is replaced by one of the same size in released memory, and no thread confuses the two', () => {
  const kinds = new Set<string>();
  const { violation, outcome } = exploreTable({
    ...smallScenarios['2 × 3, the same size twice']!,
    checkStep({ step, wroteByteCount }) {
      if (wroteByteCount > 0) kinds.add(step);
      return undefined;
    },
  });
  expect(violation?.message).toBe(undefined);
  expect(outcome).toBe('exhausted');
  expect([...kinds]).toEqual(expect.arrayContaining(['head.grow', 'head.expanded', 'pool.push', 'pool.pop']));
});

describe('the races of the SRI report', () => {
  test('footnote 2: a slow thread that ends a later migration loses its entries', () => {
    const { violation } = exploreTable({
      ...{ capacity: 2, tax: 8, before: [add(1, 10)] },
      threads: [[find(1)], [add(2, 20), find(1)]],
      mistake: 'endsAnyMigration',
    });
    expect(violation?.message).toMatch(/^not linearisable: .*1: find\(1\) = -1/);
    const states = violation!.trace.filter(
      ({ step, wroteByteCount }) => /head.(grow|expanded)/.test(step) && wroteByteCount,
    );
    expect(states.map(({ step }) => step)).toEqual(['head.expanded', 'head.grow', 'head.expanded']);
  });

  const race = {
    ...{ capacity: 4, tax: 8, before: [add(1, 10)] },
    threads: [[add(3, 30)], [add(2, 20), find(2)]],
  };

  test('footnote 3: a migrator that skips an unfinished add loses it', () => {
    const { violation } = exploreTable({ ...race, mistake: 'skipsUnfinishedAdds' });
    expect(violation?.message).toMatch(/^not linearisable: .*0: add\(3,30\) = inserted.*end: find\(3\) = -1/);
  });

  test('footnote 3 again, with entries reserved before', () => {
    const { violation } = exploreTable({ ...reservedBefore, mistake: 'skipsUnfinishedAdds' });
    expect(violation?.message).toMatch(/^not linearisable: .*0: add\(1,10\) = inserted.*end: find\(1\) = -1/);
  });

  test('a table that is copied as quiet while a thread writes to it loses the writes', () => {
    const { violation } = exploreTable({ ...race, mistake: 'takesOldForQuiet' });
    expect(violation?.message).toMatch(/^not linearisable: .*0: add\(3,30\) = inserted.*end: find\(3\) = -1/);
  });

  test('the lock of the SRI report: a reference that is counted too late refers to a released table', () => {
    const { violation } = exploreTable({
      threads: [[{ kind: 'reopen' }], [{ kind: 'delete' }, { kind: 'reopen' }]],
      mistake: 'pinsInTwoSteps',
    });
    expect(violation?.message).toMatch(/released/);
  });
});

test.each([1, 2])(
  'an operation on a table that is not migrated writes only its value word (batches of %i)',
  batch => {
    const writes: string[] = [];
    const { outcome } = exploreTable({
      ...{ capacity: 16, batch, before: [add(1, 10)] },
      threads: [[find(1), find(2), add(1, 11), find(1)]],
      checkStep({ step, wroteByteCount }) {
        if (wroteByteCount > 0) writes.push(step);
        return undefined;
      },
    });
    expect(outcome).toBe('exhausted');
    expect(writes).toEqual(['value.write']);
  },
);
