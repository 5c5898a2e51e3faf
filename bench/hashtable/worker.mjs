/**
 * One thread of `bench/hashtable.mjs`. It uses only one kind of table, so that V8 optimises for
 * it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { kindsIn } from './kinds.mjs';

/**
 * @typedef {import('./kinds.mjs').Table} Table
 * @typedef {import('./kinds.mjs').Task} Task
 */

/**
 * @type {{
 *   shared: WebAssembly.Memory,
 *   kind: import('./kinds.mjs').Kind,
 *   thread: number,
 *   gate: SharedArrayBuffer,
 * }}
 */
const { shared, kind, thread, gate } = workerData;
const gateWords = new Int32Array(gate);
const { open } = kindsIn(shared)[kind];

/** Words before those for the tables of a span. */
const GATE_WORDS = 16;

/**
 * Finds and updates existing keys.
 *
 * @type {(table: Table, task: Task) => number}
 */
function runFixed(table, { operations, keys, readPercent, round }) {
  let x = (thread + 1 + 2 * round) * 0x9e3779b1;
  let sum = 0;
  for (let i = 0; i < operations; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    const key = 16 + 16 * ((x >>> 7) & (keys - 1));
    if ((x & 127) * 100 < 128 * readPercent) sum += table.findNumber(key);
    else table.addNumber(key, i);
  }
  return sum;
}

/**
 * Adds new keys, and finds those that it added.
 *
 * @type {(table: Table, task: Task) => number}
 */
function runGrowing(table, { operations, threads, readPercent }) {
  let x = (thread + 1) * 0x9e3779b1;
  let sum = 0;
  let added = 0;
  for (let i = 0; i < operations; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    if (added > 0 && (x & 127) * 100 < 128 * readPercent) {
      const index = ((x >>> 7) * added) / 2 ** 25;
      sum += table.findNumber(16 * ((index | 0) * threads + thread + 1));
    } else {
      table.addNumber(16 * (added * threads + thread + 1), i);
      added++;
    }
  }
  return sum;
}

/**
 * Waits until all threads are here, without sleeping: they would not wake up at the same moment.
 *
 * @param {number} word
 * @param {number} threads
 */
function meet(word, threads) {
  Atomics.add(gateWords, word, 1);
  while (Atomics.load(gateWords, word) < threads);
}

/** @type {{ from: number, to: number }[]} */
const times = [];

/**
 * Runs the task and records when it began and ended.
 *
 * @type {(run: typeof runFixed, table: Table, task: Task) => number}
 */
function timed(run, table, task) {
  // The time origins of threads differ.
  const now = () => performance.timeOrigin + performance.now();
  const from = now();
  const sum = run(table, task);
  times.push({ from, to: now() });
  return sum;
}

/**
 * Grows one table after the other, all threads the same one. The last thread deletes it.
 *
 * @param {Task} task
 */
function runTables(task) {
  let sum = 0;
  for (const [i, descriptor] of task.descriptors.entries()) {
    const table = open(descriptor, task);
    meet(GATE_WORDS + 2 * i, task.threads);
    sum += timed(runGrowing, table, task);
    if (Atomics.add(gateWords, GATE_WORDS + 2 * i + 1, 1) === task.threads - 1) table.delete();
    table.close();
  }
  return sum;
}

/** @type {Table | undefined} */
let fixed;

parentPort?.on('message', (/** @type {Task} */ task) => {
  if (!task.growing) fixed ??= open(task.descriptors[0], task);
  const table = task.growing ? undefined : fixed;
  // Warms the caches before the measurement.
  if (table !== undefined) runFixed(table, task);
  parentPort?.postMessage({ ready: true });
  // The main thread opens the gate for all at once.
  while (Atomics.load(gateWords, 0) !== task.round);
  const sum = table === undefined ? runTables(task) : timed(runFixed, table, task);
  parentPort?.postMessage({ times: times.splice(0), sum });
});
