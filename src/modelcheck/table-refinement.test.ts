/**
 * The code that ships refines its model; code that announces the end of a migration too early does
 * not.
 */
import { describe, expect, test } from 'vitest';
import type { TableOperation } from '../hashtable/index.js';
import { NO_LIMIT } from './result.js';
import { readOperations } from './table-operations.js';
import { type CodeRequest, checkTableCode } from './table-refinement.js';

function requestFor(text: string, capacity: number, entries: number): CodeRequest {
  const read = readOperations(text, 2);
  if (read.kind === 'invalid') throw new Error(read.message);
  const before = Array.from(
    { length: entries },
    (_, i): TableOperation => ({ kind: 'add', key: 100 + i, value: i }),
  );
  return { threads: read.threads, before, capacity, tax: 2 };
}

describe('the hash table and its model', () => {
  test('without migration: all interleavings of two threads', () => {
    const report = checkTableCode(requestFor('add', 8, 0), NO_LIMIT);
    expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['proved', 'proved']);
    expect(report.executions).toBeGreaterThan(1);
    expect(report.silent).toBeLessThan(report.steps);
  });

  test('during migration: entries are frozen one by one, or the table is quiet, and they are copied', () => {
    const report = checkTableCode(requestFor('add add', 4, 1), NO_LIMIT);
    expect(report.results.map(({ outcome }) => outcome.status)).toEqual(['proved', 'proved']);
    for (const command of ['insert', 'insert into the old table', 'freeze', 'quiet', 'copy', 'assimilated'])
      expect(report.taken.get(command), command).toBeGreaterThan(0);
  });

  test('a handle that marks the old table assimilated too early does not refine the model', () => {
    const report = checkTableCode({ ...requestFor('find:100', 4, 2), mistake: 'declaresTooEarly' }, NO_LIMIT);
    const [, refinement] = report.results;
    expect(refinement!.outcome.status).toBe('refuted');
    if (refinement!.outcome.status !== 'refuted') return;
    expect(refinement!.outcome.trace.at(-1)!.command).toMatch(
      /^refinement: head.expanded of thread 1 takes the model/,
    );
  });
});

test.each([
  ['', 'no operations are given'],
  ['add sub', "'sub' is not an operation: add, find, remove, with :KEY or without, reopen"],
  ['add:9999999', 'the key 9999999 is too large'],
])('--ops %j is refused', (text, message) => {
  expect(readOperations(text, 2)).toEqual({ kind: 'invalid', message });
});
