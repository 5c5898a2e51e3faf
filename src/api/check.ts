/** `redzone check`: compile, instrument, run once under the monitor, report. */
import type { RunReport } from '../findings/report.js';
import type { MallocName } from '../malloc/names.js';
import type { CheckKind } from '../monitor/check-kinds.js';
import type { Store } from '../monitor/stores.js';
import type { ProgramOptions, RunControl } from './control.js';

export interface CheckOptions extends ProgramOptions {
  /** `argv` after the program's name. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The folders that the program may use; the first is its current folder. By default the working folder. */
  readonly folders?: readonly string[];
  /** What is looked for; everything unless given. */
  readonly checks?: readonly CheckKind[];
  /** `off` ignores ACSL annotations; they are checked unless told otherwise. */
  readonly acsl?: 'on' | 'off';
  /** Checks annotations only: memory is monitored where one observes it, and nothing else is reported. */
  readonly onlyAcsl?: boolean;
  /** Rules for findings that are not reported, one in a line: `CODE`, `CODE:FILE`, `CODE:FILE:LINE`, `CODE:FUNCTION`. */
  readonly suppressions?: string;
  /** Reports every finding: an invalid store is suppressed, and the run goes on. Otherwise the first ends it. */
  readonly keepGoing?: boolean;
  /** The summary tells what was still reachable at the end. */
  readonly tellReachable?: boolean;
  readonly maxTimeMs?: number;
  readonly maxMemoryBytes?: number;
  /** Freed blocks wait until they take this much memory; detection does not depend on it. */
  readonly quarantineBytes?: number;
  /** Where the facts about blocks are kept: `hybrid` unless given. See `runtime/monitor/store.h`. */
  readonly store?: Store;
  /** In the hybrid store, longer blocks are kept in the trie. */
  readonly storeLimitBytes?: number;
  /** Leaves out checks that others make needless; on unless it is to be measured. */
  readonly removesChecks?: boolean;
  /** Leaves locals alone that nobody asks about; on unless it is to be measured. */
  readonly preAnalysis?: boolean;
  /** Which malloc the program's blocks come from: see `src/malloc`. Otherwise the monitor has its own. */
  readonly malloc?: MallocName;
  /** Of what is random on purpose, such as the places that `bibop` chooses. */
  readonly seed?: number;
  /** Gets every call of malloc and its family, encoded (`src/malloc/trace.ts`), when the program has ended. */
  readonly onTrace?: (trace: Uint8Array) => void;
  /** Runs the same program without instrumentation, for comparison. */
  readonly noChecks?: boolean;
  /** Runs on the modelled host with these inputs, as a test does: see `replay`. */
  readonly test?: ProgramTest;
  /** Standard output belongs to somebody else: the program's goes to standard error. */
  readonly stdoutToStderr?: boolean;
}

export interface ProgramTest {
  /** What `klee_make_symbolic` and its like ask for, by name. */
  readonly inputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly stdin?: Uint8Array;
  /** By name, in the current folder. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** What the program writes is not shown. */
  readonly isSilent?: boolean;
}

/** Throws InputError when the program does not compile. An aborted run returns what was found so far. */
export async function check(options: CheckOptions, control: RunControl = {}): Promise<RunReport> {
  const { runCheck } = await import('./check-pipeline.js');
  return runCheck(options, control);
}
