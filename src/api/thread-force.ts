/** Executes the tasks of an exploration in threads of this process. */

import type { SubtreeResult } from '../explore/search/subtree.js';
import type { TaskForce } from './explore-rounds.js';
import type { BoundedTask, SharedProgram } from './shared-program.js';
import { subtreeThread, TaskThreads } from './task-threads.js';

export function threadForce(workers: number, shared: SharedProgram): TaskForce {
  const threads = new TaskThreads<SharedProgram, BoundedTask, SubtreeResult>(subtreeThread, workers);
  return {
    do: (task, bound) => threads.do({ ...task, bound: bound?.cells }, shared, () => bound?.isZero ?? false),
    look: () => undefined,
    taken: () => undefined,
    saved: () => undefined,
    stop: () => threads.stop(),
    close: () => threads.close(),
  };
}
