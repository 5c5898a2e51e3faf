/** The worker in which attacks run: see `attack-run.ts`. */
import { runTask } from '../platform/task.js';
import { type AttackEvent, type AttackRequest, runAttacks } from './attack-run.js';

runTask<AttackRequest, AttackEvent, number>(runAttacks);
