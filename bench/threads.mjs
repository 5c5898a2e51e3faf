/**
 * Measures the cost of threads under `check`: a million accesses to memory that two threads share
 * under a lock, with and without race checks, and a million lock operations.
 *
 *     npm run bench:threads
 *
 * Times are processor times, the best of three alternating runs. The threads wait for each other's
 * baton, so wall-clock time is longer on a busy machine.
 */
import { check } from '../dist/index.js';

/**
 * Two threads share the rounds; a round is a lock, `accesses` to shared memory, an unlock.
 * @type {(rounds: number, accesses: number) => string}
 */
const program = (rounds, accesses) => `
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared[64];
static void *work(void *p) {
  for (int i = 0; i < ${rounds / 2}; i++) {
    pthread_mutex_lock(&lock);
    for (int k = 0; k < ${accesses / 2}; k++) shared[(i + k) % 64]++;
    pthread_mutex_unlock(&lock);
  }
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}`;

/** @typedef {Awaited<ReturnType<typeof run>>} Times */

const runs = 3;

/**
 * @param {string} name
 * @param {string} text
 * @param {import('../dist/index.js').CheckOptions['checks']} [checks]
 */
async function run(name, text, checks) {
  const report = await check({ inputs: [{ name, text }], ...(checks && { checks }) });
  if (report.findings.length > 0 || report.program?.exit !== 0) throw new Error(`${name} did not run clean`);
  return { wall: report.stats.runMs ?? Number.NaN, processor: report.runProcessorMs ?? Number.NaN };
}

/** @type {import('../dist/index.js').CheckOptions['checks']} */
const without = ['spatial', 'temporal', 'init', 'undefined', 'leaks'];
const accesses = program(10_000, 100);
const locks = program(500_000, 2);
/** @type {Record<'races' | 'none' | 'locks', Awaited<ReturnType<typeof run>>[]>} */
const times = { races: [], none: [], locks: [] };
for (let i = 0; i < runs; i++) {
  times.none.push(await run('accesses.c', accesses, without));
  times.races.push(await run('accesses.c', accesses));
  times.locks.push(await run('locks.c', locks));
}
/** @type {(list: readonly Times[], key: keyof Times) => number} */
const best = (list, key) => Math.min(...list.map(each => each[key]));
/** @type {(name: string, list: readonly Times[]) => void} */
const row = (name, list) =>
  console.log(
    `${name.padEnd(58)} ${best(list, 'processor').toFixed(0).padStart(6)} ms of processor ${best(list, 'wall').toFixed(0).padStart(6)} ms`,
  );
row('1,000,000 accesses under 10,000 locks, no race checks', times.none);
row('1,000,000 accesses under 10,000 locks', times.races);
row('1,000,000 lock operations (500,000 locks and unlocks)', times.locks);
console.log(
  `race checks cost ${(best(times.races, 'processor') / best(times.none, 'processor')).toFixed(2)} x`,
);
