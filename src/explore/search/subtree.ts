/**
 * A part of the tree of paths as a unit of work: live states, by their histories, and the work
 * limit below them.
 *
 *     task     states, what is covered, how much work     ──▶  result   forks and ends, what is still alive
 *
 * A task has its own machine and solver, which start with only the program
 * (`output/explore-subtree.ts`). So its result depends only on the task, not on the worker or on
 * what the worker explored before.
 *
 * Both are plain data. Blocks are numbered by `functions`: the blocks of the first function, then
 * those of the second.
 */
import type { SourceLocation } from '../../findings/finding.js';
import { joinHistories } from '../state/frontier.js';
import type { SavedExploration, SavedNews } from './explorer.js';
import type { Totals } from './totals.js';

/** A live state, as far as another process needs it to continue. */
export interface LiveState {
  /** Its number in the tree of forks. */
  readonly id: number;
  /** `frontier.ts` */
  readonly history: string;
  readonly instructions: number;
  /** Blocks that it was the first to execute, before any path that has ended. */
  readonly news: readonly number[];
  /** Its current location. */
  readonly place: SourceLocation | undefined;
}

/** The coverage: executed blocks, and blocks whose first path has ended. */
export interface Covered {
  readonly functions: readonly string[];
  /** A digit for each block. */
  readonly covered: string;
  readonly told: string;
}

/** The limits of a task. */
export interface SubtreeLimits {
  readonly work?: number | undefined;
  readonly instructions?: number | undefined;
  readonly paths?: number | undefined;
  readonly states?: number | undefined;
}

export interface SubtreeTask {
  /** In the order of their histories. */
  readonly states: readonly LiveState[];
  readonly known: Covered;
  readonly limits: SubtreeLimits;
  /** The work between two marks; undefined if none are needed. */
  readonly markWork: number | undefined;
}

/** The first part of an exploration as a task. */
export function firstTask(work: number): SubtreeTask {
  return {
    states: [{ id: 0, history: '', instructions: 0, news: [], place: undefined }],
    known: { functions: [], covered: '', told: '' },
    limits: { work },
    markWork: undefined,
  };
}

/** The edge of a state in the tree of forks: 1 if the condition holds on it. */
export type OpenEdge = readonly [from: number, holds: 0 | 1] | undefined;

/** The end of a state with which a task has started, with the number of its test and its label. */
export type StartEnd = readonly [place: number, test: number, label: string];

/** The state of a task at the end of a time slice. */
export interface SubtreeProgress extends Totals {
  readonly solverMs: number;
  /** The largest number of live states so far. */
  readonly mostStates: number;
  readonly known: Covered;
  /**
   * Their numbers are those of the task: first the states that it started with, then the others in
   * the order of their forks.
   */
  readonly live: readonly LiveState[];
  /** By live state; undefined beyond the largest tree. */
  readonly edges: readonly OpenEdge[];
  readonly ends: readonly StartEnd[];
  readonly forks: number;
  readonly tests: number;
}

/** An end that is new to the task: it has an error or a block that no earlier end of it has. */
export interface NewEnd {
  /** Its place among the ends of the task. */
  readonly at: number;
  /** The number of paths up to and including this one. */
  readonly paths: number;
  /** An entry of a journal of new ends alone. */
  readonly entry: Uint8Array;
}

/** The states of a task as the exploration numbers them: at its start, and at its end. */
export interface TaskStates {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** A point at which the task could have ended: its results up to there can be merged alone. */
export interface SubtreeMark extends SubtreeProgress {
  /** The lengths of `learned`, `newEnds` and `tree` at this point. */
  readonly lengths: {
    readonly learned: number;
    readonly newEnds: number;
    readonly tree: number;
  };
}

export interface SubtreeResult extends SubtreeProgress {
  /** Forks and ends in order, in the format of journals. */
  readonly learned: readonly Uint8Array[];
  /** The ends that the exploration has to look at; all other ends are counted only. */
  readonly newEnds: readonly NewEnd[];
  /** The tree of forks (`fork-tree.ts`), as `takeNew` returns it. */
  readonly tree: readonly Uint8Array[];
  /** In order. Where they are depends only on the task. */
  readonly marks: readonly SubtreeMark[];
  /** Whether the last time slice was the end of a path. */
  readonly endsWithPath: boolean;
  /** Whether the task ended at its bound (`task-bound.ts`). */
  readonly isCut: boolean;
}

/** The result of a task that had ended at this mark. */
export function resultAt(result: SubtreeResult, mark: SubtreeMark): SubtreeResult {
  const { lengths, ...progress } = mark;
  const learned = result.learned.slice(0, lengths.learned);
  const newEnds = result.newEnds.slice(0, lengths.newEnds);
  const tree = result.tree.slice(0, lengths.tree);
  return { ...progress, learned, newEnds, tree, marks: [], endsWithPath: false, isCut: false };
}

/** The tasks that wait, in order, where a search in rounds continues in another process. */
export type SavedRounds = readonly {
  readonly known: Covered;
  readonly round: number;
  /** The states of each task. */
  readonly tasks: readonly (readonly LiveState[])[];
}[];

/** The exploration that an explorer resumes to execute a task. */
export function asExploration({ states, known }: SubtreeTask): SavedExploration {
  const { functions, covered, told } = known;
  return {
    counts: { completed: 0, error: 0, partial: 0 },
    finished: 0,
    notes: [],
    left: [],
    chosen: [],
    allocations: 0,
    externalCalls: 0,
    instructions: 0,
    queries: 0,
    nextStateId: states.length,
    functions,
    covered,
    states: {
      histories: joinHistories(states.map(({ history }) => history)),
      ids: states.map((_, number) => number),
      instructions: states.map(({ instructions }) => instructions),
      fresh: [],
    },
    searcher: undefined,
    distances: undefined,
    turn: undefined,
    news: newsOf(states, told),
  };
}

function newsOf(states: readonly LiveState[], told: string): SavedNews {
  const links: number[] = [];
  const ofStates = states.map(({ news }) => {
    let place = -1;
    for (const block of news) place = links.push(block, place) - 2;
    return place;
  });
  return { told, links, ofStates };
}
