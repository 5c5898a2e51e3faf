/** The worker in which a trace is measured: see `replay-run.ts`. */
import { runTask } from '../../platform/task.js';
import { type Measurement, measure, type ReplayRequest } from './replay-run.js';

runTask<ReplayRequest, never, Measurement>(measure);
