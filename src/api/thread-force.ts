/** Executes the tasks of an exploration in threads of this process. */
import type { TaskForce } from './explore-rounds.js';
import type { SharedProgram } from './shared-program.js';
import { SubtreeThreads } from './subtree-threads.js';

export function threadForce(workers: number, shared: SharedProgram): TaskForce {
  const threads = new SubtreeThreads(workers);
  return {
    do: task => threads.do(task, shared),
    look: () => undefined,
    taken: () => undefined,
    saved: () => undefined,
    stop: () => threads.stop(),
    close: () => threads.close(),
  };
}
