/**
 * The mallocs with several arenas, used by two workers at once: each frees blocks that the other
 * has made, or lets them grow.
 */
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { mallocInfo, mallocNames } from './malloc-names.js';
import { attachMalloc, shareMalloc } from './share-malloc.js';

const dist = new URL('../../dist/malloc/', import.meta.url);

/**
 * Runs in a worker, from the build: passes blocks to the other one through a ring of slots, and
 * frees what it gets.
 */
const program = `
import { parentPort, workerData } from 'node:worker_threads';
import { attachMalloc } from '${dist}share-malloc.js';
import { Random } from '${dist}../support/random.js';
const { description, worker, slots, rounds } = workerData;
const { malloc, memory } = attachMalloc(description, worker);
const random = new Random(worker);
let problems = 0;
for (let i = 0; i < rounds; i++) {
  const bytes = 8 + random.below(i % 50 === 0 ? 20000 : 300);
  const address = malloc.malloc(bytes);
  if (address === 0) { problems++; continue; }
  // The block says how long it is, at both ends.
  memory.words[address >> 2] = bytes;
  memory.words[(address + ((bytes - 4) & -4)) >> 2] = bytes;
  const other = Atomics.exchange(slots, random.below(slots.length), address);
  if (other === 0) continue;
  const length = memory.words[other >> 2];
  if (memory.words[(other + ((length - 4) & -4)) >> 2] !== length) problems++;
  const moved = i % 5 === 0 ? malloc.realloc(other, length + random.below(500)) : other;
  if (memory.words[moved >> 2] !== length) problems++;
  if (malloc.free(moved) !== 'ok') problems++;
}
parentPort.postMessage(problems);
`;

test.each(mallocNames.filter(name => mallocInfo[name].isShareable))('%s serves two workers', async name => {
  const description = shareMalloc(name, { bytes: 64 << 20, arenas: 2 });
  const slots = new Int32Array(new SharedArrayBuffer(4 * 512));
  const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const run = (worker: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const workerData = { description, worker, slots, rounds: 20_000 };
      const started = new Worker(url, { workerData, execArgv: [] });
      started.once('message', resolve);
      started.once('error', reject);
    });
  expect(await Promise.all([run(0), run(1)])).toEqual([0, 0]);
  const { malloc } = attachMalloc(description, 0);
  expect(malloc.check()).toBeUndefined();
  let live = 0;
  malloc.walk(kind => {
    if (kind === 'client') live++;
  });
  expect(live).toBe(slots.filter(address => address !== 0).length);
  for (const address of slots) expect(malloc.free(address)).toBe('ok');
  expect(malloc.check()).toBeUndefined();
});
