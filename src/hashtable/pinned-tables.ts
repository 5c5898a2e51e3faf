/**
 * Which tables a handle holds, and how the last one who holds a table releases it. The lowest layer of a handle.
 *
 * Reading a pointer to a table and counting the reference must be one step, or the table may be gone in between. So a
 * *link* to a table, the descriptor's `head` or a table's `previous`, is one 64-bit word with the address in the lower half and the number of
 * references taken through this link in the upper one. To pin is to add 1 to the upper half and to look at the lower.
 * Whoever replaces the link reads that number in the same step and adds it to the table's own `references`, from which
 * references are given up:
 *
 *     references = LINK × (links to the table that are not cut) + Σ counted at cut links − given up
 *
 * It is zero exactly when no link leads to the table any more and nobody holds it. Every table has two links in its life,
 * `head` and then `previous` of its successor, so it starts with 2 LINK; LINK is 2^48, more than can be given up.
 * The report took a lock for this ("we have not found a way … that relies only on CAS"); here no thread waits for another.
 *
 * **Invariants.** `table` and `old` are 0 or counted. A handle touches only these two tables, and tables it has not published.
 */
import { assert } from '../support/assert.js';
import {
  Descriptor,
  LINK_HIGH,
  layOut,
  MAX_HANDLES,
  State,
  Table,
  type TableLayout,
  tableIn,
} from './layout.js';
import type { Memory } from './memory.js';
import { BLOCK_PREFIX, type Pool } from './pool.js';

/** A fresh table that nobody else knows, or 0 if there is no memory for it. */
export function createTable(memory: Memory, pool: Pool, layout: TableLayout, previous: number): number {
  const table = pool.allocate(layout.byteCount, layout.cells - BLOCK_PREFIX);
  if (table === 0) return 0;
  memory.store32('table.write', table + Table.references + 4, 2 * LINK_HIGH);
  memory.store32('table.write', table + Table.previous, previous);
  memory.store32('table.write', table + Table.capacity, layout.capacity);
  return table;
}

export class PinnedTables {
  protected readonly memory: Memory;
  protected readonly pool: Pool;
  /** The address of the head. */
  protected readonly head: number;
  /** Entries per block. */
  protected readonly block: number;
  protected readonly loadPercent: number;

  /** The current table, as far as this handle has noticed; 0 once the table is deleted or the handle closed. */
  protected table = 0;
  protected mask = 0;
  /** Addresses of the entries and cells of `table`. */
  protected entries = 0;
  protected cells = 0;

  /** The table being migrated into `table`, or 0. */
  protected old = 0;
  protected oldMask = 0;
  protected oldEntries = 0;
  protected oldCells = 0;
  protected oldBlockCount = 0;
  /** Blocks below this one are known to be settled. */
  protected oldSettled = 0;

  constructor(memory: Memory, pool: Pool, descriptor: number) {
    this.memory = memory;
    this.pool = pool;
    this.head = descriptor + Descriptor.head;
    const handles = memory.add32('handles.count', descriptor + Descriptor.handles, 1);
    assert(handles <= MAX_HANDLES, `more than ${MAX_HANDLES} handles of one table`);
    this.loadPercent = memory.load32('table.read', descriptor + Descriptor.load);
    this.block = memory.load32('table.read', descriptor + Descriptor.block);
    this.moveToCurrent();
  }

  /** Gives up all tables. The handle must not be used afterwards. */
  close(): void {
    this.unpin();
    this.memory.add32('handles.count', this.head - Descriptor.head + Descriptor.handles, -1);
  }

  /** Pins the current table instead of whatever was pinned; returns the lower half of the head. */
  protected moveToCurrent(): number {
    const head = this.memory.add64('head.pin', this.head, 0, 1);
    this.unpin();
    this.use(tableIn(head));
    return head;
  }

  /** Makes a pinned table the handle's current one. */
  protected use(table: number): void {
    this.table = table;
    if (table === 0) return;
    const layout = this.layoutOf(table);
    this.mask = layout.capacity - 1;
    this.entries = table + layout.entries;
    this.cells = table + layout.cells;
  }

  /** Pins the table that is being migrated; false if it is assimilated. */
  protected pinOld(): boolean {
    if (this.old !== 0) return true;
    this.old = this.memory.add64('previous.pin', this.table + Table.previous, 0, 1);
    if (this.old === 0) return false;
    const layout = this.layoutOf(this.old);
    this.oldMask = layout.capacity - 1;
    this.oldEntries = this.old + layout.entries;
    this.oldCells = this.old + layout.cells;
    this.oldBlockCount = layout.blockCount;
    this.oldSettled = 0;
    return true;
  }

  protected unpinOld(): void {
    if (this.old === 0) return;
    this.giveUp(this.old);
    this.old = 0;
  }

  protected unpin(): void {
    this.unpinOld();
    if (this.table === 0) return;
    this.giveUp(this.table);
    this.table = 0;
  }

  /** Ends the link to `table`'s predecessor, once that is assimilated or `table` itself is released. */
  protected cutPrevious(table: number): void {
    const { memory } = this;
    for (;;) {
      const previous = memory.load64('previous.look', table + Table.previous);
      const counted = memory.high;
      if (previous === 0) return;
      if (memory.cas64('previous.cut', table + Table.previous, previous, counted, 0, 0)) {
        this.linkWasCut(previous, counted, 1);
        return;
      }
    }
  }

  protected linkWasCut(table: number, counted: number, links: 1 | 2): void {
    const low = this.memory.add64('references.add', table + Table.references, counted, -links * LINK_HIGH);
    if (low === 0 && this.memory.high === 0) this.releaseTable(table);
  }

  protected layoutOf(table: number): TableLayout {
    return layOut(this.memory.load32('table.read', table + Table.capacity), this.block);
  }

  /** Deletes the table: operations of all handles find nothing from now on. The last handle to be closed releases the memory. */
  delete(): void {
    const { memory } = this;
    for (;;) {
      const low = memory.load64('head.look', this.head);
      const counted = memory.high;
      if (tableIn(low) === 0) return;
      if (memory.cas64('head.final', this.head, low, counted, State.FINAL, 0)) {
        this.linkWasCut(tableIn(low), counted, 2);
        return;
      }
    }
  }

  private giveUp(table: number): void {
    const low = this.memory.add64('references.drop', table + Table.references, -1, -1);
    if (low === 0 && this.memory.high === 0) this.releaseTable(table);
  }

  private releaseTable(table: number): void {
    this.cutPrevious(table);
    this.pool.release(table);
  }
}
