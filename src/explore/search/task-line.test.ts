import { expect, test } from 'vitest';
import type { Covered, LiveState, SubtreeResult } from './subtree.js';
import { dropAll, inOrder, leftBy, lowerBounds, restoreTasks, saveTasks, tasksOf } from './task-line.js';

const known: Covered = { functions: ['main'], covered: '1', told: '0' };
const statesOf = (count: number): LiveState[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    history: String(id),
    instructions: 0,
    news: [],
    place: undefined,
  }));
const done = (finished: number, instructions: number, live = 0): SubtreeResult =>
  ({ finished, instructions, live: statesOf(live), known }) as unknown as SubtreeResult;

test('a bound is what earlier tasks that are done leave of the limits', () => {
  const tasks = tasksOf(statesOf(4), known, 1);
  const bounds = (): number[][] => tasks.map(({ bound }) => [bound.paths, bound.instructions]);
  const left = { paths: 100, instructions: 5000 };
  lowerBounds(tasks, left);
  expect(bounds()).toEqual(Array(4).fill([100, 5000]));
  tasks[2]!.result = done(30, 1000);
  lowerBounds(tasks, left);
  expect(bounds()[3]).toEqual([70, 4000]);
  tasks[0]!.result = done(40, 4500);
  lowerBounds(tasks, left);
  expect(bounds()[1]).toEqual([60, 500]);
  expect(bounds()[3]).toEqual([30, 0]);
  expect(tasks[1]!.bound.isZero).toBe(false);
  expect(tasks[3]!.bound.isZero).toBe(true);
  dropAll(tasks);
  expect(tasks.every(({ bound }) => bound.isZero)).toBe(true);
});

test('a limit that does not exist is no bound', () => {
  const [first, second] = tasksOf(statesOf(2), known, 1);
  first!.result = done(1_000_000, 4);
  lowerBounds([first!, second!], { instructions: 10 });
  expect(second!.bound.isReachedBy(1_000_000, 5)).toBe(false);
  expect(second!.bound.isReachedBy(0, 6)).toBe(true);
});

test('what a task leaves comes behind all tasks that wait', () => {
  const tasks = tasksOf(statesOf(2), known, 1);
  const leave = (at: number, live: number): void => {
    const result = done(10, 100, live);
    tasks[at]!.result = result;
    tasks[at]!.left = leftBy(tasks[at]!, result);
  };
  leave(1, 2);
  leave(0, 1);
  expect(inOrder(tasks).map(({ round }) => round)).toEqual([1, 1, 2, 2, 2]);
  expect(inOrder(tasks).slice(2)).toEqual([...tasks[0]!.left, ...tasks[1]!.left]);
  lowerBounds(tasks, { paths: 50 });
  expect(tasks[0]!.left[0]!.bound.paths).toBe(30);
});

test('saved tasks are restored with their states and rounds', () => {
  const tasks = [...tasksOf(statesOf(40), known, 1), ...tasksOf(statesOf(3), { ...known }, 2)];
  const saved = saveTasks(tasks);
  expect(saved).toHaveLength(2);
  const restored = restoreTasks(JSON.parse(JSON.stringify(saved)));
  const plain = (from: typeof tasks): unknown[] =>
    from.map(({ states, round }) => [states.map(({ history }) => history), round]);
  expect(plain(restored)).toEqual(plain(tasks));
});
