/**
 * dnmalloc's lookup table: one word for every 256 bytes of memory, the list of the records whose
 * blocks begin there.
 *
 *     memory   │ 256 bytes │ 256 bytes │ 256 bytes │ …
 *     table    │ ●         │ 0         │ ●         │
 *                ▼                       ▼
 *              record ─▶ record        record            through the records' `chain` word
 *
 * A list has at most 16 records, so no address takes long. The table covers the whole address space
 * from the start, which 32-bit machines allow and 64-bit ones do not: the reason that the SRI
 * report turned to hashing.
 */
import type { AddressIndex } from './address-index.js';
import { ADDRESS, CHAIN, unchain } from './records.js';

const SHIFT = 8;

export class LookupTable implements AddressIndex {
  readonly #table: Int32Array;
  readonly #records: Int32Array;
  readonly #start: number;

  constructor(table: Int32Array, records: Int32Array, start: number) {
    this.#table = table;
    this.#records = records;
    this.#start = start;
  }

  static wordsFor(range: { readonly start: number; readonly limit: number }): number {
    return ((range.limit - range.start) >>> SHIFT) + 1;
  }

  /** Every entry that lies below the highest address in use. */
  get bytesUsed(): number {
    let last = this.#table.length;
    while (last > 0 && this.#table[last - 1] === 0) last--;
    return last * 4;
  }

  find(address: number): number {
    const records = this.#records;
    const at = (address - this.#start) >>> SHIFT;
    if (at >= this.#table.length) return 0;
    let record = this.#table[at]!;
    while (record !== 0 && records[record + ADDRESS] !== address) record = records[record + CHAIN]!;
    return record;
  }

  insert(record: number): void {
    const at = (this.#records[record + ADDRESS]! - this.#start) >>> SHIFT;
    this.#records[record + CHAIN] = this.#table[at]!;
    this.#table[at] = record;
  }

  remove(record: number): void {
    const records = this.#records;
    unchain(this.#table, (records[record + ADDRESS]! - this.#start) >>> SHIFT, records, record);
  }

  check(): string | undefined {
    for (let at = 0; at < this.#table.length; at++)
      for (let record = this.#table[at]!; record !== 0; record = this.#records[record + CHAIN]!)
        if ((this.#records[record + ADDRESS]! - this.#start) >>> SHIFT !== at)
          return `record ${record} is in a wrong entry`;
    return undefined;
  }
}
