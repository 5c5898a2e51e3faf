/**
 * For tests: operations on a table, and programs of them that several tests explore.
 */
import type { TableOperation, TableScenario } from './table-scenario.js';

export const add = (key: number, value: number): TableOperation => ({ kind: 'add', key, value });
export const remove = (key: number): TableOperation => ({ kind: 'remove', key });
export const find = (key: number): TableOperation => ({ kind: 'find', key });

/** Small enough to be explored in more than one way. */
export const smallScenarios: Readonly<Record<string, TableScenario>> = {
  'a removal and an update': {
    ...{ capacity: 2, before: [add(1, 10)] },
    threads: [[remove(1)], [add(1, 11)]],
  },
  'a slow thread: the race of footnote 2': {
    ...{ capacity: 2, tax: 8, before: [add(1, 10)] },
    threads: [[find(1)], [add(2, 20), find(1)]],
  },
  'a handle is opened anew during the migration': {
    ...{ capacity: 2, tax: 4, before: [add(1, 10)] },
    threads: [[{ kind: 'reopen' }, find(1)], [add(2, 20)]],
  },
  '2 × 2, one block': {
    ...{ capacity: 4, tax: 8, before: [add(1, 10)] },
    threads: [
      [add(2, 20), remove(2)],
      [add(1, 11), find(2)],
    ],
  },
  '2 × 2, two growths': {
    ...{ capacity: 2, tax: 1 },
    threads: [
      [add(2, 20), find(1)],
      [remove(2), add(1, 12)],
    ],
  },
  '2 × 2, values in cells': {
    ...{ capacity: 4, tax: 8, wide: true, before: [add(1, 10)] },
    threads: [
      [add(2, 20), remove(2)],
      [add(1, 11), find(2)],
    ],
  },
  '2 × 2, a key with an entry past the end': {
    ...{ capacity: 2, before: [add(0, 10), add(1, 11)] },
    threads: [
      [add(2, 20), remove(0)],
      [add(0, 12), find(0)],
    ],
  },
  // The second add of a thread needs not reserve an entry, as most adds to a large table.
  '2 × 2, entries reserved before': {
    ...{ capacity: 4, tax: 8, batch: 2 },
    threads: [
      [add(1, 10), add(2, 20)],
      [add(3, 30), add(2, 21)],
    ],
  },
  // The table is made anew at its size, and once more in the memory of the first.
  '2 × 3, the same size twice': {
    ...{ capacity: 4, tax: 8, sameSizeFrom: 4, before: [add(1, 10), remove(1)] },
    threads: [
      [add(2, 20), remove(2), add(3, 30)],
      [find(2), remove(3), find(3)],
    ],
  },
  '2 × 3, both migrate': {
    ...{ capacity: 2, tax: 2, before: [add(1, 10)] },
    threads: [
      [add(2, 20), remove(1), find(2)],
      [add(1, 11), find(2), remove(2)],
    ],
  },
  '3 × 1, all migrate': { capacity: 2, threads: [[add(2, 20)], [find(2)], [remove(2)]] },
  '3 × 2, one growth': {
    ...{ capacity: 4, tax: 1, before: [add(1, 10)] },
    threads: [
      [add(2, 20), find(1)],
      [find(1), find(2)],
      [remove(1), find(1)],
    ],
  },
};
