/**
 * A lower bound for the time of every table: the same hash of the key, then one atomic load of the
 * key word there and one of the value word, or two loads and one compare-and-swap, and nothing
 * else. It uses the same memory and the same language.
 *
 * When it grows, an add is two compare-and-swaps, of the key and of the value, and the range of the
 * hash doubles when 70 % would be used. Nothing is copied.
 */
import { emitModule } from '../../dist/hashtable/language/emit-wasm.js';
import { parseProgram } from '../../dist/hashtable/language/parse.js';

const program = parseProgram(
  [
    `field entries;
     field mask;
     export fn init(entries, mask) { my.entries = entries; my.mask = mask; }
     inline fn entryOf(key: i64): i32 {
       let hash = low(key) ^ high(key) * 0x9e3779b1;
       hash = (hash ^ hash >>> 15) * 0x2c1b3c6d;
       hash = (hash ^ hash >>> 12) * 0x297a2d39;
       return my.entries + ((hash ^ hash >>> 15) & my.mask) * 16;
     }
     export fn find(key: f64): f64 {
       let entry = entryOf(fromNumber(key));
       return toNumber(load64('key.read', entry) + load64('value.read', entry + 8));
     }
     export fn add(key: f64, value: f64) {
       let entry = entryOf(fromNumber(key));
       if (load64('key.read', entry) == 1n) return;
       let before = load64('value.read', entry + 8);
       cas64('value.write', entry + 8, before, fromNumber(value));
     }
     export fn insert(key: f64, value: f64) {
       let entry = entryOf(fromNumber(key));
       cas64('key.claim', entry, load64('key.read', entry), fromNumber(key));
       cas64('value.write', entry + 8, load64('value.read', entry + 8), fromNumber(value));
     }`,
  ],
  {},
);

/**
 * @typedef {import('../../dist/hashtable/index.js').Pool} Pool
 *
 * @typedef {object} Code
 * @property {(handle: number, entries: number, mask: number) => void} init
 * @property {(handle: number, key: number) => number} find
 * @property {(handle: number, key: number, value: number) => void} add
 * @property {(handle: number, key: number, value: number) => void} insert
 */

/** @type {Code | undefined} */
let code;

/**
 * One instance for all tables of a thread: V8 would have to optimise a new one again.
 *
 * @type {(shared: WebAssembly.Memory) => Code}
 */
function codeFor(shared) {
  if (code !== undefined) return code;
  const module = new WebAssembly.Module(emitModule(program, shared.buffer.byteLength / 65536));
  const { exports } = new WebAssembly.Instance(module, { m: { memory: shared } });
  code = /** @type {Code} */ (/** @type {unknown} */ ({ ...exports }));
  return code;
}

export class FloorTable {
  #code;
  #pool;
  #handle;
  #entries;
  #capacity;
  #share;
  #added = 0;

  /**
   * When it grows, each of `threads` makes its share of the additions.
   *
   * @param {WebAssembly.Memory} shared
   * @param {Pool} pool
   * @param {number} descriptor
   * @param {{ capacity: number, growing: boolean, threads: number }} task
   */
  constructor(shared, pool, descriptor, { capacity, growing, threads }) {
    this.#code = codeFor(shared);
    this.#pool = pool;
    this.#handle = pool.allocate(256, 248) + 64;
    this.#entries = descriptor + 64;
    this.#capacity = capacity;
    this.#share = growing ? threads : 0;
    this.#code.init(this.#handle, this.#entries, capacity - 1);
  }

  /**
   * @param {Pool} pool
   * @param {number} capacity
   */
  static create(pool, capacity) {
    return pool.allocate(16 * capacity + 64, 16 * capacity);
  }

  /** @param {number} key */
  findNumber(key) {
    return this.#code.find(this.#handle, key);
  }

  /**
   * @param {number} key
   * @param {number} value
   */
  addNumber(key, value) {
    if (this.#share === 0) {
      this.#code.add(this.#handle, key, value);
      return;
    }
    this.#code.insert(this.#handle, key, value);
    if (++this.#added * this.#share * 10 <= this.#capacity * 7) return;
    this.#capacity *= 2;
    this.#code.init(this.#handle, this.#entries, this.#capacity - 1);
  }

  close() {
    this.#pool.release(this.#handle - 64);
  }

  /** The memory is shared by all tables. */
  delete() {}
}
