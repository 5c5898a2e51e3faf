/**
 * A thread's way to a table: `add`, `remove` and `find`. The top layer of a handle; `docs/hashtable.md` has the proofs.
 *
 * Each operation reads the head, and if that is what the handle saw last, goes straight to the entries: find takes three
 * atomic loads if the key is at home. When the entry turns out to be frozen or closed, the table has been replaced since, and the
 * operation starts again on the new one; except `find`, which may answer from a frozen entry.
 *
 * **Linearisation points.** `add`: the compare-and-swap `value.write`. `remove`: `value.remove`, or where `find` would
 * have found nothing. `find`: the load `value.read`, or the load `key.read` of an empty entry. If these saw a frozen
 * value or a closed entry, the point is the earlier moment when it was frozen or closed: that is after this operation read
 * the head, since tables are only frozen once they are no longer current, and it was the last moment of that table for the key.
 *
 * Keys and values come in two forms: bigints of 64 bits, and for speed numbers that are integers below 2^53.
 */
import {
  CLOSED,
  EMPTY,
  ENTRY_BYTES,
  hashOf,
  isSpecialKey,
  PRESENT,
  SPECIAL_ENTRIES,
  Table,
  TOMBSTONE,
  VALUE,
  VALUE_HIGH,
  WIDE,
} from './layout.js';
import { FULL, MigratingHandle, MOVED } from './migrating-handle.js';

/** `no-memory`: the table is full and cannot grow. `deleted`: by `delete`, of whatever thread. */
export type AddOutcome = 'inserted' | 'replaced' | 'no-memory' | 'deleted';

/** What `findNumber` answers for a key that is not there. */
export const ABSENT = -1;

const TWO_TO_32 = 4294967296;

export class TableHandle extends MigratingHandle {
  /** The value that the last `search` found. */
  private foundLow = 0;
  private foundHigh = 0;
  /** The value word that the last `encode` made. */
  private wordLow = 0;
  private wordHigh = 0;

  /** Inserts the key, or replaces its value. */
  add(key: bigint, value: bigint): AddOutcome {
    return this.put(lowOf(key), highOf(key), lowOf(value), highOf(value));
  }

  /** Removes the key; false if it was not there. */
  remove(key: bigint): boolean {
    return this.take(lowOf(key), highOf(key));
  }

  find(key: bigint): bigint | undefined {
    if (!this.search(lowOf(key), highOf(key))) return undefined;
    return (BigInt(this.foundHigh >>> 0) << 32n) | BigInt(this.foundLow >>> 0);
  }

  /** `add` for integers from 0 to 2^53 - 1. */
  addNumber(key: number, value: number): AddOutcome {
    return this.put(key | 0, (key / TWO_TO_32) | 0, value | 0, (value / TWO_TO_32) | 0);
  }

  removeNumber(key: number): boolean {
    return this.take(key | 0, (key / TWO_TO_32) | 0);
  }

  /** The value, or `ABSENT`. It must have been added as a number. */
  findNumber(key: number): number {
    if (!this.search(key | 0, (key / TWO_TO_32) | 0)) return ABSENT;
    return (this.foundHigh >>> 0) * TWO_TO_32 + (this.foundLow >>> 0);
  }

  private put(low: number, high: number, valueLow: number, valueHigh: number): AddOutcome {
    const hash = hashOf(low, high);
    for (;;) {
      if (!this.enter(low, high, hash)) return 'deleted';
      const entry = this.claim(low, high, hash, false);
      if (entry === MOVED) continue;
      if (entry === FULL || !this.encode(valueLow, valueHigh)) {
        if (!this.grow(true)) return 'no-memory';
        continue;
      }
      const outcome = this.commit(entry + VALUE);
      if (outcome === undefined) continue;
      if (this.wantsGrowth) this.grow(false);
      return outcome;
    }
  }

  /** Writes the encoded value; undefined if the entry is frozen. */
  private commit(at: number): 'inserted' | 'replaced' | undefined {
    const { memory } = this;
    for (;;) {
      const low = memory.load64('value.read', at);
      const high = memory.high;
      if (high < 0) return undefined;
      if (!memory.cas64('value.write', at, low, high, this.wordLow, this.wordHigh)) continue;
      if (high !== 0) return 'replaced';
      if (low === TOMBSTONE) this.countRemoval(-1);
      return 'inserted';
    }
  }

  private take(low: number, high: number): boolean {
    const { memory } = this;
    const hash = hashOf(low, high);
    for (;;) {
      if (!this.enter(low, high, hash)) return false;
      const entry = this.locate(low, high, hash);
      if (entry === 0) return false;
      let frozen = false;
      while (!frozen) {
        const valueLow = memory.load64('value.read', entry + VALUE);
        const valueHigh = memory.high;
        if ((valueHigh & PRESENT) === 0) return false;
        frozen = valueHigh < 0;
        if (!frozen && memory.cas64('value.remove', entry + VALUE, valueLow, valueHigh, TOMBSTONE, 0)) {
          this.countRemoval(1);
          return true;
        }
      }
    }
  }

  /** Whether the key is there; its value is in `foundLow` and `foundHigh` then. */
  private search(low: number, high: number): boolean {
    const hash = hashOf(low, high);
    if (!this.enter(low, high, hash)) return false;
    const entry = this.locate(low, high, hash);
    if (entry === 0) return false;
    const valueLow = this.memory.load64('value.read', entry + VALUE);
    const valueHigh = this.memory.high;
    if ((valueHigh & PRESENT) === 0) return false;
    if ((valueHigh & WIDE) === 0) {
      this.foundLow = valueLow;
      this.foundHigh = valueHigh & VALUE_HIGH;
    } else {
      this.foundLow = this.memory.load64('wide.read', this.cells + 8 * valueLow);
      this.foundHigh = this.memory.high;
    }
    return true;
  }

  /** The key's entry, or 0. */
  private locate(low: number, high: number, hash: number): number {
    const { memory, mask, entries } = this;
    if (isSpecialKey(low, high)) return this.specialEntry(entries, mask, low);
    let index = hash & mask;
    for (let probes = 0; probes <= mask; probes++) {
      const entry = entries + index * ENTRY_BYTES;
      const keyLow = memory.load64('key.read', entry);
      const keyHigh = memory.high;
      if (keyLow === low && keyHigh === high) return entry;
      if (keyLow === keyHigh && (keyLow === EMPTY || keyLow === CLOSED)) return 0;
      index = (index + 1) & mask;
    }
    return 0;
  }

  /** Makes a value word of a value; a wide one needs a cell. False if the cells are used up. */
  private encode(low: number, high: number): boolean {
    this.wordLow = low;
    this.wordHigh = high | PRESENT;
    return (high & ~VALUE_HIGH) === 0 || this.encodeWide(low, high);
  }

  private encodeWide(low: number, high: number): boolean {
    const { memory } = this;
    const entryCount = this.mask + 1 + SPECIAL_ENTRIES;
    const reserved = memory.add32('wide.reserve', this.table + Table.wide, 1) - 1;
    if (reserved < 0 || reserved >= entryCount) return false;
    // The first cells belong to the entries, for copies.
    const cell = entryCount + reserved;
    memory.store32('wide.write', this.cells + 8 * cell, low);
    memory.store32('wide.write', this.cells + 8 * cell + 4, high);
    this.wordLow = cell;
    this.wordHigh = PRESENT | WIDE;
    return true;
  }
}

function lowOf(word: bigint): number {
  return Number(BigInt.asIntN(32, word));
}

function highOf(word: bigint): number {
  return Number(BigInt.asIntN(32, word >> 32n));
}
