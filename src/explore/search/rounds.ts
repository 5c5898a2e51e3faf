/**
 * A search in rounds of tasks, whose paths, numbers and counts do not depend on the workers.
 *
 *     round   live states in the order of their histories ──cut──▶ task 1 │ task 2 │ task 3 │ ...
 *                 ▲                                                  │        │        │     done by any free worker
 *                 └── what is still alive, in the same order ◀── taken in: task 1, then 2, then 3, ...
 *
 * A round is planned before it begins: the states of each task, the coverage so far, the work limit
 * of a task. The result of a task depends on nothing else (`subtree.ts`), and results are merged in
 * the order of the tasks, so the number and speed of workers do not matter.
 *
 * A limit that is a count is reached inside a task. The round ends there: the task is merged up to
 * its last mark before the limit, the results after it are dropped, and the next round begins with
 * all states that are left.
 *
 *     task 3   ────┼────┼────┼──▶│ limit          next round   task 1 ──▶│ limit
 *                 mark      last mark  dropped                   explored again from the mark on
 *
 * A task that reaches the limit before its first mark is executed with exactly the remaining limit.
 * So the exploration stops at the same path, however many tasks were running, and at most the work
 * between two marks is done twice.
 *
 * **Invariant.** Everything left to explore is below the states of waiting tasks and below the
 * states that tasks have left; each task is merged once.
 */
import type { LeftPaths } from '../../findings/report.js';
import { assert } from '../../support/assert.js';
import { plural } from '../../support/plural.js';
import type { Machine } from '../machine/machine.js';
import type { ExploreOutcome, ExploreProgress, ExplorerLimits, SavedExploration } from './explorer.js';
import { LeftPlaces } from './left-places.js';
import type { EndedPath, NewBlock } from './path-memo.js';
import {
  type Covered,
  type LiveState,
  resultAt,
  type SubtreeLimits,
  type SubtreeProgress,
  type SubtreeResult,
  type SubtreeTask,
  type TaskStates,
} from './subtree.js';
import { RoundBounds, type TaskBound } from './task-bound.js';

/** The work of one task, about this many microseconds. */
const TASK_WORK = 4_000_000;
/** The number of tasks of the first round; each round has up to twice as many as the one before. */
const FIRST_TASKS = 16;
const MOST_TASKS = 1 << 17;
/**
 * Starting a task takes as long as a thousand short paths, so beyond this number of tasks each has
 * several states.
 */
const FEWEST_TASKS = 8;
const STATES_OF_TASK = 8;
/** The number of marks of a task in an exploration that has limits. */
const MARKS = 16;
/** States are restored by executing them again: a task does at least this many times that work. */
const TIMES_BROUGHT_BACK = 8;

/**
 * Executes a task at any time, anywhere. Undefined if it was stopped, or its bound was 0 before it
 * began.
 */
export type DoTask = (task: SubtreeTask, bound?: TaskBound) => Promise<SubtreeResult | undefined>;

export interface RoundsEvents {
  /**
   * Reports the results of a task. `newsOf` must be called for each new end, in order: it returns
   * the indices of the blocks that no earlier end was the first to execute.
   */
  readonly onTask: (
    result: SubtreeResult,
    states: TaskStates,
    newsOf: (end: EndedPath) => readonly number[],
  ) => void;
  /** Called when a task has been merged. */
  readonly onProgress: () => void;
}

export interface RoundsSettings {
  readonly limits: ExplorerLimits;
  readonly findings: {
    readonly areLimited: boolean;
    /** Why there are enough of them; undefined while there are not. */
    readonly limitReached: () => string | undefined;
    /** After how many paths of this result there will be; undefined if there will not. */
    readonly pathsUntil: (result: SubtreeResult) => number | undefined;
  };
  /** The work of a task (`Explorer.work`), and the work of loading the program. */
  readonly taskWork?: number | undefined;
  readonly loadingWork: number;
}

export interface RoundsStart {
  readonly saved: SavedExploration;
  /** Undefined if `saved` already is in rounds. */
  readonly live?: readonly LiveState[];
  readonly solverMs: number;
  /** The counts when this run began: limits are relative to them. */
  readonly before: Pick<SavedExploration, 'finished' | 'instructions'>;
}

