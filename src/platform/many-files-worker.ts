/**
 * The other half of `many-files.ts`. After an error, which it reports, it continues without
 * writing, so that the caller never blocks.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DONE, isEnd, PUBLISHED, type SharedPages, writePage } from './many-files.js';

const shared = workerData as SharedPages;
const { counters } = shared;
let failure: Error | undefined;

for (let page = 0; ; page++) {
  Atomics.wait(counters, PUBLISHED, page);
  if (isEnd(shared, page)) break;
  const before = failure;
  failure = writePage(shared, page, before);
  if (failure !== before) parentPort?.postMessage(failure);
  Atomics.add(counters, DONE, 1);
  Atomics.notify(counters, DONE);
}
