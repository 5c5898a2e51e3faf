/** A thread of a worker that executes tasks of `fuzz --queue`, one after the other. */
import type { TaskResult } from '../fuzz/protocol.js';
import { serve } from '../platform/service.js';
import type { SearchOrder, SharedTarget, TargetThread } from './shared-target.js';
import type { TaskRequest } from './task-threads.js';

// Programs end by exceptions, thousands a second, and their stacks are not used.
Error.stackTraceLimit = 0;

let thread: TargetThread;

serve<TaskRequest<SharedTarget, SearchOrder>, TaskResult | undefined>(async request => {
  if (request.kind === 'task') return thread.search(request.task);
  const { TargetThread: Thread } = await import('./shared-target.js');
  thread = await Thread.create(request.shared);
  return undefined;
});
