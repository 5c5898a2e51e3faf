/**
 * The set of states seen so far: packed words in one typed array, in the order of discovery, and an
 * open hash table over them.
 *
 * Each state also records the state and the command by which it was first reached; since states are
 * discovered breadth first, following these gives a shortest trace.
 */
export class PackedStateStore {
  readonly #words: number;
  #states: Int32Array;
  #parents = new Int32Array(1024);
  #commands = new Uint16Array(1024);
  #table = new Int32Array(4096).fill(-1);
  count = 0;

  constructor(words: number) {
    this.#words = words;
    this.#states = new Int32Array(1024 * words);
  }

  /** The words of all states one after another; valid until the next `add`. */
  get states(): Int32Array {
    return this.#states;
  }

  parent(state: number): number {
    return this.#parents[state]!;
  }

  command(state: number): number {
    return this.#commands[state]!;
  }

  /** Adds the state in `words` unless it is there; says whether it was new. */
  add(words: Int32Array, parent: number, command: number): boolean {
    const slot = this.#find(words);
    if (this.#table[slot]! >= 0) return false;
    const state = this.count++;
    if (state === this.#parents.length) this.#grow();
    this.#states.set(words, state * this.#words);
    this.#parents[state] = parent;
    this.#commands[state] = command;
    this.#table[slot] = state;
    if (2 * this.count > this.#table.length) this.#rehash();
    return true;
  }

  has(words: Int32Array): boolean {
    return this.#table[this.#find(words)]! >= 0;
  }

  /** The slot of the state, or the free one where it belongs. */
  #find(words: Int32Array): number {
    const mask = this.#table.length - 1;
    const n = this.#words;
    let slot = hash(words, 0, n) & mask;
    for (;;) {
      const state = this.#table[slot]!;
      if (state < 0) return slot;
      const base = state * n;
      let i = 0;
      while (i < n && this.#states[base + i] === words[i]) i++;
      if (i === n) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const states = new Int32Array(2 * this.#states.length);
    states.set(this.#states);
    this.#states = states;
    const parents = new Int32Array(2 * this.#parents.length);
    parents.set(this.#parents);
    this.#parents = parents;
    const commands = new Uint16Array(2 * this.#commands.length);
    commands.set(this.#commands);
    this.#commands = commands;
  }

  #rehash(): void {
    const table = new Int32Array(2 * this.#table.length).fill(-1);
    const mask = table.length - 1;
    for (let state = 0; state < this.count; state++) {
      let slot = hash(this.#states, state * this.#words, this.#words) & mask;
      while (table[slot]! >= 0) slot = (slot + 1) & mask;
      table[slot] = state;
    }
    this.#table = table;
  }
}

function hash(words: Int32Array, base: number, count: number): number {
  let h = 0x9e3779b9 | 0;
  for (let i = 0; i < count; i++) {
    h = Math.imul(h ^ words[base + i]!, 0x85ebca6b);
    h ^= h >>> 13;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
