/** The worker in which the program under test runs: see `run-program.ts`. */

import type { RunEventMessage, RunRequest, RunResult } from '../monitor/run/run-request.js';
import { runTask } from '../platform/task.js';
import { runProgram } from './run-program.js';

runTask<RunRequest, RunEventMessage, RunResult>(runProgram);
