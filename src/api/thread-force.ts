/** Executes the tasks of an exploration in this thread, and in others of this process. */

import { firstTask, type SubtreeResult } from '../explore/search/subtree.js';
import { TaskBound } from '../explore/search/task-bound.js';
import { isStopRaised } from '../support/stop-flag.js';
import type { TaskForce } from './explore-rounds.js';
import { FIRST_WORK } from './rounds-options.js';
import { type BoundedTask, doSubtree, type SharedProgram } from './shared-program.js';
import { LEFT_TO_OTHERS, subtreeThread, type TaskHere, TaskThreads } from './task-threads.js';

/**
 * Longer time slices would keep the other threads waiting for their next task, and the clock for a
 * time limit. They have long queries.
 */
const mostSliceMs = 1000;

/** The threads begin to load the program and to warm up at once. */
export interface ThreadForce extends TaskForce {
  /** Ends the threads if the exploration is not divided. */
  dismiss(): Promise<void>;
}

/** `workers` threads, this one included. */
export function threadForce(workers: number, shared: SharedProgram): ThreadForce {
  const threads = new TaskThreads<SharedProgram, BoundedTask, SubtreeResult>(subtreeThread, workers, {
    here: inSlices,
  });
  const warmUp = new TaskBound();
  threads.warmUp({ ...firstTask(FIRST_WORK), bound: warmUp.cells }, shared);
  return {
    do: (task, bound) => {
      warmUp.lower(0, 0);
      return threads.do({ ...task, bound: bound?.cells }, shared, () => bound?.isZero ?? false);
    },
    look: () => undefined,
    taken: () => undefined,
    saved: () => undefined,
    stop: () => threads.stop(),
    close: () => threads.close(),
    dismiss: () => threads.close(),
  };
}

const inSlices: TaskHere<SharedProgram, BoundedTask, SubtreeResult> = async (task, shared, isStopped) => {
  let isTooLong = false;
  const result = await doSubtree(shared, task, {
    longestMs: 4 * mostSliceMs,
    isStopped: milliseconds => {
      // A query that was interrupted by the flag has no result; it stops the exploration as well.
      isTooLong ||= milliseconds >= mostSliceMs || isStopRaised();
      return isTooLong || isStopped();
    },
  });
  return isTooLong && !isStopped() ? LEFT_TO_OTHERS : result;
};
