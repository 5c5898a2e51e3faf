/**
 * A part of the tree of paths as a unit of work: live states, by their histories, and how much is
 * to be done below them.
 *
 *     task     states, what is covered, how much work     ──▶  result   forks and ends, what is still alive
 *
 * A task is explored by a machine and a solver of its own, which begin with nothing but the program
 * (`output/explore-subtree.ts`). So its result depends on the task and on nothing else: not on who
 * explores it, nor on what else was explored there before.
 *
 * Both are plain data. Blocks are numbered by `functions`: the blocks of the first function, then
 * those of the second.
 */
import type { Print } from '../../expr/term-print.js';
import type { SourceLocation } from '../../findings/finding.js';
import type { LeftPaths } from '../../findings/report.js';
import { joinHistories } from '../state/frontier.js';
import type { Counts, SavedExploration, SavedNews } from './explorer.js';

/** A live state, as another process needs it to go on. */
export interface LiveState {
  /** In the tree of forks. */
  readonly id: number;
  /** The trail where it has last forked. */
  readonly from: Print;
  /** `frontier.ts` */
  readonly history: string;
  readonly instructions: number;
  /** Blocks that it was the first to run, and no path that has ended was. */
  readonly news: readonly number[];
  /** Where it stands. */
  readonly place: SourceLocation | undefined;
}

/** What is covered: blocks that were run, and those that a path has told of that has ended. */
export interface Covered {
  readonly functions: readonly string[];
  /** A digit for each block. */
  readonly covered: string;
  readonly told: string;
}

/** How much a task may do. */
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
}

export interface SubtreeResult {
  /** Forks and ends in their order, as journals have them. */
  readonly learned: readonly Uint8Array[];
  /** By the fingerprint of a place, what it is called in the tree of forks. */
  readonly labels: readonly (readonly [print1: number, print2: number, label: string])[];
  readonly counts: Counts;
  readonly finished: number;
  readonly notes: readonly string[];
  readonly left: readonly LeftPaths[];
  readonly chosen: readonly LeftPaths[];
  readonly allocations: number;
  readonly instructions: number;
  readonly queries: number;
  readonly solverMs: number;
  /** The most states that were alive at once. */
  readonly mostStates: number;
  readonly known: Covered;
  readonly live: readonly LiveState[];
}

/** Rounds that go on in another process. Of each task one of both lists has states. */
export interface SavedRounds {
  /** From 1. */
  readonly round: number;
  /** What was covered when the round began. */
  readonly start: Covered;
  /** By task, its states; null if it is done. */
  readonly waiting: readonly (readonly LiveState[] | null)[];
  /** By task, the states that it has left; null if it is not done. */
  readonly done: readonly (readonly LiveState[] | null)[];
}

/** What an explorer goes on with to do a task. */
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
