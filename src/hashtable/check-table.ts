/**
 * Checks the invariants of a table while no thread works on it, and throws `InternalError` if one
 * is violated.
 *
 *   1  the head: a predecessor is linked exactly while it is being migrated
 *   2  every entry of the current table: none is closed or frozen, words are well formed, and no more are claimed than counted
 *   3  every key is found from its home, and once
 */
import { assert } from '../support/assert.js';
import type { CheckLevel } from '../support/check-level.js';
import type { Memory } from './shared-memory.js';
import {
  CLOSED,
  Descriptor,
  EMPTY,
  ENTRY_BYTES,
  FROZEN,
  hashOf,
  layOut,
  PRESENT,
  SPECIAL_ENTRIES,
  State,
  stateIn,
  Table,
  TOMBSTONE,
  tableIn,
  VALUE,
  WIDE,
} from './table-layout.js';

export function checkTable({ words }: Memory, descriptor: number, level: CheckLevel): void {
  const word = (at: number): number => words[at >> 2]!;
  const head = word(descriptor + Descriptor.head);
  const table = tableIn(head);
  assert((table === 0) === (stateIn(head) === State.FINAL), 'a table is deleted exactly when it is FINAL');
  if (table === 0) return;
  const previous = word(table + Table.previous);
  assert((previous !== 0) === (stateIn(head) === State.EXPANDING), 'a predecessor is linked while EXPANDING');
  if (level < 2) return;

  const capacity = word(table + Table.capacity);
  const layout = layOut(capacity, word(descriptor + Descriptor.block));
  const places = new Map<string, number>();
  for (let index = 0; index < capacity + SPECIAL_ENTRIES; index++) {
    const entry = table + layout.entries + index * ENTRY_BYTES;
    const [low, high] = [word(entry), word(entry + 4)];
    const [valueLow, valueHigh] = [word(entry + VALUE), word(entry + VALUE + 4)];
    assert((valueHigh & FROZEN) === 0, 'nothing is frozen in the current table');
    assert(valueHigh >>> 24 === 0, 'the last byte is zero');
    if ((valueHigh & PRESENT) === 0)
      assert(valueHigh === 0 && valueLow <= TOMBSTONE, 'absent or a tombstone');
    if ((valueHigh & WIDE) !== 0)
      assert(valueLow < 2 * (capacity + SPECIAL_ENTRIES), 'a wide value has a cell');
    if (index >= capacity) continue;
    assert(low !== CLOSED || high !== CLOSED, 'nothing is closed in the current table');
    const key = `${low} ${high}`;
    if (low === EMPTY && high === EMPTY)
      assert(valueHigh === 0 && valueLow === 0, 'an empty entry is absent');
    else if (level === 3) {
      assert(!places.has(key), 'a key has one entry');
      places.set(key, (index - hashOf(low, high)) & (capacity - 1));
    } else places.set(`${index}`, 0);
  }
  const used = word(table + Table.used);
  assert(places.size <= used && used <= capacity, 'what is claimed was counted');
  if (level < 3) return;

  for (const [key, distance] of places) {
    const [low, high] = key.split(' ').map(Number);
    const home = hashOf(low!, high!);
    for (let step = 0; step < distance; step++) {
      const passed = table + layout.entries + ((home + step) & (capacity - 1)) * ENTRY_BYTES;
      assert(
        word(passed) !== EMPTY || word(passed + 4) !== EMPTY,
        'no entry is empty between a key and its home',
      );
    }
  }
}
