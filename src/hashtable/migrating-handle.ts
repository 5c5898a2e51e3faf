/**
 * Growth and migration: how the entries of a table that became too full get into its successor. The middle layer of a handle.
 *
 * An entry of the old table is *settled* when nothing can be added to it any more and the new table knows what it held:
 *
 *     empty     key word EMPTY → CLOSED                    an adder that comes later goes to the new table
 *     claimed   value word v → v | FROZEN, then, if v is present, the key is claimed in the new table and its value word
 *               goes from ABSENT to v. Whoever finds v frozen copies it again, since it cannot know whether that was done; only
 *               the first copy finds ABSENT, and a value word never becomes ABSENT again, so a late copy is refused.
 *
 * Both steps are on one 64-bit word, and the value word alone says what the pair means: a claimed key whose value is
 * ABSENT is not in the table. This is why no 128-bit operation is needed, and why the report's third footnote cannot
 * happen here: the migrator that meets a key whose value is not there yet freezes ABSENT, and the adder's commit fails.
 *
 * Every operation that finds the table EXPANDING pays its tax first: it settles the old table from its own key's home to its key or to the
 * end of that probe sequence, then one more block of entries. So its key is settled before it works on the new table.
 *
 * **Invariants.** A table gets a successor only when its predecessor is assimilated, so at most one table is being
 * migrated (MInv of the report). A key's value word in the new table is ABSENT until the key is settled in the old one.
 */
import { assert } from '../support/assert.js';
import {
  CLOSED,
  EMPTY,
  ENTRY_BYTES,
  FROZEN,
  HEADROOM_PERCENT,
  hashOf,
  isSpecialKey,
  layOut,
  PRESENT,
  SMALLEST_SAME_SIZE,
  SPECIAL_ENTRIES,
  State,
  stateIn,
  Table,
  tableIn,
  VALUE,
  WIDE,
} from './layout.js';
import { createTable, PinnedTables } from './pinned-tables.js';

/** What `claim` returns instead of an entry's address. */
export const FULL = 0;
export const MOVED = -1;

/** No head looks like this. */
const NEVER = -1;

export class MigratingHandle extends PinnedTables {
  /** The head that needs no attention: `table`, not expanding. */
  protected calmHead: number = NEVER;
  /** Entries of `table` that are counted as used and that this handle may still claim. */
  protected quota = 0;
  protected wantsGrowth = false;
  /** The upper half of the value word that `freeze` looked at last. */
  protected frozenHigh = 0;
  /** Tombstones made, minus tombstones overwritten, that are not in the table's counter yet. */
  private uncountedRemovals = 0;

  override close(): void {
    if (this.table !== 0 && this.quota > 0) {
      this.memory.add32('used.return', this.table + Table.used, -this.quota);
    }
    super.close();
  }

  /** Gets ready for an operation on a key: notices growth and pays the tax. False if the table is deleted. */
  protected enter(low: number, high: number, hash: number): boolean {
    const head = this.memory.load32('head.read', this.head);
    return head === this.calmHead || this.catchUp(head, low, high, hash);
  }

  private catchUp(seen: number, low: number, high: number, hash: number): boolean {
    let head = seen;
    this.calmHead = NEVER;
    while (tableIn(head) !== this.table) {
      head = this.moveToCurrent();
      this.quota = 0;
      this.wantsGrowth = false;
      this.uncountedRemovals = 0;
    }
    if (this.table === 0) return false;
    if (stateIn(head) === State.EXPANDING) {
      if (this.pinOld()) {
        this.settleKey(low, high, hash);
        this.settleSomeBlock();
      }
    } else {
      this.unpinOld();
      this.calmHead = head;
    }
    return true;
  }

  /** The key's entry in `table`, claimed for it if it had none. A copy must succeed; the capacities see to it. */
  protected claim(low: number, high: number, hash: number, copying: boolean): number {
    const { memory, mask, entries } = this;
    if (isSpecialKey(low, high)) return this.specialEntry(entries, mask, low);
    let index = hash & mask;
    for (let probes = 0; probes <= mask; ) {
      const entry = entries + index * ENTRY_BYTES;
      const keyLow = memory.load64('key.read', entry);
      const keyHigh = memory.high;
      if (keyLow === low && keyHigh === high) return entry;
      if (keyLow === keyHigh) {
        if (keyLow === CLOSED) return MOVED;
        if (keyLow === EMPTY) {
          if (this.quota === 0 && !this.reserve(copying)) return FULL;
          if (memory.cas64('key.claim', entry, EMPTY, EMPTY, low, high)) {
            this.quota--;
            return entry;
          }
          continue; // Somebody claimed or closed the entry; a second look tells for whom.
        }
      }
      index = (index + 1) & mask;
      probes++;
    }
    return FULL;
  }

