/** The worker in which a run of `check` is searched for an infinite loop: see `loop-search.ts`. */
import { runTask } from '../platform/task.js';
import { type LoopSearchRequest, type LoopSearchResult, searchLoop } from './loop-search.js';

runTask<LoopSearchRequest, never, LoopSearchResult>(searchLoop);
