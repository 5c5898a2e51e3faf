/**
 * The tasks of a search in rounds (`rounds.ts`) in the order in which they are merged.
 *
 *     task 1 │ task 2 │ task 3            tasks that wait
 *        └───────│──┬─────│─────▶ 1a │ 1b     once their task is merged they wait behind all others,
 *                └──│─────│─────▶ 2a          but they may begin as soon as it is done
 *
 * **Invariant.** The tasks that a task leaves are a function of its result.
 */
import type { Covered, LiveState, SavedRounds, SubtreeResult } from './subtree.js';
import { TaskBound } from './task-bound.js';

/**
 * The work of a task of the first round, about this many microseconds. It doubles from round to
 * round, so that a short exploration does not end with workers that wait for one long task.
 */
const FIRST_WORK = 1_000_000;
const MOST_WORK = 4_000_000;
/** The largest number of tasks of the first round, and of tasks that a task leaves. */
const FIRST_TASKS = 16;
const LEFT_TASKS = 4;
/**
 * Starting a task takes as long as a thousand short paths, so beyond this number of tasks each has
 * several states.
 */
const FEWEST_TASKS = 8;
const STATES_OF_TASK = 8;

/** A task that has not been merged. */
export class WaitingTask {
  /** As the exploration numbers them once the task before it is merged. */
  states: readonly LiveState[];
  readonly known: Covered;
  /** From 1; the tasks that a task leaves belong to the next round. */
  readonly round: number;
  readonly bound: TaskBound = new TaskBound();
  /** Set when the task has begun. */
  running: Promise<SubtreeResult | undefined> | undefined;
  /** Set when the task is done. */
  result: SubtreeResult | undefined;
  /** What it leaves, if that has been planned. */
  left: readonly WaitingTask[] = [];
  /** Whether its result is not used. */
  isDropped = false;

  constructor(states: readonly LiveState[], known: Covered, round: number) {
    this.states = states;
    this.known = known;
    this.round = round;
  }

  /** The same task before it has begun. */
  again(): WaitingTask {
    return new WaitingTask(this.states, this.known, this.round);
  }
}

export function workOfRound(round: number): number {
  return Math.min(MOST_WORK, FIRST_WORK * 2 ** (round - 1));
}

/** Divides live states into tasks. */
export function tasksOf(states: readonly LiveState[], known: Covered, round: number): WaitingTask[] {
  const most = round === 1 ? FIRST_TASKS : LEFT_TASKS;
  const grouped = Math.max(FEWEST_TASKS, Math.ceil(states.length / STATES_OF_TASK));
  const tasks = Math.min(states.length, most, grouped);
  const cut = (task: number): number => Math.floor((task * states.length) / tasks);
  return Array.from(
    { length: tasks },
    (_, i) => new WaitingTask(states.slice(cut(i), cut(i + 1)), known, round),
  );
}

/** The tasks of what a task has left. */
export function leftBy({ round }: WaitingTask, { live, known }: SubtreeResult): WaitingTask[] {
  return tasksOf(live, known, round + 1);
}

/** All tasks that have been planned, in the order in which they would be merged. */
export function inOrder(waiting: readonly WaitingTask[]): WaitingTask[] {
  const all = [...waiting];
  for (let i = 0; i < all.length; i++) for (const task of all[i]!.left) all.push(task);
  return all;
}

/** What is left of the limits. */
export interface LeftLimits {
  readonly paths?: number | undefined;
  readonly instructions?: number | undefined;
}

/** Lowers the bounds of running tasks by what the tasks before them have explored. */
export function lowerBounds(waiting: readonly WaitingTask[], left: LeftLimits): void {
  let { paths = Number.POSITIVE_INFINITY, instructions = Number.POSITIVE_INFINITY } = left;
  for (const { bound, result } of inOrder(waiting)) {
    if (result === undefined) bound.lower(paths, instructions);
    paths -= result?.finished ?? 0;
    instructions -= result?.instructions ?? 0;
  }
}

/** Nothing that these tasks explore can count any more. */
export function dropAll(waiting: readonly WaitingTask[]): void {
  for (const task of inOrder(waiting)) {
    task.isDropped = true;
    task.bound.lower(0, 0);
  }
}

export function saveTasks(waiting: readonly WaitingTask[]): SavedRounds {
  const groups: { known: Covered; round: number; tasks: (readonly LiveState[])[] }[] = [];
  for (const { states, known, round } of waiting) {
    const last = groups.at(-1);
    if (last !== undefined && last.known === known && last.round === round) last.tasks.push(states);
    else groups.push({ known, round, tasks: [states] });
  }
  return groups;
}

export function restoreTasks(saved: SavedRounds): WaitingTask[] {
  return saved.flatMap(({ known, round, tasks }) =>
    tasks.map(states => new WaitingTask(states, known, round)),
  );
}
