/**
 * Figures of the hash table: `npm run bench:hashtable -- ROUNDS KEYS ROW` builds first, and
 * measures only the rows whose titles contain ROW. The figures are million operations per second of
 * 1 and 2 threads, for two mixes of reads and writes, with and without growth; the same for a map
 * behind a mutex in the same memory, and behind one that spins before it sleeps
 * (`mutex-table.mjs`); and for bare atomic instructions (`floor-table.mjs`), which are an upper
 * bound for every table. Ratios can be compared between machines.
 *
 * All kinds are measured in the same way, one after the other in each round: half a million
 * operations of each thread, or as many tables as have a million keys together. Smaller numbers
 * would be noisy for a mutex: two threads that happen to alternate for a few milliseconds do not
 * contend. Threads begin together, by spinning. The time of a table is from the start of the first
 * thread to the end of the last, and a measurement is repeated if the threads did not overlap for
 * most of that time. Every figure of a round is measured three times, and the median counts:
 * losing a core for a time slice would otherwise dominate a measurement of 30 ms.
 *
 * Rates are the medians of all rounds. Ratios are computed within a round: the median, the minimum
 * and the maximum.
 *
 * The time of a cache line from core to core and back (`round-trip.mjs`) determines whether two
 * threads that write to the same lines are faster than one. It is measured before and after each
 * round, and rounds in which the cores did not share a cache are counted
 * separately.
 */
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createSharedMemory } from '../dist/hashtable/index.js';
import { kindsIn } from './hashtable/kinds.mjs';
import { roundTrip } from './hashtable/round-trip.mjs';

/** Rounds with cores that share a cache, or without, whichever number is reached first. */
const ROUNDS = Number(process.argv[2] ?? 11);
/**
 * The pause between rounds, so that this can run with priority and still not block other work.
 */
const PAUSE_MS = 10;
const KEYS = Number(process.argv[3] ?? 2 ** 20);
const ROW = process.argv[4] ?? '';
const GROWN = KEYS / 2;
const FIXED_OPERATIONS = 500_000;
const TABLES = Math.max(1, 2 ** 20 / KEYS);
const FIRST_CAPACITY = 256;
/** The share of the time in which all threads must be at work, and the number of attempts. */
const OVERLAP = 0.8;
const TRIES = 5;
/** How often a figure is measured in a round. */
const REPEATS = 3;
/** Nanoseconds: cores that share a cache are faster, others slower. */
const NEAR = 200;
const shared = createSharedMemory(2 ** 30);
/**
 * The number of the round that may begin, then, after a cache line, two words for each table of it.
 */
const gate = new Int32Array(new SharedArrayBuffer(64 + 8 * TABLES));
let started = 0;

/**
 * @typedef {import('./hashtable/kinds.mjs').Kind} Kind
 * @typedef {import('./hashtable/kinds.mjs').Task} Task
 * @typedef {{ rates: Record<Kind, { alone: number, together: number }>, line: number }} Round
 */

const kinds = kindsIn(shared);
const kindNames = /** @type {Kind[]} */ (Object.keys(kinds));
/** @type {Partial<Record<Kind, Worker[]>>} */
const crews = {};
for (const kind of kindNames) {
  crews[kind] = [0, 1].map(
    thread =>
      new Worker(new URL('./hashtable/worker.mjs', import.meta.url), {
        workerData: { shared, kind, thread, gate: gate.buffer },
      }),
  );
}

/** @type {(worker: Worker) => Promise<{ times: readonly { from: number, to: number }[] }>} */
function nextMessage(worker) {
  return new Promise(resolve => worker.once('message', resolve));
}

/** Tables that do not grow are filled once and used in all rounds, so that caches are warm. */
const fixed = { lockFree: 0, mutex: 0, spinning: 0, floor: 0 };
for (const kind of kindNames) {
  fixed[kind] = kinds[kind].create(2 * KEYS);
  if (kind === 'floor') continue;
  const table = kinds[kind].open(fixed[kind], { capacity: 2 * KEYS, growing: false, threads: 1 });
  for (let i = 0; i < KEYS; i++) table.addNumber(16 + 16 * i, i);
  table.close();
}

/**
 * The processor time of all threads for this many operations each, and the elapsed time.
 *
 * @param {Kind} kind
 * @param {number} threads
 * @param {Pick<Task, 'growing' | 'operations' | 'readPercent'>} task
 */