export class Rounds {
  /** Holds the program and the coverage of the whole exploration; it executes nothing. */
  readonly machine: Machine;
  readonly #settings: RoundsSettings;
  readonly #events: RoundsEvents;
  readonly #before: RoundsStart['before'];
  /** All counts; the live states are in the lists below. */
  #saved: SavedExploration;
  #solverMs: number;
  #round: number;
  #start: Covered;
  /** The states of each task of the round, until it is done. */
  #waiting: (readonly LiveState[] | null)[];
  /** The states that each finished task has left. */
  #done: (readonly LiveState[] | null)[];
  readonly #told: Uint8Array;
  readonly #left: LeftPlaces;
  readonly #chosen: LeftPlaces;
  readonly #notes: Set<string>;
  #stopped: string | undefined;

  constructor(machine: Machine, start: RoundsStart, settings: RoundsSettings, events: RoundsEvents) {
    const { saved } = start;
    this.machine = machine;
    this.#settings = settings;
    this.#events = events;
    this.#before = start.before;
    this.#saved = saved;
    this.#solverMs = start.solverMs;
    this.#left = new LeftPlaces(saved.left);
    this.#chosen = new LeftPlaces(saved.chosen);
    this.#notes = new Set(saved.notes);
    this.#told = new Uint8Array(machine.program.mostBlocks);
    for (let block = 0; block < saved.news.told.length; block++)
      this.#told[block] = Number(saved.news.told[block]);
    if (saved.rounds === undefined) {
      assert(start.live !== undefined, 'rounds begin with live states');
      this.#round = 0;
      this.#start = this.#covered();
      this.#waiting = [null];
      this.#done = [start.live];
    } else {
      this.#round = saved.rounds.round;
      this.#start = saved.rounds.start;
      this.#waiting = [...saved.rounds.waiting];
      this.#done = [...saved.rounds.done];
      this.#blockIds(saved);
      for (let block = 0; block < saved.covered.length; block++)
        if (saved.covered[block] === '1') machine.coverEarlier(block);
    }
  }

  /** Executes tasks until nothing is left, a limit is reached, or it is stopped. */
  async run(doTask: DoTask): Promise<void> {
    this.#checkLimits();
    while (this.#stopped === undefined && this.#live > 0) {
      if (this.#waiting.every(states => states === null)) this.#plan();
      await this.#runRound(doTask);
    }
  }

  /**
   * Starts no more tasks. Finished ones are merged, which depends on the clock; `DoTask` returns
   * undefined for the others.
   */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined;
  }

  /** Divides the live states into the tasks of the next round. */
  #plan(): void {
    const states = this.#done.flatMap(live => live ?? []);
    this.#round++;
    this.#start = this.#covered();
    const most = Math.min(MOST_TASKS, FIRST_TASKS * 2 ** (this.#round - 1));
    const grouped = Math.max(FEWEST_TASKS, Math.ceil(states.length / STATES_OF_TASK));
    const tasks = Math.min(states.length, most, grouped);
    const cut = (task: number): number => Math.floor((task * states.length) / tasks);
    this.#waiting = Array.from({ length: tasks }, (_, i) => states.slice(cut(i), cut(i + 1)));
    this.#done = this.#waiting.map(() => null);
  }

  async #runRound(doTask: DoTask): Promise<void> {
    const tasks = this.#waiting.flatMap((states, number) => (states === null ? [] : [{ states, number }]));
    const given = tasks.map(({ states }) => this.#taskOf(states));
    const bounds = this.#hasLimits ? new RoundBounds(tasks.length, this.#remaining([])) : undefined;
    const settled = new Map<number, SubtreeResult>();
    const results = given.map(async (task, i) => {
      const result = await doTask(task, bounds?.of(i));
      if (result !== undefined) {
        settled.set(i, result);
        bounds?.lowerBehind(i, result);
      }
      return result;
    });
    // Dropped tasks may fail later.
    for (const result of results) result.catch(() => undefined);
    for (const [i, { number, states }] of tasks.entries()) {
      let result = await results[i];
      if (this.isStopped) break;
      // A killed leader with a lower limit may have left a result in the queue that is too short.
      const isShort = result?.isCut && this.#reachedBy(result, states) === undefined;
      if (result === undefined || isShort) result = await doTask(given[i]!);
      if (this.isStopped) break;
      assert(result !== undefined, 'a task that can count has a result');
      const limits = this.#reachedBy(result, states);
      if (limits !== undefined) bounds?.drop();
      const counted = limits === undefined ? result : await this.#within(limits, result, given[i]!, doTask);
      if (this.isStopped || counted === undefined) return;
      settled.delete(i);
      this.#takeIn(number, counted);
      if (limits !== undefined) this.#endRound();
      this.#events.onProgress();
      this.#checkLimits();
      if (limits !== undefined || this.isStopped) return;
    }
    for (const [i, { number }] of tasks.entries()) {
      const result = settled.get(i);
      if (result !== undefined && !result.isCut) this.#takeIn(number, result);
    }
  }

  /** What counts of a result that has reached these limits. Undefined if it was stopped. */
  async #within(
    limits: SubtreeLimits,
    result: SubtreeResult,
    task: SubtreeTask,
    doTask: DoTask,
  ): Promise<SubtreeResult | undefined> {
    const mark = result.marks.findLast(progress => !isReachedBy(progress, limits));
    if (mark !== undefined) return resultAt(result, mark);
    // The result is exact if the task began with these limits, or ended with the last path.
    const isLastPath = result.finished === limits.paths && result.endsWithPath;
    const isExact = isLastPath && !isReachedBy(result, { ...limits, paths: undefined });
    return isExact || areSame(limits, task.limits) ? result : doTask({ ...task, limits });
  }