  protected specialEntry(entries: number, mask: number, low: number): number {
    return entries + (mask + 1 + (low & 1)) * ENTRY_BYTES;
  }

  /** Notes that a tombstone was made (1) or overwritten (-1). The counter is rough: it only chooses the next capacity. */
  protected countRemoval(change: 1 | -1): void {
    this.uncountedRemovals += change;
    if (Math.abs(this.uncountedRemovals) < this.batch()) return;
    this.memory.add32('removed.add', this.table + Table.removed, this.uncountedRemovals);
    this.uncountedRemovals = 0;
  }

  /**
   * Makes a larger table current, or one of the same size if mostly tombstones fill this one. One thread is enough, and the
   * others go on with the old table meanwhile; but a thread that finds it `full` does not wait. False if there is no memory.
   */
  protected grow(full: boolean): boolean {
    const { memory, table } = this;
    this.wantsGrowth = false;
    if (full) {
      while (memory.load32('head.read', this.head) === (table | State.EXPANDING)) this.settleSomeBlock();
    } else {
      if (memory.load32('head.read', this.head) === (table | State.EXPANDING)) return true;
      if (!memory.cas32('growing.claim', table + Table.growing, 0, 1)) return true;
    }
    const fresh = createTable(memory, this.pool, layOut(this.nextCapacity(), this.block), table);
    if (fresh === 0) {
      memory.store32('growing.clear', table + Table.growing, 0);
      return tableIn(memory.load32('head.read', this.head)) !== table;
    }
    for (;;) {
      const low = memory.load64('head.look', this.head);
      const counted = memory.high;
      if (tableIn(low) !== table) {
        this.pool.release(fresh);
        return true;
      }
      if (memory.cas64('head.grow', this.head, low, counted, fresh | State.EXPANDING, 0)) {
        this.linkWasCut(table, counted, 1);
        return true;
      }
    }
  }

  /** Settles the old table from the key's home on, until nothing more can be said about the key there. */
  private settleKey(low: number, high: number, hash: number): void {
    const { oldEntries, oldMask } = this;
    if (isSpecialKey(low, high)) {
      this.settleValue(this.specialEntry(oldEntries, oldMask, low), low, high);
      return;
    }
    for (let probes = 0; probes <= oldMask; probes++) {
      if (this.settle(oldEntries + ((hash + probes) & oldMask) * ENTRY_BYTES, low, high)) return;
    }
  }

  /** Settles the next block that nobody has taken or, when all are taken, whatever is left. The last one tells everybody. */
  private settleSomeBlock(): void {
    if (!this.pinOld()) return;
    const taken = this.memory.add32('tax.take', this.old + Table.cursor, 1) - 1;
    if (taken < this.oldBlockCount) {
      this.settleBlock(taken);
      if (this.firstUnsettledBlock() < this.oldBlockCount) return;
    } else {
      for (
        let left = this.firstUnsettledBlock();
        left < this.oldBlockCount;
        left = this.firstUnsettledBlock()
      ) {
        this.settleBlock(left);
      }
    }
    this.declareExpanded();
  }

  private settleBlock(number: number): void {
    const { block, oldMask, oldEntries } = this;
    const end = Math.min((number + 1) * block, oldMask + 1 + SPECIAL_ENTRIES);
    for (let index = number * block; index < end; index++) {
      const entry = oldEntries + index * ENTRY_BYTES;
      const special = index - oldMask - 1;
      if (special < 0) this.settle(entry, EMPTY, EMPTY);
      else this.settleValue(entry, -special, -special);
    }
    this.memory.store32('tax.done', this.old + Table.settled + 4 * number, 1);
  }

  private firstUnsettledBlock(): number {
    const settled = this.old + Table.settled;
    while (this.oldSettled < this.oldBlockCount) {
      if (this.memory.load32('tax.check', settled + 4 * this.oldSettled) === 0) break;
      this.oldSettled++;
    }
    return this.oldSettled;
  }

