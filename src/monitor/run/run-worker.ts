/** The worker in which the program under test runs: see `run.ts`. */
import { runTask } from '../../platform/task.js';
import type { RunEventMessage, RunRequest, RunResult } from './request.js';
import { runProgram } from './run.js';

runTask<RunRequest, RunEventMessage, RunResult>(runProgram);
