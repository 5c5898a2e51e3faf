/**
 * Figures of the hash table: `npm run bench:hashtable -- ROUNDS KEYS` (it builds first). Million operations per second of 1 and 2 threads, for
 * two mixes of reads and writes, with and without growth; of a table behind a mutex in the same memory; and of bare atomic
 * instructions (`floor-table.mjs`), which no table can beat. On another machine compare the ratios.
 *
 * All kinds are measured in the same way, one after the other in each round: half a million operations of each thread, or as many tables one after the other as
 * have together a million keys. It is that much because a mutex is a matter of luck: two threads that happen to take turns for a few milliseconds do not
 * contend. Threads begin together, by spinning; a table takes from the first one's begin to the last one's end, and a measurement is repeated
 * if they were not both at it for most of that time.
 *
 * `best` has the best of all rounds, and ratios of these; `median` the rates in the middle, and the ratios in the middle of those within each round.
 *
 * How long a line of the cache takes from core to core and back (`round-trip.mjs`) decides whether two threads that write to the same lines are faster than
 * one. It is measured before and after each round, and rounds are counted apart in which the cores did not share a cache.
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

/** With cores that share a cache; or with cores that do not, if that comes first. */
const ROUNDS = Number(process.argv[2] ?? 20);
/** Between rounds, so that this can run with priority over others and still not keep them waiting. */
const PAUSE_MS = 10;
const KEYS = Number(process.argv[3] ?? 2 ** 20);
const GROWN = KEYS / 2;
const FIXED_OPERATIONS = 500_000;
const TABLES = Math.max(1, 2 ** 20 / KEYS);
const FIRST_CAPACITY = 256;
/** For how much of the time all threads must be at work, and how often to try. */
const OVERLAP = 0.8;
const TRIES = 5;
/** Nanoseconds: cores that share a cache are faster, others slower. */
const NEAR = 200;
const shared = createSharedMemory(2 ** 30);
const memory = new WasmMemory(shared);
const pool = new Pool(memory, POOL_AT);
/** The number of the round that may begin, and after a line's length two words for each table of it. */
const gate = new Int32Array(new SharedArrayBuffer(64 + 8 * TABLES));
let started = 0;

const kinds = ['lock-free', 'mutex', 'floor'];
const crews = {};
for (const kind of kinds) {
  crews[kind] = [0, 1].map(
    thread =>
      new Worker(new URL('./hashtable/worker.mjs', import.meta.url), {
        workerData: { shared, kind, thread, gate: gate.buffer },
      }),
  );
}

function nextMessage(worker) {
  return new Promise(resolve => worker.once('message', resolve));
}

function createTable(kind, capacity) {
  if (kind === 'floor') return FloorTable.create(pool, capacity);
  if (kind === 'mutex') return MutexTable.create(shared, pool, capacity);
  return createHashTable(memory, pool, { capacity });
}

/** Tables that do not grow are filled once and serve for all rounds, so that caches hold what they can. */
const fixed = {};
for (const kind of kinds) {
  fixed[kind] = createTable(kind, 2 * KEYS);
  if (kind === 'floor') continue;
  const table =
    kind === 'mutex' ? new MutexTable(shared, pool, fixed.mutex) : new TableHandle(memory, pool, fixed[kind]);
  for (let i = 0; i < KEYS; i++) table.addNumber(16 + 16 * i, i);
  table.close();
}

/** What so many threads need together for so many operations each, and how long all of them were at it. */
async function run(kind, threads, task) {
  const descriptors = Array.from({ length: task.growing ? TABLES : 1 }, () =>
    task.growing && kind !== 'floor' ? createTable(kind, FIRST_CAPACITY) : fixed[kind],
  );
  const capacity = task.growing ? FIRST_CAPACITY : 2 * KEYS;
  const crew = crews[kind].slice(0, threads);
  const round = ++started;
  gate.fill(0, 16);
  const ready = crew.map(nextMessage);
  for (const worker of crew)
    worker.postMessage({ ...task, descriptors, capacity, threads, keys: KEYS, round });
  await Promise.all(ready);
  const done = crew.map(nextMessage);
  Atomics.store(gate, 0, round);
  const results = await Promise.all(done);
  await setTimeout(PAUSE_MS);
  let milliseconds = 0;
  let together = 0;
  for (const i of descriptors.keys()) {
    const froms = results.map(({ times }) => times[i].from);
    const tos = results.map(({ times }) => times[i].to);
    milliseconds += Math.max(...tos) - Math.min(...froms);
    together += Math.min(...tos) - Math.max(...froms);
  }
  return { milliseconds, together, tables: descriptors.length };
}

