/**
 * A search in rounds of tasks, whose paths, numbers and counts do not depend on the workers.
 *
 *     waiting   task 1 │ task 2 │ task 3 │ ...      the first tasks: live states in the order of their histories
 *                  │        │        │              done by any free worker
 *                  ▼        ▼        ▼
 *     merged    task 1, then 2, then 3, ...         the states that a task has left become tasks at the end
 *
 * The result of a task depends on nothing but the task (`subtree.ts`), and the tasks that it leaves
 * depend on nothing but its result (`task-line.ts`). Results are merged in the order in which tasks
 * wait, so the number and speed of workers do not matter. The tasks that a result leaves may begin
 * before it is merged: workers need not wait for the last task of a round.
 *
 * A limit that is a count is reached inside a task. It is merged up to its last mark before the
 * limit; the states that are live there become the first tasks, and all other tasks wait again.
 *
 *     task 3   ────┼────┼────┼──▶│ limit          then         task 1 ──▶│ limit
 *                 mark      last mark  dropped                 explored again from the mark on
 *
 * A task that reaches the limit before its first mark is executed with exactly the remaining limit.
 * So the exploration stops at the same path, however many tasks were running, and at most the work
 * between two marks is done twice.
 *
 * **Invariant.** Everything left to explore is below the states of waiting tasks; each task is
 * merged once.
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
import type { TaskBound } from './task-bound.js';
import {
  dropAll,
  leftBy,
  lowerBounds,
  restoreTasks,
  saveTasks,
  tasksOf,
  type WaitingTask,
  workOfRound,
} from './task-line.js';

/** States are restored by executing them again: a task does at least this many times that work. */
const TIMES_BROUGHT_BACK = 8;
/** The number of marks of a task in an exploration that has limits. */
const MARKS = 16;

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
    /** The reason to stop, once there are enough findings. */
    readonly limitReached: () => string | undefined;
    /** The number of paths of this result after which there are enough findings, if any. */
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
  /** In the order in which they are merged. */
  #waiting: WaitingTask[];
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
      this.#waiting = tasksOf(start.live, this.#covered(), 1);
    } else {
      this.#waiting = restoreTasks(saved.rounds);
      this.#blockIds(saved);
      for (let block = 0; block < saved.covered.length; block++)
        if (saved.covered[block] === '1') machine.coverEarlier(block);
    }
  }

  /** Executes tasks until nothing is left, a limit is reached, or it is stopped. */
  async run(doTask: DoTask): Promise<void> {
    this.#checkLimits();
    while (!this.isStopped && this.#waiting.length > 0) {
      this.#begin(this.#waiting, doTask);
      const task = this.#waiting[0]!;
      let result = await task.running;
      if (this.isStopped) return this.#mergeFinished();
      // A killed leader with a lower limit may have left a result in the queue that is too short.
      const isShort = result?.isCut && this.#reachedBy(result, task) === undefined;
      if (result === undefined || isShort) result = await doTask(this.#given(task));
      if (this.isStopped) return this.#mergeFinished();
      assert(result !== undefined, 'a task that can count has a result');
      await this.#mergeFirst(result, doTask);
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

  /** Begins these tasks, and what they leave as soon as they are done. */
  #begin(tasks: readonly WaitingTask[], doTask: DoTask): void {
    if (this.#hasLimits) lowerBounds(this.#waiting, this.#remaining());
    for (const task of tasks) {
      if (task.running !== undefined) continue;
      task.running = this.#execute(task, doTask);
      // Dropped tasks may fail later.
      task.running.catch(() => undefined);
    }
  }

  async #execute(task: WaitingTask, doTask: DoTask): Promise<SubtreeResult | undefined> {
    const result = await doTask(this.#given(task), this.#hasLimits ? task.bound : undefined);
    if (result === undefined || this.isStopped || task.isDropped) return result;
    task.result = result;
    if (!result.isCut) task.left = leftBy(task, result);
    this.#begin(task.left, doTask);
    return result;
  }

  async #mergeFirst(result: SubtreeResult, doTask: DoTask): Promise<void> {
    const task = this.#waiting[0]!;
    const limits = this.#reachedBy(result, task);
    if (limits === undefined) this.#waiting.push(...this.#takeIn(task, result));
    else {
      dropAll(this.#waiting);
      const counted = await this.#within(limits, result, task, doTask);
      if (this.isStopped || counted === undefined) return;
      const left = this.#takeIn(task, counted);
      this.#waiting = [...left, ...this.#waiting].map(other => other.again());
    }
    this.#events.onProgress();
    this.#checkLimits();
  }

  /** Merges the tasks that were done when the exploration was stopped. */
  #mergeFinished(): void {
    const kept: WaitingTask[] = [];
    for (let task = this.#waiting[0]; task !== undefined; task = this.#waiting[0]) {
      const { result } = task;
      if (result !== undefined && !result.isCut) this.#waiting.push(...this.#takeIn(task, result));
      else kept.push(this.#waiting.shift()!);
    }
    this.#waiting = kept;
  }

  /** The part of a result within these limits. Undefined if the task was stopped. */
  async #within(
    limits: SubtreeLimits,
    result: SubtreeResult,
    task: WaitingTask,
    doTask: DoTask,
  ): Promise<SubtreeResult | undefined> {
    const mark = result.marks.findLast(progress => !isReachedBy(progress, limits));
    if (mark !== undefined) return resultAt(result, mark);
    // The result is exact if the task began with these limits, or ended with the last path.
    const isLastPath = result.finished === limits.paths && result.endsWithPath;
    const isExact = isLastPath && !isReachedBy(result, { ...limits, paths: undefined });
    return isExact ? result : doTask({ ...this.#given(task), limits });
  }

  #given(task: WaitingTask): SubtreeTask {
    const { states, known } = task;
    const work = this.#workOf(task);
    const { paths, instructions } = this.#hasLimits ? this.#remaining() : {};
    const markWork = this.#hasLimits ? Math.round(work / MARKS) : undefined;
    return { states, known, limits: { paths, instructions, work }, markWork };
  }

  get #hasLimits(): boolean {
    const { limits, findings } = this.#settings;
    const { paths, instructions, states } = limits;
    return findings.areLimited || [paths, instructions, states].some(limit => limit !== undefined);
  }

  #workOf({ states, round }: WaitingTask): number {
    const brought = states.reduce((sum, { instructions }) => sum + instructions, 0) / 50;
    const { taskWork = workOfRound(round), loadingWork } = this.#settings;
    return Math.round(taskWork + loadingWork + TIMES_BROUGHT_BACK * brought);
  }

  /** The paths and instructions that are left of the limits. */
  #remaining(): Pick<SubtreeLimits, 'paths' | 'instructions'> {
    const { paths, instructions } = this.#settings.limits;
    const left = (limit: number | undefined, used: number): number | undefined =>
      limit === undefined ? undefined : Math.max(1, limit - used);
    return {
      paths: left(paths, this.#saved.finished - this.#before.finished),
      instructions: left(instructions, this.#saved.instructions - this.#before.instructions),
    };
  }

  /** The limits that are left for a task; undefined if its result is below all of them. */
  #reachedBy(result: SubtreeResult, task: WaitingTask): SubtreeLimits | undefined {
    const { paths: pathsLeft, instructions } = this.#remaining();
    const { states } = this.#settings.limits;
    const most = Number.POSITIVE_INFINITY;
    const paths = Math.min(pathsLeft ?? most, this.#settings.findings.pathsUntil(result) ?? most);
    const limits = {
      work: this.#workOf(task),
      paths: paths === most ? undefined : paths,
      instructions,
      states: states && Math.max(1, states - (this.#live - task.states.length)),
    };
    return isReachedBy(result, limits) ? limits : undefined;
  }

  /** Merges the first task. Returns the tasks that it leaves. */
  #takeIn(task: WaitingTask, result: SubtreeResult): readonly WaitingTask[] {
    assert(task === this.#waiting.shift(), 'tasks are merged in order');
    const ids = this.#blockIds(result.known);
    for (const [i, id] of ids.entries()) if (result.known.covered[i] === '1') this.machine.coverEarlier(id);
    const before = task.states.map(({ id }) => id);
    const next = this.#saved.nextStateId - before.length;
    const numberOf = (state: LiveState): number => before[state.id] ?? next + state.id;
    const after = result.live.map(numberOf);
    this.#events.onTask(result, { before, after }, ({ news }) => this.#firstTold(news));
    this.#count(result);
    // The tasks that have begun are those that the whole result leaves.
    const hasBegun = task.result === result && !result.isCut;
    const left = hasBegun ? task.left : leftBy(task, result);
    for (const other of left) other.states = other.states.map(state => ({ ...state, id: numberOf(state) }));
    return left;
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
    return this.#waiting.reduce((count, { states }) => count + states.length, 0);
  }

  #states(): LiveState[] {
    return this.#waiting.flatMap(({ states }) => states);
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
      rounds: saveTasks(this.#waiting),
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
