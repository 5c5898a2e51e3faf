/**
 * The baseline for the lock-free table: the same kind of table, open addressing and linear probing
 * in the same shared memory, with a mutex that is held during every operation. Plain accesses are
 * enough under it, and growth is a copy.
 *
 * The mutex is the usual one of three states, free, locked, and locked with a waiting thread, so
 * that an unlock wakes a thread only if one waits. A thread that does not get it sleeps, or first
 * retries several times, which makes a stronger baseline.
 */
/** @typedef {import('../../dist/hashtable/index.js').Pool} Pool */

const LOCK = 0;
const USED = 1;
const CAPACITY = 2;
const ENTRIES = 3;
const HEADER_BYTES = 64;
const TWO_TO_32 = 4294967296;

export class MutexTable {
  /** @type {Int32Array} */
  #words;
  #pool;
  #header;
  #spins;

  /**
   * @param {WebAssembly.Memory} shared
   * @param {Pool} pool
   * @param {number} descriptor
   * @param {number} spins
   */
  constructor(shared, pool, descriptor, spins) {
    this.#words = new Int32Array(shared.buffer);
    this.#pool = pool;
    this.#header = descriptor >> 2;
    this.#spins = spins;
  }

  /**
   * @param {WebAssembly.Memory} shared
   * @param {Pool} pool
   * @param {number} capacity
   */
  static create(shared, pool, capacity) {
    const block = pool.allocate(HEADER_BYTES + 8, HEADER_BYTES);
    const header = (block + 8) >> 2;
    const words = new Int32Array(shared.buffer);
    words[header + CAPACITY] = capacity;
    words[header + ENTRIES] = (pool.allocate(16 * capacity + 8, 16 * capacity) + 8) >> 2;
    return header << 2;
  }

  close() {}

  /** Frees the memory, when no thread uses the table any more. */
  delete() {
    this.#pool.release((this.#words[this.#header + ENTRIES] << 2) - 8);
    this.#pool.release((this.#header << 2) - 8);
  }

  /**
   * @param {number} key
   * @param {number} value
   */
  addNumber(key, value) {
    const low = key | 0;
    const high = (key / TWO_TO_32) | 0;
    this.#lock();
    const words = this.#words;
    const at = this.#slot(low, high);
    const isNew = words[at + 3] === 0;
    words[at] = low;
    words[at + 1] = high;
    words[at + 2] = value | 0;
    // The upper bit marks a used entry.
    words[at + 3] = (value / TWO_TO_32) | 0x80000000;
    if (isNew) this.#count();
    this.#unlock();
    return isNew ? 'inserted' : 'replaced';
  }

  /** @param {number} key */
  findNumber(key) {
    const low = key | 0;
    const high = (key / TWO_TO_32) | 0;
    this.#lock();
    const words = this.#words;
    const at = this.#slot(low, high);
    const valueLow = words[at + 2];
    const valueHigh = words[at + 3];
    this.#unlock();
    return valueHigh === 0 ? -1 : (valueHigh & 0x7fffffff) * TWO_TO_32 + (valueLow >>> 0);
  }

  /**
   * The key's entry, or the empty one where it belongs.
   *
   * @param {number} low
   * @param {number} high
   */
  #slot(low, high) {
    const words = this.#words;
    const mask = words[this.#header + CAPACITY] - 1;
    const entries = words[this.#header + ENTRIES];
    let hash = low ^ Math.imul(high, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
    let index = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const at = entries + 4 * index;
      if (words[at + 3] === 0 || (words[at] === low && words[at + 1] === high)) return at;
      index = (index + 1) & mask;
    }
  }

  #count() {
    const words = this.#words;
    const capacity = words[this.#header + CAPACITY];
    if (++words[this.#header + USED] * 10 <= capacity * 7) return;
    const old = words[this.#header + ENTRIES];
    words[this.#header + CAPACITY] = 2 * capacity;
    words[this.#header + ENTRIES] = (this.#pool.allocate(32 * capacity + 8, 32 * capacity) + 8) >> 2;
    for (let from = old; from < old + 4 * capacity; from += 4) {
      if (words[from + 3] === 0) continue;
      const to = this.#slot(words[from], words[from + 1]);
      for (let i = 0; i < 4; i++) words[to + i] = words[from + i];
    }
    this.#pool.release((old << 2) - 8);
  }

  #lock() {
    const words = this.#words;
    const lock = this.#header + LOCK;
    if (Atomics.compareExchange(words, lock, 0, 1) === 0) return;
    for (let left = this.#spins; left > 0; left--) {
      if (Atomics.load(words, lock) === 0 && Atomics.compareExchange(words, lock, 0, 1) === 0) return;
    }
    while (Atomics.exchange(words, lock, 2) !== 0) Atomics.wait(words, lock, 2);
  }

  #unlock() {
    const words = this.#words;
    const lock = this.#header + LOCK;
    if (Atomics.exchange(words, lock, 0) === 2) Atomics.notify(words, lock, 1);
  }
}
