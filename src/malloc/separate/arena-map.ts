/**
 * From a unit of memory (its address divided by the unit's size) to a small number, asked by all workers without a lock.
 *
 * Entries are made once and never change, so a reader needs no more than one atomic load; it pairs with the atomic store of `set`,
 * which happens before any address of that unit is handed out.
 */
export interface ArenaMap {
  /** -1 when nothing is known of the unit. */
  get(unit: number): number;
  set(unit: number, value: number): void;
  readonly bytesUsed: number;
}

/** One word for each unit there is: value + 1, or 0. */
export class FlatMap implements ArenaMap {
  #highest = -1;

  constructor(private readonly table: Int32Array) {}

  get(unit: number): number {
    return unit < this.table.length ? Atomics.load(this.table, unit) - 1 : -1;
  }

  set(unit: number, value: number): void {
    Atomics.store(this.table, unit, value + 1);
    this.#highest = Math.max(this.#highest, unit);
  }

  get bytesUsed(): number {
    return (this.#highest + 1) * 4;
  }
}
