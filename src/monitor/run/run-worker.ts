/** The worker in which the program under test runs: see `run.ts`. */
import { runTask } from '../../platform/task.js';
import { type RunEventMessage, type RunRequest, type RunResult, runProgram } from './run.js';

runTask<RunRequest, RunEventMessage, RunResult>(runProgram);
