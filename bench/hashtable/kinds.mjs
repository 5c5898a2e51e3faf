/**
 * The kinds of tables that `bench/hashtable.mjs` measures, in one shared memory: how one is made,
 * and how a thread opens it.
 */
import { createHashTable, POOL_AT, Pool, TableHandle, WasmMemory } from '../../dist/hashtable/index.js';
import { FloorTable } from './floor-table.mjs';
import { MutexTable } from './mutex-table.mjs';

/**
 * @typedef {'lockFree' | 'mutex' | 'spinning' | 'floor'} Kind
 *
 * @typedef {object} Task What the threads do together with the tables at these addresses
 * @property {boolean} growing
 * @property {number} operations
 * @property {number} readPercent
 * @property {number} keys
 * @property {number} capacity
 * @property {number} threads
 * @property {readonly number[]} descriptors
 * @property {number} round
 *
 * @typedef {Pick<Task, 'capacity' | 'growing' | 'threads'>} Use
 *
 * @typedef {object} Table
 * @property {(key: number) => number} findNumber
 * @property {(key: number, value: number) => unknown} addNumber
 * @property {() => void} close
 * @property {() => void} delete
 *
 * @typedef {object} TableKind
 * @property {string} name
 * @property {(capacity: number) => number} create
 * @property {(descriptor: number, task: Use) => Table} open
 */

/** How often a thread retries to lock a mutex before it sleeps. */
const SPINS = 100;

/** @type {(shared: WebAssembly.Memory) => Record<Kind, TableKind>} */
export function kindsIn(shared) {
  const memory = new WasmMemory(shared);
  const pool = new Pool(memory, POOL_AT);
  /** @type {(name: string, spins: number) => TableKind} */
  const behindMutex = (name, spins) => ({
    name,
    create: capacity => MutexTable.create(shared, pool, capacity),
    open: descriptor => new MutexTable(shared, pool, descriptor, spins),
  });
  return {
    lockFree: {
      name: 'this table',
      create: capacity => createHashTable(memory, pool, { capacity }),
      open: descriptor => new TableHandle(memory, pool, descriptor),
    },
    mutex: behindMutex('map behind a mutex', 0),
    spinning: behindMutex('the same, spinning first', SPINS),
    floor: {
      name: 'bare instructions',
      create: capacity => FloorTable.create(pool, capacity),
      open: (descriptor, task) => new FloorTable(shared, pool, descriptor, task),
    },
  };
}
