import { expect, test } from 'vitest';
import type { SubtreeProgress } from './subtree.js';
import { RoundBounds, TaskBound } from './task-bound.js';

const done = (finished: number, instructions: number): SubtreeProgress =>
  ({ finished, instructions }) as SubtreeProgress;

test('a bound is what earlier tasks that are done leave of the limits', () => {
  const bounds = new RoundBounds(4, { paths: 100, instructions: 5000 });
  const left = (): number[][] => [0, 1, 2, 3].map(i => [bounds.of(i).paths, bounds.of(i).instructions]);
  const unbounded = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  expect(left()).toEqual([unbounded, unbounded, unbounded, unbounded]);
  bounds.lowerBehind(2, done(30, 1000));
  expect(left()).toEqual([unbounded, unbounded, unbounded, [70, 4000]]);
  bounds.lowerBehind(0, done(40, 4500));
  expect(left()).toEqual([unbounded, [60, 500], unbounded, [30, 0]]);
  expect(bounds.of(1).isZero).toBe(false);
  expect(bounds.of(3).isZero).toBe(true);
  bounds.drop();
  bounds.lowerBehind(1, done(0, 0));
  expect([0, 1, 2, 3].every(i => bounds.of(i).isZero)).toBe(true);
});

test('a limit that does not exist is no bound', () => {
  const bounds = new RoundBounds(2, { paths: undefined, instructions: 10 });
  bounds.lowerBehind(0, done(1_000_000, 4));
  expect(bounds.of(1).isReachedBy(1_000_000, 5)).toBe(false);
  expect(bounds.of(1).isReachedBy(0, 6)).toBe(true);
});

test('another thread sees the bound in the same memory', () => {
  const bound = new TaskBound();
  const other = new TaskBound(bound.cells);
  bound.lower(7, Number.POSITIVE_INFINITY);
  expect(other.isReachedBy(6, 1e12)).toBe(false);
  expect(other.isReachedBy(7, 0)).toBe(true);
});
