/**
 * The code of the table, whole: the texts in their order, and the constants they use.
 */
import { parseProgram } from '../language/parse.js';
import type { NamedConstants, StepProgram } from '../language/step-program.js';
import {
  Added,
  Descriptor,
  ENTRY_BYTES,
  HEAD_LINK,
  HEADROOM_PERCENT,
  MIGRATES,
  PREVIOUS_LINK,
  SMALLEST_SAME_SIZE,
  SPECIAL_ENTRIES,
  State,
  Table,
  USES,
  VALUE,
  ZERO_BYTE,
} from '../table-layout.js';
import { migrationSource } from './migration-source.js';
import { operationsSource } from './operations-source.js';
import { poolSource } from './pool-source.js';
import { referencesSource } from './references-source.js';
import { wordsSource } from './words-source.js';

/** The pool's data at the start of its memory: two words, and a 64-bit word for each list. */
export const LISTS = 8;
export const CLASS_COUNT = 88;
/** The size of the smallest class, in bits. */
export const SMALLEST_SHIFT = 8;
/** Bytes of a block that are not the owner's. */
export const BLOCK_PREFIX = 8;

const constants: NamedConstants = {
  ...named('Table', Table),
  ...named('Descriptor', Descriptor),
  ...named('State', State),
  ...named('Added', Added),
  ...{ LISTS, CLASS_COUNT, SMALLEST_SHIFT, BLOCK_PREFIX },
  /** The class after this would have the next doubling's size. */
  LARGEST_BLOCK: 0x38000000,
  ...{ ENTRY_BYTES, VALUE, ZERO_BYTE, SPECIAL_ENTRIES, HEADROOM_PERCENT, SMALLEST_SAME_SIZE },
  STATE_BITS: 3,
  /** A head that no table has. */
  NEVER: -1,
  /** The results of `claim` that are not the address of an entry. */
  FULL: 0,
  MOVED: -1,
  /** A reference counted at a link. */
  ONE_PIN: 1n << 32n,
  /** The counters in `references` (`references-source.ts`). */
  ...{ MIGRATES, USES, HALF_USES: USES >> 1n, HEAD_LINK, PREVIOUS_LINK },
  FINAL_HEAD: BigInt(State.FINAL),
  EMPTY: 0n,
  CLOSED: -1n,
  ABSENT: 0n,
  TOMBSTONE: 1n,
  FROZEN: 1n << 55n,
  PRESENT: 1n << 54n,
  WIDE: 1n << 53n,
  VALUE_BITS: (1n << 53n) - 1n,
  /** The right shift of the upper half of a value word that leaves [FROZEN PRESENT WIDE]. */
  KIND_SHIFT: 21,
  LINE_BYTES: 64,
};

function named(prefix: string, values: Readonly<Record<string, number>>): NamedConstants {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
}

/**
 * The program; for tests, with functions replaced by those of `changes`, and with other constants.
 */
export function tableProgram(changes = '', others: NamedConstants = {}): StepProgram {
  return parseProgram(
    [poolSource, referencesSource, migrationSource, operationsSource, wordsSource, changes],
    { ...constants, ...others },
  );
}
