/** One thread of `bench/hashtable.mjs`. It works on one kind of table only, so that V8 sees one kind. */
import { parentPort, workerData } from 'node:worker_threads';
import { POOL_AT, Pool, TableHandle, WasmMemory } from '../../dist/hashtable/index.js';
import { FloorTable } from './floor-table.mjs';
import { MutexTable } from './mutex-table.mjs';

const { shared, kind, thread, gate } = workerData;
const gateWords = new Int32Array(gate);
const memory = new WasmMemory(shared);
const pool = new Pool(memory, POOL_AT);

function open(task) {
  if (kind === 'lock-free') return new TableHandle(memory, pool, task.descriptor);
  if (kind === 'mutex') return new MutexTable(shared, pool, task.descriptor);
  return new FloorTable(shared, pool, task.descriptor, task);
}

/** Finds and updates keys that are there. */
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

/** Adds new keys, and finds those that it added. */
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

let table;
let opened;

parentPort.on('message', task => {
  if (opened !== task.descriptor) {
    table?.close();
    table = open(task);
    opened = task.descriptor;
  }
  // Caches that others have used meanwhile are warm again before the time is taken.
  if (!task.growing) runFixed(table, task);
  parentPort.postMessage({ ready: true });
  // The main thread opens the gate for all at once.
  Atomics.wait(gateWords, 0, task.round - 1);
  const from = performance.now();
  const sum = task.growing ? runGrowing(table, task) : runFixed(table, task);
  const to = performance.now();
  if (task.growing) {
    table.close();
    table = undefined;
    opened = undefined;
  }
  // Threads count from different moments.
  parentPort.postMessage({ from: performance.timeOrigin + from, to: performance.timeOrigin + to, sum });
});
