/** What the instrumentation inserts. */

import type { LabelOptions } from '../../labels/flow-rules.js';
import type { HookPlan } from '../../plugins/hook-plan.js';

export interface InstrumentOptions {
  /** Distinguishes this object from all others of the program: 16 hexadecimal digits. */
  readonly id: string;
  /** In instructions: the code of a program that is much larger is divided into parts. */
  readonly largestPart?: number;
  /** A member of the C library: what it marks as raw is not instrumented. */
  readonly isLibrary?: boolean;
  /** Stale pointers. */
  readonly temporal: boolean;
  /** Uses of values that were never written. */
  readonly init: boolean;
  /** Accesses at addresses that are no multiple of their size. */
  readonly alignment?: boolean;
  /** Goes on after a finding: an invalid store is suppressed. */
  readonly keepGoing: boolean;
  /** Leaves out the checks that another check or a known size makes needless. */
  readonly optimise: boolean;
  /**
   * Leaves locals that no check or annotation observes unmonitored; without it, every local is a
   * block.
   */
  readonly preAnalysis: boolean;
  /**
   * Checks nothing itself: blocks, and stores that initialise them, are recorded only where an
   * annotation asks about them.
   */
  readonly annotationsOnly?: boolean;
  /** The program creates threads: others may run at every atomic operation, and in long loops. */
  readonly threads?: boolean;
  /** Accesses of threads that nothing orders. */
  readonly races?: boolean;
  /**
   * Also those that go through global variables: each access to one has its check (record 0083).
   */
  readonly initGlobals?: boolean;
  /** Values carry labels. */
  readonly labels?: LabelOptions;
  /** Every local in memory is a block, and functions look how deep they are: `--budget`. */
  readonly watchesStack?: boolean;
  readonly watchesDepth?: boolean;
  /** Hooks of plug-ins, and whether this is a part of the library. */
  readonly hooks?: { readonly plan: HookPlan; readonly isLibrary: boolean };
}

/**
 * The classic check: one byte of shadow for eight of memory answers, and neither numbers nor
 * initialisation count.
 */
export function isShadowAlone({ temporal, init }: InstrumentOptions): boolean {
  return !temporal && !init;
}