  /**
   * EXPANDING → EXPANDED, in one step with the check that the head is still the table whose predecessor is assimilated. A
   * thread that was slow cannot end the next migration instead, as in the report's second footnote: its own pin keeps
   * the table's address from being used again.
   */
  protected declareExpanded(): void {
    const { memory, table } = this;
    for (;;) {
      const low = memory.load64('head.look', this.head);
      const counted = memory.high;
      if (low !== (table | State.EXPANDING)) break;
      if (memory.cas64('head.expanded', this.head, low, counted, table | State.EXPANDED, counted)) break;
    }
    this.cutPrevious(table);
  }

  /** Settles an entry of the old table; true if it is the end of the search for the key. */
  private settle(entry: number, soughtLow: number, soughtHigh: number): boolean {
    const { memory } = this;
    let low = memory.load64('key.read', entry);
    let high = memory.high;
    if (low === EMPTY && high === EMPTY) {
      if (memory.cas64('key.close', entry, EMPTY, EMPTY, CLOSED, CLOSED)) return true;
      low = memory.load64('key.read', entry);
      high = memory.high;
    }
    if (low === CLOSED && high === CLOSED) return true;
    this.settleValue(entry, low, high);
    return low === soughtLow && high === soughtHigh;
  }

  private settleValue(entry: number, keyLow: number, keyHigh: number): void {
    const low = this.freeze(entry + VALUE);
    if ((this.frozenHigh & PRESENT) !== 0) this.copy(keyLow, keyHigh, low, this.frozenHigh & ~FROZEN);
  }

  /** Freezes a value word if it is not; returns its low half, and leaves the upper one in `frozenHigh`. */
  protected freeze(at: number): number {
    const { memory } = this;
    for (;;) {
      const low = memory.load64('value.read', at);
      const high = memory.high;
      this.frozenHigh = high;
      if (high < 0 || memory.cas64('value.freeze', at, low, high, low, high | FROZEN)) return low;
    }
  }

  private copy(keyLow: number, keyHigh: number, low: number, high: number): void {
    const { memory } = this;
    const entry = this.claim(keyLow, keyHigh, hashOf(keyLow, keyHigh), true);
    assert(entry > 0, 'a new table has room for what the old one held');
    if ((high & WIDE) === 0) {
      memory.cas64('value.copy', entry + VALUE, 0, 0, low, high);
      return;
    }
    // Copies use the cell of the entry itself: all who copy this key write the same value there.
    const valueLow = memory.load64('wide.read', this.oldCells + 8 * low);
    const valueHigh = memory.high;
    const index = (entry - this.entries) / ENTRY_BYTES;
    memory.store32('wide.write', this.cells + 8 * index, valueLow);
    memory.store32('wide.write', this.cells + 8 * index + 4, valueHigh);
    memory.cas64('value.copy', entry + VALUE, 0, 0, index, PRESENT | WIDE);
  }

  /** Reserves entries to claim. Beyond the load and its headroom only copies may. */
  private reserve(copying: boolean): boolean {
    const { memory, table } = this;
    const batch = this.batch();
    const used = memory.add32('used.reserve', table + Table.used, batch);
    if (this.exceeds(used + 1, this.loadPercent)) this.wantsGrowth = true;
    if (!copying && this.exceeds(used, this.loadPercent + HEADROOM_PERCENT)) {
      memory.add32('used.return', table + Table.used, -batch);
      return false;
    }
    this.quota = batch;
    return true;
  }

  private exceeds(entryCount: number, percent: number): boolean {
    return entryCount * 100 > (this.mask + 1) * percent;
  }

  /** Counters are shared: a thread counts in steps of at most 1/1024 of the capacity. */
  private batch(): number {
    return Math.min(64, Math.max(1, (this.mask + 1) >> 10));
  }

  /**
   * Twice the capacity, or the same if less than half of the load is alive. The second needs `used` to be within the headroom,
   * because then the table can never hold more than the next one has room for, whatever happens before that is public.
   */
  private nextCapacity(): number {
    const capacity = this.mask + 1;
    const used = this.memory.load32('counters.read', this.table + Table.used);
    const removed = this.memory.load32('counters.read', this.table + Table.removed);
    const same =
      capacity >= SMALLEST_SAME_SIZE &&
      !this.exceeds(2 * (used - removed), this.loadPercent) &&
      !this.exceeds(used, this.loadPercent + HEADROOM_PERCENT);
    return same ? capacity : 2 * capacity;
  }
}
