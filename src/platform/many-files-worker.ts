/** The other half of `many-files.ts`. An error ends the worker, and with that reaches the caller. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../support/assert.js';
import { writeNewFile } from './files.js';
import type { FileBatch, FileWorkerData } from './many-files.js';

const { done } = workerData as FileWorkerData;
const port = parentPort;
assert(port !== null, 'this module runs only in a worker');
port.on('message', (batch: FileBatch | 'end') => {
  if (batch === 'end') {
    port.close();
    return;
  }
  let start = 0;
  for (const [i, path] of batch.paths.entries()) {
    writeNewFile(path, batch.bytes.subarray(start, batch.ends[i]));
    start = batch.ends[i]!;
  }
  Atomics.add(done, 0, 1);
  Atomics.notify(done, 0);
});
