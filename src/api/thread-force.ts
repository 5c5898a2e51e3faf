/** Executes the tasks of an exploration in threads of this process. */

import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import type { TaskForce } from './explore-rounds.js';
import type { SharedProgram } from './shared-program.js';
import { subtreeThread, TaskThreads } from './task-threads.js';

export function threadForce(workers: number, shared: SharedProgram): TaskForce {
  const threads = new TaskThreads<SharedProgram, SubtreeTask, SubtreeResult>(subtreeThread, workers);
  return {
    do: task => threads.do(task, shared),
    look: () => undefined,
    taken: () => undefined,
    saved: () => undefined,
    stop: () => threads.stop(),
    close: () => threads.close(),
  };
}
