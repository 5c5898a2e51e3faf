/**
 * The shared memory as the table sees it: sequentially consistent operations on aligned 32- and 64-bit words.
 *
 * The table and its pool touch shared memory only through this interface, one call per atomic step, and each call says
 * which step it is. So the same source runs on two memories: `WasmMemory`, whose methods are single machine
 * instructions, and `ReplayMemory`, where a scheduler decides which thread takes its next step.
 *
 * A 64-bit word travels as two 32-bit halves, both signed, because a bigint costs an allocation. Operations that
 * return a word return the low half and leave the upper half in `high` until the next operation. Addresses are byte offsets.
 */
export interface Memory {
  /** The upper half of the word that the last `load64` or `add64` returned. */
  readonly high: number;
  load32(step: StepName, at: number): number;
  store32(step: StepName, at: number, value: number): void;
  /** Returns the sum. */
  add32(step: StepName, at: number, delta: number): number;
  cas32(step: StepName, at: number, expected: number, desired: number): boolean;
  load64(step: StepName, at: number): number;
  /** Returns the sum. */
  add64(step: StepName, at: number, low: number, high: number): number;
  cas64(
    step: StepName,
    at: number,
    expectedLow: number,
    expectedHigh: number,
    low: number,
    high: number,
  ): boolean;
  /** Clears memory that no other thread can reach. */
  zero(step: StepName, at: number, byteCount: number): void;
}

/** Every atomic step of the table and the pool, and what it does. Checkers refer to steps by these names. */
export const steps = {
  'head.read': 'reads which table is current and the state',
  'head.pin': 'reads the current table and counts a reference to it, in one step',
  'head.look': 'reads the current table, the state and the references counted so far, to replace them',
  'head.grow': 'makes a fresh table current: EXPANDING',
  'head.expanded': 'says that the previous table is assimilated: EXPANDED',
  'head.final': 'deletes the table: FINAL',
  'previous.pin': 'reads the table being migrated and counts a reference to it, in one step',
  'previous.look': 'reads the link to the previous table, to cut it',
  'previous.cut': 'cuts the link to an assimilated table',
  'handles.count': 'counts the threads that use the table',
  'table.write': 'fills in the header of a table that is not public yet',
  'table.read': 'reads what never changes in a header',
  'table.clear': 'clears a table that is not public yet',
  'references.add': 'adds the references that were counted at a link which is now cut',
  'references.drop': 'gives up a reference; at zero the table is released',
  'used.reserve': 'reserves entries that the thread may claim',
  'used.return': 'returns entries that were reserved and not claimed',
  'removed.add': 'counts tombstones',
  'counters.read': 'reads the counters that decide about the next capacity',
  'growing.claim': 'announces that a fresh table is being prepared',
  'growing.clear': 'takes the announcement back: there was no memory',
  'key.read': 'reads the key of an entry',
  'key.claim': 'gives an empty entry to a key, for ever',
  'key.close': 'closes an empty entry: nothing will be added to this table here',
  'value.read': 'reads the value of an entry',
  'value.write': 'commits an add',
  'value.remove': 'commits a removal',
  'value.freeze': 'freezes the value of an entry before it is copied',
  'value.copy': 'puts the frozen value into the new table, unless that was done',
  'wide.reserve': 'reserves a cell for a value of more than 61 bits',
  'wide.write': 'writes a cell that no entry refers to yet',
  'wide.read': 'reads a cell',
  'tax.take': 'takes the next block of the previous table to migrate',
  'tax.done': 'marks a block whose every entry is settled',
  'tax.check': 'reads whether a block is settled',
  'pool.look': 'reads the top of a free list',
  'pool.next': 'reads the link of a free block',
  'pool.link': 'links a block in front of a free list that was looked at',
  'pool.push': 'puts a block on a free list',
  'pool.pop': 'takes a block from a free list',
  'pool.top': 'reads where untouched memory begins',
  'pool.carve': 'takes a block of untouched memory',
  'pool.mark': 'marks a block as used or free',
} as const;

export type StepName = keyof typeof steps;
