import { expect, test } from 'vitest';
import { TaskBound } from './task-bound.js';

test('another thread sees the bound in the same memory', () => {
  const bound = new TaskBound();
  const other = new TaskBound(bound.cells);
  bound.lower(7, Number.POSITIVE_INFINITY);
  expect(other.isReachedBy(6, 1e12)).toBe(false);
  expect(other.isReachedBy(7, 0)).toBe(true);
});
