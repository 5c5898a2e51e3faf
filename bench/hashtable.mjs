/**
 * Figures of the hash table: `npm run bench:hashtable` (it builds first). Million operations per second of 1 and 2 threads, for
 * two mixes of reads and writes, with and without growth; and of a table behind a mutex in the same memory. The best of
 * many rounds of a few milliseconds, because a short round has a chance to run undisturbed. A round of two threads takes from the first
 * one's begin to the last one's end, and counts only if both were at it for most of that time: threads that take turns
 * do not contend. On another machine compare the ratios.
 */
import { Worker } from 'node:worker_threads';
import {
  createHashTable,
  createSharedMemory,
  POOL_AT,
  Pool,
  TableHandle,
  WasmMemory,
} from '../dist/hashtable/index.js';
import { MutexTable } from './hashtable/mutex-table.mjs';

const ROUNDS = Number(process.argv[2] ?? 60);
const OVERLAP = 0.8;
const KEYS = 65536;
const shared = createSharedMemory(2 ** 30);
const memory = new WasmMemory(shared);
const pool = new Pool(memory, POOL_AT);
const gate = new SharedArrayBuffer(4);
let round = 0;

const crews = {};
for (const kind of ['lock-free', 'mutex']) {
  crews[kind] = [0, 1].map(
    thread =>
      new Worker(new URL('./hashtable/worker.mjs', import.meta.url), {
        workerData: { shared, kind, thread, gate },
      }),
  );
}

function nextMessage(worker) {
  return new Promise(resolve => worker.once('message', resolve));
}

/** A table for one round, and how to get rid of it. */
function createTable(kind, growing) {
  const capacity = growing ? 256 : 2 * KEYS;
  if (kind === 'mutex') {
    const descriptor = MutexTable.create(shared, pool, capacity);
    return { descriptor, table: new MutexTable(shared, pool, descriptor), destroy() {} };
  }
  const descriptor = createHashTable(memory, pool, { capacity });
  const table = new TableHandle(memory, pool, descriptor);
  const destroy = () => {
    table.delete();
    table.close();
  };
  return { descriptor, table, destroy };
}

/** Million operations per second, of so many threads together; 0 if they were not together. */
async function measureOnce(kind, threads, readPercent, growing) {
  const { descriptor, table, destroy } = createTable(kind, growing);
  const operations = growing ? 60_000 : 100_000;
  if (!growing) for (let i = 0; i < KEYS; i++) table.addNumber(16 + 16 * i, i);
  round++;
  const crew = crews[kind].slice(0, threads);
  const task = { descriptor, growing, operations, threads, readPercent, keys: KEYS, round };
  const ready = crew.map(nextMessage);
  for (const worker of crew) worker.postMessage(task);
  await Promise.all(ready);
  const done = crew.map(nextMessage);
  Atomics.store(new Int32Array(gate), 0, round);
  Atomics.notify(new Int32Array(gate), 0);
  const results = await Promise.all(done);
  destroy();
  const begins = results.map(({ from }) => from);
  const ends = results.map(({ to }) => to);
  const milliseconds = Math.max(...ends) - Math.min(...begins);
  const together = Math.min(...ends) - Math.max(...begins);
  return together < OVERLAP * milliseconds ? 0 : (operations * threads) / milliseconds / 1000;
}

console.log(
  'million operations per second      1 thread  2 threads  scaling | mutex 1  mutex 2 | 2 threads against mutex',
);
for (const growing of [false, true]) {
  for (const readPercent of [50, 90]) {
    const best = {};
    for (let i = 0; i < ROUNDS; i++) {
      for (const kind of ['lock-free', 'mutex']) {
        for (const threads of [1, 2]) {
          const rate = await measureOnce(kind, threads, readPercent, growing);
          best[kind + threads] = Math.max(best[kind + threads] ?? 0, rate);
        }
      }
    }
    const one = best['lock-free1'];
    const two = best['lock-free2'];
    const name = `${readPercent}/${100 - readPercent} read/write, ${growing ? 'growing' : 'no growth'}`;
    console.log(
      `${name.padEnd(34)} ${one.toFixed(1).padStart(8)} ${two.toFixed(1).padStart(10)} ${(two / one).toFixed(2).padStart(8)} x`,
      `| ${best.mutex1.toFixed(1).padStart(7)} ${best.mutex2.toFixed(1).padStart(8)} | ${(two / best.mutex2).toFixed(1).padStart(5)} x`,
    );
  }
}
for (const worker of Object.values(crews).flat()) await worker.terminate();
