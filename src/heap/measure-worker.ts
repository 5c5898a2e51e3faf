/** The worker in which a trace is measured: see `measure-trace.ts`. */
import { runTask } from '../platform/task.js';
import { type Measurement, type MeasureRequest, measure } from './measure-trace.js';

runTask<MeasureRequest, never, Measurement>(measure);
