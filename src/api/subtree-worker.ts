/** A thread of `explore --workers`: executes tasks one after the other. */
import type { SubtreeResult } from '../explore/search/subtree.js';
import { serve } from '../platform/service.js';
import { isStopRaised, setStopFlag } from '../support/stop-flag.js';
import type { BoundedTask, SharedProgram } from './shared-program.js';
import type { TaskRequest } from './task-threads.js';

let shared: SharedProgram;

serve<TaskRequest<SharedProgram, BoundedTask>, SubtreeResult | undefined>(async request => {
  if (request.kind === 'start') {
    shared = request.shared;
    setStopFlag(request.stop);
    return undefined;
  }
  const { doSubtree } = await import('./shared-program.js');
  return doSubtree(shared, request.task, { isStopped: isStopRaised });
});
