/**
 * The time of a cache line from one core to another and back, in nanoseconds. Cores that share a
 * cache need about 120; cores that do not need 350, and then every write to a line that the other
 * core has touched costs more than the rest of an operation. Which cores a virtual machine gets
 * changes over time.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const TRIPS = 20_000;
const TURNS = 5;

export async function roundTrip() {
  const word = new Int32Array(new SharedArrayBuffer(64));
  Atomics.store(word, 0, -1);
  const partner = new Worker(new URL(import.meta.url), { workerData: word });
  await new Promise(resolve => partner.once('online', resolve));
  let best = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS; turn++) {
    const from = performance.now();
    for (let i = 2 * TRIPS * turn; i < 2 * TRIPS * (turn + 1); i += 2) {
      Atomics.store(word, 0, i);
      while (Atomics.load(word, 0) !== i + 1);
    }
    best = Math.min(best, ((performance.now() - from) * 1e6) / TRIPS);
  }
  await partner.terminate();
  return best;
}

if (!isMainThread) {
  /** @type {Int32Array} */
  const word = workerData;
  for (let i = 0; i < 2 * TRIPS * TURNS; i += 2) {
    while (Atomics.load(word, 0) !== i);
    Atomics.store(word, 0, i + 1);
  }
}