async function run(kind, threads, task) {
  const descriptors = Array.from({ length: task.growing ? TABLES : 1 }, () =>
    task.growing && kind !== 'floor' ? kinds[kind].create(FIRST_CAPACITY) : fixed[kind],
  );
  const capacity = task.growing ? FIRST_CAPACITY : 2 * KEYS;
  const crew = (crews[kind] ?? []).slice(0, threads);
  const round = ++started;
  gate.fill(0, 16);
  const ready = crew.map(nextMessage);
  /** @type {Task} */
  const sent = { ...task, descriptors, capacity, threads, keys: KEYS, round };
  for (const worker of crew) worker.postMessage(sent);
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

/**
 * Million operations per second of all threads together.
 *
 * @type {(kind: Kind, threads: number, readPercent: number, growing: boolean) => Promise<number>}
 */
async function measure(kind, threads, readPercent, growing) {
  // While growing, all threads together add a fixed number of keys, so that the tables become
  // equally large.
  const operations = growing ? Math.round(GROWN / (1 - readPercent / 100) / threads) : FIXED_OPERATIONS;
  const rates = [];
  let tries = 0;
  while (rates.length < REPEATS) {
    const { milliseconds, together, tables } = await run(kind, threads, { growing, operations, readPercent });
    if (together < OVERLAP * milliseconds && tries++ < TRIES) continue;
    rates.push((operations * threads * tables) / milliseconds / 1000);
  }
  return spread(rates).median;
}

/**
 * The rates of one thread and of two, by kind, and the round trip of a cache line.
 *
 * @type {(readPercent: number, growing: boolean) => Promise<Round>}
 */
async function measureRound(readPercent, growing) {
  const before = await roundTrip();
  const none = { alone: 0, together: 0 };
  const rates = { lockFree: none, mutex: none, spinning: none, floor: none };
  for (const kind of kindNames) {
    const alone = await measure(kind, 1, readPercent, growing);
    rates[kind] = { alone, together: await measure(kind, 2, readPercent, growing) };
  }
  return { rates, line: Math.max(before, await roundTrip()) };
}

/**
 * The median, the minimum and the maximum.
 *
 * @param {readonly number[]} figures
 */
function spread(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  const median = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
  return { median, least: sorted[0], greatest: sorted[sorted.length - 1] };
}

/** @type {(title: string, rounds: readonly Round[]) => void} */
function print(title, rounds) {
  const line = spread(rounds.map(round => round.line)).median.toFixed(0);
  console.log(`\n${title}    (rounds: ${rounds.length}; a line takes ${line} ns from core to core and back)`);
  for (const kind of kindNames) {
    const own = rounds.map(({ rates }) => rates[kind]);
    const scaling = own.map(({ alone, together }) => together / alone);
    const against = rounds.map(({ rates }) => rates.lockFree.together / rates[kind].together);
    printRow(
      `  ${kinds[kind].name}`,
      spread(own.map(({ alone }) => alone)).median.toFixed(1),
      spread(own.map(({ together }) => together)).median.toFixed(1),
      ratio(scaling),
      kind === 'lockFree' ? '' : ratio(against),
    );
  }
}

/** @param {readonly number[]} figures */
function ratio(figures) {
  const { median, least, greatest } = spread(figures);
  return `${median.toFixed(2).padStart(6)} x (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
}

/**
 * The name, the rates of one thread and two, and the two ratios.
 *
 * @param {string[]} cells
 */
function printRow(...[name, alone, together, scaling, against]) {
  const rates = alone.padStart(10) + together.padStart(11);
  console.log(`${name.padEnd(26)}${rates}  ${scaling.padEnd(26)}${against}`.trimEnd());
}

console.log(`million operations per second, ${KEYS} keys\n`);
printRow('', '1 thread', '2 threads', '  2 threads : 1', '  this table : it');
for (const growing of [false, true])
  for (const readPercent of [50, 90]) {
    const title = `${readPercent}/${100 - readPercent} read/write, ${growing ? 'growing' : 'no growth'}`;
    if (!title.includes(ROW)) continue;
    // The first round is for V8 to compile everything.
    await measureRound(readPercent, growing);
    /** @type {Round[]} */
    const near = [];
    /** @type {Round[]} */
    const far = [];
    while (near.length < ROUNDS && far.length < ROUNDS) {
      const round = await measureRound(readPercent, growing);
      (round.line < NEAR ? near : far).push(round);
    }
    if (near.length > 0) print(title, near);
    if (far.length > 0) print(`${title}, cores apart`, far);
  }
for (const worker of Object.values(crews).flat()) await worker.terminate();
