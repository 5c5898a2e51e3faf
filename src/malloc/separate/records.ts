/**
 * The metadata of a chunk, in a separate record. A record is eight words of one array; its number
 * is the index of its first word, and 0 is not a record.
 *
 *     0  address    where the owner's bytes begin
 *     1  size       of the whole chunk, a multiple of the heap's unit
 *     2  state      FREE, IN_USE, FAST (freed, on a list of its size, not merged), TOP, EDGE (no chunk: where a segment
 *                   begins); with INDEXED if the index knows it
 *     3  before     the chunk that ends where this one begins, or 0
 *     4  after      the chunk that begins where this one ends, or 0
 *     5  next       in its bin, or of the unused records
 *     6  previous   in its bin
 *     7  chain      next in the same place of the index
 *
 * Records are handed out in batches: an arena takes 64 from the common supply by one atomic
 * addition, and keeps those it no longer needs on a list of its own. So arenas do not disturb each
 * other, and no lock is needed.
 */

export const ADDRESS = 0;
export const SIZE = 1;
export const STATE = 2;
export const BEFORE = 3;
export const AFTER = 4;
export const NEXT = 5;
export const PREVIOUS = 6;
export const CHAIN = 7;
export const RECORD = 8;

export const FREE = 0;
export const IN_USE = 1;
export const FAST = 2;
export const TOP = 3;
export const EDGE = 8;
/** Set beside the state. */
export const INDEXED = 4;

const batch = 64;

/** Removes a record from the chain that begins at `table[at]`. */
export function unchain(table: Int32Array, at: number, records: Int32Array, record: number): void {
  let before = table[at]!;
  if (before === record) {
    table[at] = records[record + CHAIN]!;
    return;
  }
  while (records[before + CHAIN] !== record) before = records[before + CHAIN]!;
  records[before + CHAIN] = records[record + CHAIN]!;
}

export class Records {
  /** `supply[0]` is how many words were ever handed out. */
  constructor(
    readonly words: Int32Array,
    private readonly supply: Int32Array,
  ) {
    Atomics.compareExchange(supply, 0, 0, RECORD);
  }

  get bytesUsed(): number {
    return Math.min(Atomics.load(this.supply, 0), this.words.length) * 4;
  }

  /** Consecutive records that are never given back, such as the heads of bins. */
  reserve(count: number): number {
    return this.#more(count);
  }

  /** A record from the list at `unused[at]`; 0 when there is no room for another one. */
  take(unused: Int32Array, at: number): number {
    const { words } = this;
    const record = unused[at]!;
    if (record !== 0) {
      unused[at] = words[record + NEXT]!;
      return record;
    }
    const first = this.#more(batch);
    if (first === 0) return 0;
    for (let i = batch - 1; i > 0; i--) this.give(first + i * RECORD, unused, at);
    return first;
  }

  give(record: number, unused: Int32Array, at: number): void {
    this.words[record + NEXT] = unused[at]!;
    unused[at] = record;
  }

  #more(count: number): number {
    const first = Atomics.add(this.supply, 0, count * RECORD);
    if (first + count * RECORD <= this.words.length) return first;
    Atomics.sub(this.supply, 0, count * RECORD);
    return 0;
  }
}
