/**
 * One thread of the stress test: random operations on keys of its own, each answer compared with a
 * model, and on keys that it shares with the others, whose values may never go back in time.
 *
 * The own keys are a window that moves on: a key enters, is added, updated, removed and looked up,
 * and leaves, so that tombstones pile up and the table is migrated again and again, to the same
 * size and to others.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { POOL_AT, Pool, TableHandle, WasmMemory } from '../../dist/hashtable/index.js';

const { shared, descriptor, thread, threads, operations, window } = workerData;

const OWN_KEYS = 2 ** 40;
const SHARED_KEYS = 64;

const memory = new WasmMemory(shared);
const pool = new Pool(memory, POOL_AT);
let handle = new TableHandle(memory, pool, descriptor);
let x = (thread + 1) * 0x9e3779b1;
const model = new Map();
/** For each shared key and writer, the newest value seen. */
const newest = Array.from({ length: SHARED_KEYS }, () => new Array(threads).fill(0));
let base = 0;
let sequence = 0;

function random() {
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return x >>> 0;
}

function wrong(what, key) {
  throw new Error(`thread ${thread}: ${what} of key ${key} after ${sequence} operations`);
}

/** Keys of different threads alternate, so that they meet in the same lines of the table. */
function ownKey(index) {
  return OWN_KEYS + index * threads + thread;
}

function remove(key) {
  if (handle.removeNumber(key) !== model.delete(key)) wrong('remove', key);
}

function workOnOwn(choice) {
  const key = ownKey(base + (random() % window));
  if (choice < 5) {
    if ((handle.addNumber(key, sequence) === 'inserted') === model.has(key)) wrong('add', key);
    model.set(key, sequence);
  } else if (choice < 7) remove(key);
  else if (handle.findNumber(key) !== (model.get(key) ?? -1)) wrong('find', key);
}

function workOnShared(choice) {
  const key = 1 + (random() % SHARED_KEYS);
  if (choice < 4) handle.addNumber(key, sequence * threads + thread);
  else if (choice === 4) handle.removeNumber(key);
  else {
    const value = handle.findNumber(key);
    if (value === -1) return;
    const writer = value % threads;
    if (value < newest[key - 1][writer]) wrong('a value that went back', key);
    newest[key - 1][writer] = value;
  }
}

for (sequence = 1; sequence <= operations; sequence++) {
  const choice = random() % 10;
  if (random() % 8 === 0) workOnShared(choice);
  else workOnOwn(choice);
  if (sequence % 4 === 0) {
    remove(ownKey(base));
    base++;
  }
  if (sequence % 20_000 === 0) {
    handle.close();
    handle = new TableHandle(memory, pool, descriptor);
  }
}
for (let i = 0; i < window; i++) {
  const key = ownKey(base + i);
  if (handle.findNumber(key) !== (model.get(key) ?? -1)) wrong('find at the end', key);
}
handle.close();
parentPort.postMessage({ entries: [...model] });