  /** Tasks that are not merged remain for the next round. */
  #endRound(): void {
    for (const [number, states] of this.#waiting.entries()) if (states !== null) this.#done[number] = states;
    this.#waiting = this.#waiting.map(() => null);
  }

  #taskOf(states: readonly LiveState[]): SubtreeTask {
    const limits = this.#limitsOf(states);
    const markWork = this.#hasLimits ? Math.round(limits.work! / MARKS) : undefined;
    return { states, known: this.#start, limits, markWork };
  }

  get #hasLimits(): boolean {
    const { limits, findings } = this.#settings;
    const { paths, instructions, states } = limits;
    return findings.areLimited || [paths, instructions, states].some(limit => limit !== undefined);
  }

  #limitsOf(states: readonly LiveState[]): SubtreeLimits {
    const brought = states.reduce((sum, { instructions }) => sum + instructions, 0) / 50;
    const { taskWork = TASK_WORK, loadingWork } = this.#settings;
    const work = taskWork + loadingWork + TIMES_BROUGHT_BACK * brought;
    const { paths, instructions } = this.#remaining(states);
    return { paths, instructions, work: Math.round(work) };
  }

  /** The remaining limits for a task with these states. */
  #remaining(states: readonly LiveState[]): SubtreeLimits {
    const { paths, instructions, states: most } = this.#settings.limits;
    const left = (limit: number | undefined, used: number): number | undefined =>
      limit === undefined ? undefined : Math.max(1, limit - used);
    return {
      paths: left(paths, this.#saved.finished - this.#before.finished),
      instructions: left(instructions, this.#saved.instructions - this.#before.instructions),
      states: left(most, this.#live - states.length),
    };
  }

  /** The limits that are left for a task; undefined if its result is below all of them. */
  #reachedBy(result: SubtreeResult, states: readonly LiveState[]): SubtreeLimits | undefined {
    const left = { ...this.#limitsOf(states), ...this.#remaining(states) };
    const most = Number.POSITIVE_INFINITY;
    const paths = Math.min(left.paths ?? most, this.#settings.findings.pathsUntil(result) ?? most);
    const limits = { ...left, paths: paths === most ? undefined : paths };
    return isReachedBy(result, limits) ? limits : undefined;
  }

  #takeIn(number: number, result: SubtreeResult): void {
    const ids = this.#blockIds(result.known);
    for (const [i, id] of ids.entries()) if (result.known.covered[i] === '1') this.machine.coverEarlier(id);
    const before = this.#waiting[number]!.map(({ id }) => id);
    const next = this.#saved.nextStateId - before.length;
    const live = result.live.map(state => ({
      ...state,
      id: before[state.id] ?? next + state.id,
      news: state.news.map(block => ids[block]!),
    }));
    const after = live.map(({ id }) => id);
    this.#events.onTask(result, { before, after }, ({ news }) => this.#firstTold(news));
    this.#count(result);
    this.#waiting[number] = null;
    this.#done[number] = live;
  }

  #firstTold(news: readonly NewBlock[]): number[] {
    const { program } = this.machine;
    return news.flatMap(({ name, index }, i) => {
      const { id } = program.functionNamed(name)!.blocks[index]!;
      const isFirst = this.#told[id] === 0;
      this.#told[id] = 1;
      return isFirst ? [i] : [];
    });
  }

  #count(result: SubtreeResult): void {
    const { counts, finished, allocations, instructions, queries, nextStateId } = this.#saved;
    this.#saved = {
      ...this.#saved,
      counts: {
        completed: counts.completed + result.counts.completed,
        error: counts.error + result.counts.error,
        partial: counts.partial + result.counts.partial,
      },
      finished: finished + result.finished,
      allocations: allocations + result.allocations,
      instructions: instructions + result.instructions,
      queries: queries + result.queries,
      nextStateId: nextStateId + result.forks,
    };
    this.#solverMs += result.solverMs;
    for (const note of result.notes) this.#notes.add(note);
    for (const place of result.left) this.#left.addMany(place);
    for (const place of result.chosen) this.#chosen.addMany(place);
  }

  /** Maps the block numbers of a task to those of the whole exploration. */
  #blockIds({ functions, covered }: Pick<Covered, 'functions' | 'covered'>): number[] {
    const { program } = this.machine;
    const ids = functions.flatMap(name => {
      const target = program.functionNamed(name);
      assert(target !== undefined, 'tasks are about this program');
      return program.ready(target).blocks.map(({ id }) => id);
    });
    assert(ids.length === covered.length, 'blocks are alike everywhere');
    return ids;
  }

  #covered(): Covered {
    const { program, covered } = this.machine;
    const digits = (of: Uint8Array): string => program.blocks.map(({ id }) => of[id]).join('');
    const functions = [...new Set(program.blocks.map(({ target }) => target.name))];
    return { functions, covered: digits(covered), told: digits(this.#told) };
  }

  get #live(): number {
    const all = [...this.#waiting, ...this.#done];
    return all.reduce((count, states) => count + (states?.length ?? 0), 0);
  }

  #states(): LiveState[] {
    return this.#waiting.flatMap((states, number) => states ?? this.#done[number] ?? []);
  }

  #checkLimits(): void {
    const { instructions, paths, states } = this.#settings.limits;
    const { instructions: usedInstructions, finished } = this.#before;
    const live = this.#live;
    if (live === 0) return;
    if (instructions !== undefined && this.#saved.instructions - usedInstructions >= instructions)
      this.stop(`the limit of ${plural(instructions, 'instruction')} was reached`);
    if (paths !== undefined && this.#saved.finished - finished >= paths)
      this.stop(`the limit of ${plural(paths, 'path')} was reached`);
    if (states !== undefined && live > states)
      this.stop(`the limit of ${plural(states, 'state')} was reached`);
    const findings = this.#settings.findings.limitReached();
    if (findings !== undefined) this.stop(findings);
  }

  // ---------------------------------------------------------------------- as of an `Explorer`

  /** No states are missing. */
  readonly missing = 0;

  progress(): ExploreProgress {
    const { counts, instructions, queries } = this.#saved;
    return {
      paths: counts,
      states: this.#live,
      instructions,
      coveredBlocks: this.machine.coveredBlocks,
      knownBlocks: this.machine.program.blocks.length,
      queries,
      solverMs: this.#solverMs,
    };
  }

  outcome(): ExploreOutcome {
    const progress = this.progress();
    const { completed, error, partial } = progress.paths;
    return {
      ...progress,
      paths: { completed, error, partial: partial + progress.states },
      allocations: this.#saved.allocations,
      externalCalls: this.#saved.externalCalls,
      stopped: progress.states === 0 ? undefined : this.#stopped,
      notes: [...this.#notes],
    };
  }

  left(): LeftPaths[] {
    const places = this.#left.copy();
    for (const { place } of this.#states()) if (place !== undefined) places.add(place);
    return places.list();
  }

  chosen(): LeftPaths[] {
    return this.#chosen.list();
  }

  save(): SavedExploration {
    const { functions, covered, told } = this.#covered();
    const states = this.#states();
    return {
      ...this.#saved,
      notes: [...this.#notes],
      left: this.#left.all(),
      chosen: this.#chosen.all(),
      functions,
      covered,
      states: { histories: '', ids: states.map(({ id }) => id), instructions: [], fresh: [] },
      searcher: undefined,
      distances: undefined,
      turn: undefined,
      news: { told, links: [], ofStates: [] },
      rounds: { round: this.#round, start: this.#start, waiting: this.#waiting, done: this.#done },
    };
  }

  dispose(): void {
    this.machine.solver.dispose();
  }
}

function isReachedBy(progress: SubtreeProgress, { paths, instructions, states }: SubtreeLimits): boolean {
  const most = Number.POSITIVE_INFINITY;
  return (
    progress.finished >= (paths ?? most) ||
    progress.instructions >= (instructions ?? most) ||
    progress.mostStates > (states ?? most)
  );
}

function areSame(a: SubtreeLimits, b: SubtreeLimits): boolean {
  return (
    a.work === b.work && a.instructions === b.instructions && a.paths === b.paths && a.states === b.states
  );
}
