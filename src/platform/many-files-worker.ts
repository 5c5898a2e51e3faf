/** The other half of `many-files.ts`. After an error, which it tells, it counts pages without writing them, so that the caller never waits. */
import { parentPort, workerData } from 'node:worker_threads';
import { DONE, isEnd, PUBLISHED, type SharedPages, writePage } from './many-files.js';

const shared = workerData as SharedPages;
const { counters } = shared;
let hasFailed = false;

for (let page = 0; ; page++) {
  Atomics.wait(counters, PUBLISHED, page);
  if (isEnd(shared, page)) break;
  try {
    if (!hasFailed) writePage(shared, page);
  } catch (error) {
    hasFailed = true;
    parentPort?.postMessage(error);
  }
  Atomics.add(counters, DONE, 1);
  Atomics.notify(counters, DONE);
}
