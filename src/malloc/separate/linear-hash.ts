/**
 * Larson's linear hashing: a table that grows by one bucket at a time, so that no insertion ever
 * pays for all of them.
 *
 *     buckets   0 1 2 … split-1 │ split … round-1 │ round … round+split-1
 *               already split   │  not yet        │ the other halves of those on the left
 *
 * An address hashes to `h mod 2·round` if that bucket exists, else to `h mod round`. When there are
 * fewer than four buckets for each record, bucket `split` is divided between itself and a new
 * bucket `round + split`; when all are split, the round doubles. Both follow from the number of
 * buckets: round is the largest power of two in it, split the rest. Buckets are lists through the
 * records' own `chain` word, so an insertion allocates nothing.
 *
 * With `moveToFront`, a record that was found becomes the first of its list: what is freed next is
 * often what was used last (the SRI report, B.3, measured 4 %).
 *
 * Left out of Larson's algorithm: contraction. A heap that has shrunk usually grows again.
 *
 * Invariants (`check`): each record is in the bucket of its address; `count` is how many there are.
 */
import type { AddressIndex } from './address-index.js';
import { ADDRESS, CHAIN, unchain } from './records.js';

/** The state of a table, in words; the buckets follow. */
const COUNT = 0;
const BUCKETS = 1;
const HEADER = 4;
const FIRST_ROUND = 128;
/**
 * Buckets for each record: a bucket is one word, and a second record in it is a miss of the cache.
 */
export const PER_RECORD = 4;

export class LinearHash implements AddressIndex {
  readonly #table: Int32Array;
  readonly #records: Int32Array;
  readonly #moveToFront: boolean;

  constructor(
    table: Int32Array,
    records: Int32Array,
    moveToFront: boolean,
    private readonly perRecord: number = PER_RECORD,
  ) {
    this.#table = table;
    this.#records = records;
    this.#moveToFront = moveToFront;
    if (table[BUCKETS] === 0) table[BUCKETS] = FIRST_ROUND;
  }

  get bytesUsed(): number {
    return this.#table[BUCKETS]! * 4;
  }

  find(address: number): number {
    const records = this.#records;
    const bucket = this.#bucketOf(address);
    const first = this.#table[bucket]!;
    if (first === 0 || records[first + ADDRESS] === address) return first;
    let previous = first;
    for (let record = records[first + CHAIN]!; record !== 0; record = records[record + CHAIN]!) {
      if (records[record + ADDRESS] === address) {
        if (this.#moveToFront) {
          records[previous + CHAIN] = records[record + CHAIN]!;
          records[record + CHAIN] = first;
          this.#table[bucket] = record;
        }
        return record;
      }
      previous = record;
    }
    return 0;
  }

  insert(record: number): void {
    const table = this.#table;
    const bucket = this.#bucketOf(this.#records[record + ADDRESS]!);
    this.#records[record + CHAIN] = table[bucket]!;
    table[bucket] = record;
    const count = table[COUNT]! + 1;
    table[COUNT] = count;
    // A few splits at a time, until there are enough buckets again.
    for (let i = 0; i < this.perRecord && count * this.perRecord > table[BUCKETS]!; i++) this.#grow();
  }

  remove(record: number): void {
    const records = this.#records;
    this.#table[COUNT]!--;
    unchain(this.#table, this.#bucketOf(records[record + ADDRESS]!), records, record);
  }

  /** The index in the table of the bucket for an address. */
  #bucketOf(address: number): number {
    const buckets = this.#table[BUCKETS]!;
    const hash = hashOf(address);
    const mask = -1 >>> Math.clz32(buckets - 1);
    const bucket = hash & mask;
    return HEADER + (bucket < buckets ? bucket : bucket & (mask >>> 1));
  }

  /** Bucket `split` gives a part of its records to a new one, the last. */
  #grow(): void {
    const table = this.#table;
    const records = this.#records;
    const buckets = table[BUCKETS]!;
    if (HEADER + buckets >= table.length) return;
    const round = 1 << (31 - Math.clz32(buckets));
    const split = HEADER + buckets - round;
    let kept = 0;
    let moved = 0;
    for (let record = table[split]!; record !== 0; ) {
      const next = records[record + CHAIN]!;
      if (hashOf(records[record + ADDRESS]!) & round) {
        records[record + CHAIN] = moved;
        moved = record;
      } else {
        records[record + CHAIN] = kept;
        kept = record;
      }
      record = next;
    }
    table[split] = kept;
    table[HEADER + buckets] = moved;
    table[BUCKETS] = buckets + 1;
  }

  check(): string | undefined {
    const table = this.#table;
    let count = 0;
    for (let bucket = HEADER; bucket < HEADER + table[BUCKETS]!; bucket++)
      for (let record = table[bucket]!; record !== 0; record = this.#records[record + CHAIN]!) {
        if (this.#bucketOf(this.#records[record + ADDRESS]!) !== bucket)
          return `record ${record} is in a wrong bucket`;
        count++;
      }
    return count === table[COUNT] ? undefined : `the table counts ${table[COUNT]} records and holds ${count}`;
  }
}

/**
 * Neighbouring blocks get neighbouring buckets, whatever their sizes: the higher bits are folded
 * in.
 */
function hashOf(address: number): number {
  const unit = address >>> 4;
  return unit ^ (unit >>> 9) ^ (unit >>> 18);
}