/** Million operations per second, of so many threads together. */
async function measure(kind, threads, readPercent, growing) {
  // Growing, all threads together add so many keys, so that the tables become equally large.
  const operations = growing ? Math.round(GROWN / (1 - readPercent / 100) / threads) : FIXED_OPERATIONS;
  for (let left = TRIES; ; left--) {
    const { milliseconds, together, tables } = await run(kind, threads, { growing, operations, readPercent });
    if (together < OVERLAP * milliseconds && left > 0) continue;
    return (operations * threads * tables) / milliseconds / 1000;
  }
}

/** The rates of all kinds, and the ratios between them. */
async function measureRound(readPercent, growing) {
  const before = await roundTrip();
  const rates = {};
  for (const kind of kinds)
    for (const threads of [1, 2]) rates[kind + threads] = await measure(kind, threads, readPercent, growing);
  return { ...withRatios(rates), line: Math.max(before, await roundTrip()) };
}

function withRatios(rates) {
  return {
    ...rates,
    scaling: rates['lock-free2'] / rates['lock-free1'],
    against: rates['lock-free2'] / rates.mutex2,
    floorScaling: rates.floor2 / rates.floor1,
    floorAgainst: rates.floor2 / rates.mutex2,
  };
}

/** For each figure of the rounds the one that `choose` takes from all of them, in order of size. */
function summary(rounds, choose) {
  const names = Object.keys(rounds[0]);
  return Object.fromEntries(
    names.map(name => [name, choose(rounds.map(round => round[name]).sort((a, b) => a - b))]),
  );
}

function bestOf(rounds) {
  return {
    ...withRatios(summary(rounds, sorted => sorted.at(-1))),
    line: summary(rounds, ([least]) => least).line,
  };
}

function medianOf(rounds) {
  return summary(rounds, sorted => sorted[sorted.length >> 1]);
}

function print(name, which, figures) {
  const number = (value, width) => value.toFixed(1).padStart(width);
  const ratio = (value, digits) => `${value.toFixed(digits).padStart(6)} x`;
  console.log(
    `${name.padEnd(28)} ${which.padEnd(10)} ${number(figures['lock-free1'], 8)} ${number(figures['lock-free2'], 10)} ${ratio(figures.scaling, 2)}`,
    `| ${number(figures.mutex1, 7)} ${number(figures.mutex2, 8)} |     ${ratio(figures.against, 1)} `,
    `| ${number(figures.floor1, 7)} ${number(figures.floor2, 8)} ${ratio(figures.floorScaling, 2)}     ${ratio(figures.floorAgainst, 1)} `,
    `| ${figures.line.toFixed(0).padStart(8)}`,
  );
}

console.log(
  'million operations per second           1 thread  2 threads  scaling | mutex 1  mutex 2 | against mutex | floor 1  floor 2  scaling  against mutex | line, ns',
);
for (const growing of [false, true])
  for (const readPercent of [50, 90]) {
    const name = `${readPercent}/${100 - readPercent} read/write, ${growing ? 'growing' : 'no growth'}`;
    // The first round is for V8 to compile everything.
    await measureRound(readPercent, growing);
    const near = [];
    const far = [];
    while (near.length < ROUNDS && far.length < ROUNDS) {
      const round = await measureRound(readPercent, growing);
      (round.line < NEAR ? near : far).push(round);
    }
    if (near.length > 0) {
      print(name, 'best', bestOf(near));
      print(`  ${near.length} rounds`, 'median', medianOf(near));
    }
    if (far.length > 0) print(`  ${far.length} rounds, cores apart`, 'median', medianOf(far));
  }
for (const worker of Object.values(crews).flat()) await worker.terminate();
