/**
 * What no table can be faster than: the same hash of the key, then one atomic load of the key word there and one of the value word, or one load and one
 * compare-and-swap, and nothing else. In the same memory, in the same language.
 */
import { emitModule } from '../../dist/hashtable/language/emit.js';
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
     }`,
  ],
  {},
);

export class FloorTable {
  #code;
  #handle;

  constructor(shared, pool, descriptor, capacity) {
    const module = new WebAssembly.Module(emitModule(program, shared.buffer.byteLength / 65536));
    this.#code = { ...new WebAssembly.Instance(module, { m: { memory: shared } }).exports };
    this.#handle = pool.allocate(256, 248) + 64;
    this.#code.init(this.#handle, descriptor + 64, capacity - 1);
  }

  static create(pool, capacity) {
    return pool.allocate(16 * capacity + 64, 16 * capacity);
  }

  findNumber(key) {
    return this.#code.find(this.#handle, key);
  }

  addNumber(key, value) {
    this.#code.add(this.#handle, key, value);
  }

  close() {}
}
