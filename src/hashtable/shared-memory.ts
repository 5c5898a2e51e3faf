/**
 * The interface of the table to shared memory: words, and the code that works on them.
 *
 * The code of the table and its pool (`source/`) accesses shared memory in atomic steps only, and
 * each step has a name. It is executed in two ways: by `WasmMemory`, where a step is one machine
 * instruction, and by `InterpretedMemory` and the explorer, where a scheduler chooses the thread
 * that takes its next step.
 */
export interface Memory {
  /** The contents, for inspection while no thread works. */
  readonly words: Int32Array;
  readonly code: TableCode;
}

/** The exported functions of the code. `handle` is the address of the handle; see `source/`. */
export interface TableCode {
  allocate(handle: number, pool: number, byteCount: number, cleared: number): number;
  release(handle: number, pool: number, block: number): void;
  create(
    handle: number,
    pool: number,
    descriptor: number,
    capacity: number,
    load: number,
    block: number,
  ): number;
  open(handle: number, pool: number, descriptor: number): number;
  close(handle: number): void;
  delete(handle: number): void;
  add(handle: number, key: bigint, value: bigint): number;
  addNumber(handle: number, key: number, value: number): number;
  remove(handle: number, key: bigint): number;
  removeNumber(handle: number, key: number): number;
  find(handle: number, key: bigint): number;
  findNumber(handle: number, key: number): number;
  /** The value that the last `find` of the handle found, signed. */
  found(handle: number): bigint;
  loadWord(handle: number, at: number): number;
  replaceWord(handle: number, at: number, expected: number, desired: number): number;
}

/**
 * Every atomic step of the table and the pool, and its purpose. Checkers refer to steps by these
 * names.
 */
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
  'handles.read': 'reads how many threads use the table, to choose the steps in which this one counts',
  'table.write': 'fills in the header of a table that is not public yet',
  'table.read': 'reads what never changes in a header',
  'table.clear': 'clears a table that is not public yet',
  'references.add': 'adds the references that were counted at a link which is now cut',
  'references.read': 'reads whether any thread may still write to a table that is being migrated',
  'references.drop': 'gives up a reference; at zero the table is released',
  'used.reserve': 'reserves entries that the thread may claim',
  'used.return': 'returns entries that were reserved and not claimed',
  'removed.add': 'counts tombstones',
  'counters.read': 'reads the counters that decide about the next capacity',
  'growing.claim': 'announces that a fresh table is being prepared',
  'growing.clear': 'takes the announcement back: there was no memory',
  'key.read': 'reads the key of an entry',
  'key.guess':
    'reads one of the first keys where a new one may belong: what is taken stays taken, what is empty is read again',
  'key.claim': 'gives an empty entry to a key, forever',
  'key.close': 'closes an empty entry: nothing will be added to this table here',
  'value.read': 'reads the value of an entry',
  'value.write': 'commits an add',
  'value.remove': 'commits a removal',
  'value.freeze': 'freezes the value of an entry before it is copied',
  'value.copy': 'puts the frozen value into the new table, unless that was done',
  'wide.reserve': 'reserves a cell for a value of more than 53 bits',
  'wide.write': 'writes a cell that no entry refers to yet',
  'wide.read': 'reads a cell',
  'quiet.read': 'reads a word of a table that is no longer written, except for marks that are ignored',
  'line.own':
    'brings a line of the new table into the cache for writing: stores a zero where there always is one',
  'tax.take': 'takes the next block of the previous table to migrate',
  'tax.done': 'marks a block whose every entry is settled',
  'tax.check': 'reads whether a block is settled',
  'word.read': 'reads a word of another structure',
  'word.replace': 'replaces a word of another structure',
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
