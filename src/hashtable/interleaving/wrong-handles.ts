/**
 * Handles with one mistake each, to see that the explorer finds it. The first two are the report's own, from its footnotes.
 */
import { State, stateIn, Table, tableIn } from '../layout.js';
import { TableHandle } from '../table-handle.js';

/**
 * Footnote 2: the state goes from EXPANDING to EXPANDED without a look at whose migration has ended. A slow thread
 * ends one that has only begun.
 */
export class EndsAnyMigration extends TableHandle {
  protected override declareExpanded(): void {
    const { memory } = this;
    for (;;) {
      const low = memory.load64('head.look', this.head);
      const counted = memory.high;
      if (stateIn(low) !== State.EXPANDING) break;
      const expanded = tableIn(low) | State.EXPANDED;
      if (memory.cas64('head.expanded', this.head, low, counted, expanded, counted)) break;
    }
    this.cutPrevious(this.table);
  }
}

/**
 * Footnote 3: key and value are written one after the other, and the migrator takes a key whose value is not there yet for
 * one that was removed. The value that comes then is lost.
 */
export class SkipsUnfinishedAdds extends TableHandle {
  protected override freeze(at: number): number {
    const low = this.memory.load64('value.read', at);
    this.frozenHigh = this.memory.high;
    return low === 0 && this.frozenHigh === 0 ? 0 : super.freeze(at);
  }
}

/** Reads which table is current and counts the reference in two steps, for which the report needed its lock. */
export class PinsInTwoSteps extends TableHandle {
  protected override moveToCurrent(): number {
    const head = this.memory.load32('head.read', this.head);
    const table = tableIn(head);
    if (table !== 0) this.memory.add64('references.add', table + Table.references, 1, 0);
    this.unpin();
    this.use(table);
    return head;
  }
}
