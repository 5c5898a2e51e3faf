/**
 * Figures of the hash table: `npm run bench:hashtable` (it builds first). Million operations per second of 1 and 2 threads, for
 * two mixes of reads and writes, with and without growth; of a table behind a mutex in the same memory; and of bare atomic
 * instructions (`floor-table.mjs`), which no table can beat. The best of many rounds of a few milliseconds, because a short round has a chance to run undisturbed,
 * and the one in the middle. A round of two threads takes from the first
 * one's begin to the last one's end, and counts only if both were at it for most of that time: threads that take turns
 * do not contend. On another machine compare the ratios.
 *
 * The last column is how long a line of the cache takes from core to core and back (`round-trip.mjs`), which decides whether two threads
 * that write to the same lines are faster than one.
 */
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import {
  createHashTable,
  createSharedMemory,
  POOL_AT,
  Pool,
  TableHandle,
  WasmMemory,
} from '../dist/hashtable/index.js';
import { FloorTable } from './hashtable/floor-table.mjs';
import { MutexTable } from './hashtable/mutex-table.mjs';
import { roundTrip } from './hashtable/round-trip.mjs';

const ROUNDS = Number(process.argv[2] ?? 60);
const OVERLAP = 0.8;
/** Between rounds, so that this can run with priority over others and still not keep them waiting. */
const PAUSE_MS = 10;
const KEYS = Number(process.argv[3] ?? 2 ** 20);
const GROWN = KEYS / 2;
const shared = createSharedMemory(2 ** 30);
const memory = new WasmMemory(shared);
const pool = new Pool(memory, POOL_AT);
const gate = new SharedArrayBuffer(4);
let round = 0;

const kinds = ['lock-free', 'mutex', 'floor'];
const crews = {};
for (const kind of kinds) {
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

/** A table, and how to get rid of it. */
function createTable(kind, growing) {
  const capacity = growing ? 256 : 2 * KEYS;
  if (kind === 'floor') {
    const descriptor = FloorTable.create(pool, 2 * KEYS);
    return { descriptor, capacity, destroy: () => pool.release(descriptor) };
  }
  if (kind === 'mutex') {
    const descriptor = MutexTable.create(shared, pool, capacity);
    const table = new MutexTable(shared, pool, descriptor);
    return { descriptor, capacity, table, destroy: () => table.delete() };
  }
  const descriptor = createHashTable(memory, pool, { capacity });
  const table = new TableHandle(memory, pool, descriptor);
  const destroy = () => {
    table.delete();
    table.close();
  };
  return { descriptor, capacity, table, destroy };
}

/** Tables that do not grow are filled once and serve for all rounds, so that caches hold what they can. */
const fixed = {};
for (const kind of kinds) {
  fixed[kind] = createTable(kind, false);
  for (let i = 0; i < KEYS; i++) fixed[kind].table?.addNumber(16 + 16 * i, i);
}

/** Million operations per second, of so many threads together; 0 if they were not together. */
async function measureOnce(kind, threads, readPercent, growing) {
  const { descriptor, capacity, destroy } = growing ? createTable(kind, growing) : fixed[kind];
  // Growing, all threads together add so many keys, so that the table becomes equally large.
  const operations = growing ? Math.round(GROWN / (1 - readPercent / 100) / threads) : 200_000;
  round++;
  const crew = crews[kind].slice(0, threads);
  const task = { descriptor, capacity, growing, operations, threads, readPercent, keys: KEYS, round };
  const ready = crew.map(nextMessage);
  for (const worker of crew) worker.postMessage(task);
  await Promise.all(ready);
  const done = crew.map(nextMessage);
  Atomics.store(new Int32Array(gate), 0, round);
  Atomics.notify(new Int32Array(gate), 0);
  const results = await Promise.all(done);
  await setTimeout(PAUSE_MS);
  if (growing) destroy();
  const begins = results.map(({ from }) => from);
  const ends = results.map(({ to }) => to);
  const milliseconds = Math.max(...ends) - Math.min(...begins);
  const together = Math.min(...ends) - Math.max(...begins);
  return together < OVERLAP * milliseconds ? 0 : (operations * threads) / milliseconds / 1000;
}

/** Of several rates the best, and the one in the middle. */
function summary(rates) {
  const sorted = rates.filter(rate => rate > 0).sort((a, b) => a - b);
  return { best: sorted.at(-1) ?? Number.NaN, median: sorted[sorted.length >> 1] ?? Number.NaN };
}

const number = (value, width) => (Number.isNaN(value) ? '-' : value.toFixed(1)).padStart(width);
const ratio = (value, digits) => `${(Number.isNaN(value) ? '-' : value.toFixed(digits)).padStart(6)} x`;

console.log(
  'million operations per second        1 thread  2 threads  scaling | mutex 1  mutex 2 | against mutex | floor 1  floor 2  scaling  against mutex | line, ns',
);
for (const growing of [false, true]) {
  for (const readPercent of [50, 90]) {
    const rates = {};
    const trips = [];
    for (let i = 0; i < ROUNDS; i++) {
      trips.push(await roundTrip());
      for (const kind of kinds)
        for (const threads of [1, 2]) {
          rates[kind + threads] ??= [];
          rates[kind + threads].push(await measureOnce(kind, threads, readPercent, growing));
        }
    }
    trips.sort((a, b) => a - b);
    const name = `${readPercent}/${100 - readPercent} read/write, ${growing ? 'growing' : 'no growth'}`;
    for (const which of ['best', 'median']) {
      const [one, two, mutexOne, mutexTwo, floorOne, floorTwo] = Object.values(rates).map(
        all => summary(all)[which],
      );
      console.log(
        `${(which === 'best' ? name : '').padEnd(28)} ${which.padEnd(6)} ${number(one, 9)} ${number(two, 10)} ${ratio(two / one, 2)}`,
        `| ${number(mutexOne, 7)} ${number(mutexTwo, 8)} |     ${ratio(two / mutexTwo, 1)} `,
        `| ${number(floorOne, 7)} ${number(floorTwo, 8)} ${ratio(floorTwo / floorOne, 2)}     ${ratio(floorTwo / mutexTwo, 1)} `,
        `| ${(which === 'best' ? trips[0] : trips[trips.length >> 1]).toFixed(0).padStart(8)}`,
      );
    }
  }
}
for (const worker of Object.values(crews).flat()) await worker.terminate();
