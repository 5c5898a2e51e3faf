/**
 * The layout of the shared memory and the meaning of the bits. `docs/hashtable.md` explains the
 * protocol.
 *
 *   descriptor, 64 bytes                       one per hash table, never moves
 *     +8   head        [table | state : 32][references counted here : 32]
 *     +16  load        percentage at which the table grows
 *     +20  block       entries per block: the unit of migration
 *     +24  handles     how many are open
 *
 *   table, a block of the pool                 one per generation; the first 8 bytes belong to the pool
 *     +8   references  64 bits: who holds it, and how, and which links are not cut (`source/references-source.ts`)
 *     +16  previous    [table : 32][references counted here : 32]
 *     +24  capacity    a power of two
 *     +32  growing     1 while a thread prepares the successor
 *     +36  wide        cells allocated
 *     +64  used        entries claimed or reserved          (a line of its own: writers meet here)
 *     +68  removed     tombstones, roughly
 *     +72  cursor      the next block to migrate
 *     +128 settled     one word per block: 1 when every entry in it is settled
 *     ...  entries     capacity + 2 times [key : 64][value : 64]
 *     ...  cells       2 (capacity + 2) times 64 bits: values that do not fit into a value word
 *
 *   key word     EMPTY, CLOSED, or the key. The keys that look like these two live in the two entries past the end.
 *   value word   63 .. 56   55      54       53    52 ........ 0
 *                0          FROZEN  PRESENT  WIDE  value, or the number of its cell if WIDE
 *                ABSENT is 0, a tombstone is 1; both may be frozen too. The byte that is always zero is for `line.own` (`source/migration-source.ts`).
 *
 * **Invariants.** A key word changes once, from EMPTY. A value word that is FROZEN never changes
 * again. A value word never becomes ABSENT again. A cell is written before a value word refers to
 * it, and only with the same value after.
 */

/** The states of a table, in the low bits of its head. */
export const State = { INITIAL: 0, EXPANDING: 1, EXPANDED: 2, FINAL: 3 } as const;
export type StateName = keyof typeof State;

const STATE_BITS = 3;

export function stateIn(head: number): number {
  return head & STATE_BITS;
}

export function tableIn(head: number): number {
  return head & ~STATE_BITS;
}

export const Descriptor = { head: 8, load: 16, block: 20, handles: 24, byteCount: 64 } as const;

export const Table = {
  references: 8,
  previous: 16,
  capacity: 24,
  growing: 32,
  wide: 36,
  used: 64,
  removed: 68,
  cursor: 72,
  settled: 128,
} as const;

/**
 * The counters in `references`: threads that migrate the table, handles whose current table it is,
 * and the two links while they exist.
 */
export const MIGRATES = 1n;
export const USES: bigint = 1n << 24n;
export const PREVIOUS_LINK: bigint = 1n << 60n;
export const HEAD_LINK: bigint = 1n << 61n;

/** Whether a table is quiet: it is being migrated, and no handle has it as the current table. */
export function isQuiet(references: bigint): boolean {
  return ((references + USES / 2n) & -USES) === PREVIOUS_LINK;
}

/** The results of `add`, in the order of `AddOutcome`. */
export const Added = { inserted: 0, replaced: 1, noMemory: 2, deleted: 3 } as const;

export const ENTRY_BYTES = 16;
export const VALUE = 8;
/** Where in an entry the byte lies that is always zero: the last one of the value word. */
export const ZERO_BYTE = 15;

/** Entries past the end of the array, for the keys that look like EMPTY and CLOSED. */
export const SPECIAL_ENTRIES = 2;

/**
 * Both halves of the key word of an unclaimed entry, and of one that can no longer be claimed.
 */
export const EMPTY = 0;
export const CLOSED = -1;

/** Bits of the upper half of a value word. */
export const FROZEN = 0x800000;
export const PRESENT = 0x400000;
export const WIDE = 0x200000;
/** The low half of a tombstone; its upper half is 0, except for FROZEN. */
export const TOMBSTONE = 1;

/**
 * Tables below this capacity always double: a table of the same size might be too small for all
 * threads' additions.
 */
export const SMALLEST_SAME_SIZE = 1024;
/**
 * The largest number of threads that may use one table at a time; the capacities are chosen for it
 * (see `docs/hashtable.md`).
 */
export const MAX_HANDLES = 128;

/** A table grows at `load` percent, and nothing is added beyond this many percent more. */
export const HEADROOM_PERCENT = 10;

export interface TableLayout {
  readonly capacity: number;
  readonly blockCount: number;
  /** Byte offsets from the start of the table. */
  readonly entries: number;
  readonly cells: number;
  readonly byteCount: number;
}

export function layOut(capacity: number, block: number): TableLayout {
  const entryCount = capacity + SPECIAL_ENTRIES;
  const blockCount = Math.ceil(entryCount / block);
  const entries = (Table.settled + 4 * blockCount + 63) & ~63;
  const cells = entries + ENTRY_BYTES * entryCount;
  return { capacity, blockCount, entries, cells, byteCount: cells + 16 * entryCount };
}

/** Mixes all bits of a key into 32. */
export function hashOf(low: number, high: number): number {
  let hash = low ^ Math.imul(high, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}
