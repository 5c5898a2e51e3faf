/** The options of the instrumentation. */

import type { LabelOptions } from '../../labels/flow-rules.js';
import type { HookPlan } from '../../plugins/hook-plan.js';

export interface InstrumentOptions {
  /** Distinguishes this object from all others of the program: 16 hexadecimal digits. */
  readonly id: string;
  /** In instructions: much larger programs are divided into parts of this size. */
  readonly largestPart?: number;
  /** A member of the C library: its raw functions are not instrumented. */
  readonly isLibrary?: boolean;
  /** Detect stale pointers. */
  readonly temporal: boolean;
  /** Detect uses of uninitialized values. */
  readonly init: boolean;
  /** Detect accesses at addresses that are not a multiple of their size. */
  readonly alignment?: boolean;
  /** Continue after a finding: an invalid store is suppressed. */
  readonly keepGoing: boolean;
  /** Omit checks that another check or a known size makes redundant. */
  readonly optimise: boolean;
  /**
   * Do not monitor locals that no check or annotation observes; otherwise every local is a block.
   */
  readonly preAnalysis: boolean;
  /**
   * Insert no checks of its own: blocks and the stores that initialise them are recorded only if an
   * annotation queries them.
   */
  readonly annotationsOnly?: boolean;
  /**
   * The program creates threads: they are scheduled at every atomic operation, and in long loops.
   */
  readonly threads?: boolean;
  /** Detect unordered accesses of threads. */
  readonly races?: boolean;
  /**
   * Also track uninitialized values through globals: each access to one is checked (record 0083).
   */
  readonly initGlobals?: boolean;
  /** Values carry labels. */
  readonly labels?: LabelOptions;
  /** For `--budget`: every local in memory is a block, and functions check their depth. */
  readonly watchesStack?: boolean;
  readonly watchesDepth?: boolean;
  /** Hooks of plug-ins, and whether this is a part of the library. */
  readonly hooks?: { readonly plan: HookPlan; readonly isLibrary: boolean };
}

/**
 * The mode of AddressSanitizer: one shadow byte for eight bytes of memory decides; referent numbers
 * and initialisation are not checked.
 */
export function isShadowAlone({ temporal, init }: InstrumentOptions): boolean {
  return !temporal && !init;
}
