/**
 * The thread that runs at each scheduling choice: `struct schedule` of `runtime/monitor/threads.c`,
 * written before a run and read after it.
 *
 * A seed stands for one schedule. Even seeds are random walks: at each choice the running thread
 * continues with probability 3/4. Odd seeds are PCT (Burckhardt and others, 2010): the thread of
 * the highest random priority runs, and at up to three random choices its priority drops below all
 * others, so that an error that needs at most that many preemptions is found with a known
 * probability. The number of choices of a run is not known in advance, so these choices are drawn
 * from the first 2^k, for a random k.
 */
import { Random } from '../../support/random.js';
import { choicesStart, mostChoices } from '../memory-map.js';
import type { ScheduleOfRun, ThreadRequest } from './run-request.js';

const strategy = { randomWalk: 1, priorities: 2, follow: 3, followExplored: 4 };
const at = { strategy: 0, random: 1, length: 2, given: 3, departed: 4, changePoints: 5, lowest: 13 };
const preemptions = 3;

export function plan(memory: WebAssembly.Memory, schedule: number, request: ThreadRequest): void {
  const words = new Uint32Array(memory.buffer, schedule, 16);
  const random = new Random(request.seed);
  words[at.random] = random.below(0x7fff_ffff) + 1;
  words[at.lowest] = 0xffff;
  if (request.choices !== undefined) {
    words[at.strategy] = request.isExplored ? strategy.followExplored : strategy.follow;
    words[at.given] = request.choices.length;
    new Uint8Array(memory.buffer, choicesStart, mostChoices).set(request.choices);
  } else if (request.seed % 2 === 0) words[at.strategy] = strategy.randomWalk;
  else {
    words[at.strategy] = strategy.priorities;
    const range = 2 ** (3 + random.below(12));
    for (let i = 0; i < preemptions; i++) words[at.changePoints + i] = 1 + random.below(range);
  }
}

export function scheduleOf(memory: WebAssembly.Memory, schedule: number): ScheduleOfRun {
  const words = new Uint32Array(memory.buffer, schedule, 16);
  const length = Math.min(words[at.length]!, mostChoices);
  const departed = words[at.departed]!;
  return {
    choices: new Uint8Array(memory.buffer, choicesStart, length).slice(),
    ...(departed > 0 && { departed: departed - 1 }),
  };
}
