/** The other half of `many-files.ts`. After an error it counts pages without writing them, so that the caller never waits, and ends with the error. */
import { workerData } from 'node:worker_threads';
import { DONE, isEnd, PUBLISHED, type SharedPages, writePage } from './many-files.js';

const shared = workerData as SharedPages;
const { counters } = shared;
const failures: unknown[] = [];

for (let page = 0; ; page++) {
  Atomics.wait(counters, PUBLISHED, page);
  if (isEnd(shared, page)) break;
  try {
    if (failures.length === 0) writePage(shared, page);
  } catch (error) {
    failures.push(error);
  }
  Atomics.add(counters, DONE, 1);
  Atomics.notify(counters, DONE);
}
if (failures.length > 0) throw failures[0];
