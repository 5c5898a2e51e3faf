/** A thread of `explore --workers`: executes tasks one after the other. */
import type { SubtreeResult, SubtreeTask } from '../explore/search/subtree.js';
import { serve } from '../platform/service.js';
import { isStopRaised, setStopFlag } from '../support/stop-flag.js';
import type { SharedProgram } from './shared-program.js';

export type SubtreeRequest =
  | { readonly kind: 'start'; readonly shared: SharedProgram; readonly stop: SharedArrayBuffer }
  | { readonly kind: 'task'; readonly task: SubtreeTask };

/** Undefined for `start`, and for a task that was stopped. */
export type SubtreeReply = SubtreeResult | undefined;

let shared: SharedProgram;

serve<SubtreeRequest, SubtreeReply>(async request => {
  if (request.kind === 'start') {
    shared = request.shared;
    setStopFlag(request.stop);
    return undefined;
  }
  const { doSubtree } = await import('./shared-program.js');
  return doSubtree(shared, request.task, isStopRaised);
});
