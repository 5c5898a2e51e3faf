/** The request to the worker that runs the program, and its answer. */
import type { Diagnostic } from '../../findings/diagnostic.js';
import type { Finding } from '../../findings/finding.js';
import type { Children } from '../../host/children.js';
import type { InputDifferences, NamedInput } from '../../host/inputs.js';
import type { LabelRequest } from '../../labels/flow-rules.js';
import type { Problem } from '../../malloc/malloc.js';
import type { MallocName } from '../../malloc/malloc-names.js';
import type { HookPlan } from '../../plugins/hook-plan.js';
import type { HookSite } from '../../plugins/hook-points.js';
import type { Budget, HighWater } from '../budget.js';
import type { Store } from '../stores.js';
import type { Suppression } from '../suppressions.js';
import type { ThreadMemory } from './live-threads.js';

/**
 * The data that the program's checks use; the order is that of `enum monitor_mode` in
 * `runtime/monitor/objects.h`.
 */
export const monitorModes = ['tags', 'tags-and-init', 'shadow'] as const;

export type MonitorMode = (typeof monitorModes)[number];

/** How the threads of a program are scheduled. */
export interface ThreadRequest {
  /** Determines the schedule, unless one is given. */
  readonly seed: number;
  /** The slot that was chosen at each scheduling choice. */
  readonly choices: Uint8Array | undefined;
  /** Whether the choices come from a schedule of `explore`. */
  readonly isExplored: boolean;
  readonly races: boolean;
}

/**
 * The destination of the program's standard streams: events; the streams of this process; or those
 * of this process with standard output redirected to standard error, because the caller prints a
 * document on standard output.
 */
export type Stdio = 'events' | 'inherit' | 'inherit-stderr';

export interface RunRequest {
  /** The lowered binary, with an imported memory. */
  readonly binary: Uint8Array;
  /** `ObjectSites[]` as JSON; undefined if the program is not instrumented. */
  readonly sites: Uint8Array | undefined;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** Set if the program may start other programs. */
  readonly children: Children | undefined;
  /** Whether the program may have sockets on the loopback. */
  readonly allowsNetwork: boolean;
  /**
   * The inputs of a test, which runs on the modelled host: named inputs, standard input and files.
   */
  readonly test:
    | {
        readonly inputs: readonly NamedInput[];
        readonly stdin?: Uint8Array;
        readonly files: Readonly<Record<string, Uint8Array>>;
        /** The output of the program is not shown. */
        readonly isSilent?: boolean;
      }
    | undefined;
  readonly stdio: Stdio;
  /** The beginning of the output on inherited streams is also sent as events. */
  readonly echoes: boolean;
  /** Standard input, unless it is inherited. */
  readonly stdin: Uint8Array | undefined;
  /** The number of bytes that were sent as events and not yet received: see `EmittedOutput`. */
  readonly unread: SharedArrayBuffer;
  readonly mode: MonitorMode;
  readonly checkLeaks: boolean;
  /** The user's suppressions, and those of checks that were not selected. */
  readonly suppressions: readonly Suppression[];
  readonly unchosen: readonly Suppression[];
  /** Report every finding; otherwise the first one ends the run. */
  readonly keepGoing: boolean;
  readonly quarantineBytes: number;
  readonly store: Store;
  readonly storeLimitBytes: number;
  readonly maximumHeapBytes: number;
  /** The malloc of the program; without it, the runtime's own heap. */
  readonly malloc: MallocName | undefined;
  readonly seed: number;
  /** How threads are scheduled. Set for programs that create them. */
  readonly threads: ThreadRequest | undefined;
  /** Where the results of host calls are recorded (`host/host-log.ts`). */
  readonly hostLog: SharedArrayBuffer | undefined;
  /** The modules of plug-ins, their compiled hooks, and the meaning of the hooks' indices. */
  readonly plugins:
    | {
        readonly modules: readonly { readonly specifier: string; readonly url: string }[];
        readonly plan: HookPlan | undefined;
        readonly sites: readonly HookSite[];
      }
    | undefined;
  readonly budget: Budget;
  /** Whether the process ends after this run. */
  readonly ownsProcess: boolean;
  /** Records the calls of malloc, as a trace of this name. */
  readonly traceName: string | undefined;
  /** Set for a program that was built with labels. */
  readonly labels: LabelRequest | undefined;
}

export type RunEventMessage =
  /** A plug-in has failed, which ends the run. */
  | { readonly kind: 'failure'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'finding'; readonly finding: Finding }
  /** The program has started its first thread. */
  | ({ readonly kind: 'threads' } & ThreadMemory)
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly bytes: Uint8Array;
      /** The output has already been written to the inherited stream. */
      readonly isShown?: true;
    };

export interface ScheduleOfRun {
  readonly choices: Uint8Array;
  /** The choice at which the run could not follow the given schedule; undefined if it could. */
  readonly departed?: number;
}

export interface RunResult {
  /** How the program ended; absent when a finding ended it. */
  readonly program?: { readonly exit: number | null; readonly signal: string | null };
  /** The first path outside the allowed folders that the program tried to open. */
  readonly refused?: string;
  /** The inputs of a test that the program did not read, and those that it read instead. */
  readonly inputs?: InputDifferences;
  /** The last byte on standard output is not a newline. */
  readonly leavesLineOpen?: boolean;
  /** Blocks that are still reachable when the program ends. */
  readonly reachable?: { readonly blocks: number; readonly bytes: number };
  /** Encoded by `encodeTrace`. */
  readonly trace?: Uint8Array;
  /** Why the chosen malloc ended the program. */
  readonly heapProblem?: Problem;
  /** The number of suppressed findings, each error counted once. */
  readonly suppressed: number;
  /** The number of repeated reports. */
  readonly repeats: number;
  /** The program has failed because of an out-of-memory condition. */
  readonly outOfMemory: boolean;
  /** The size of the last failed request for memory. */
  readonly withoutMemory?: number;
  readonly allocations: number;
  readonly highWater?: HighWater;
  /** The slots that the scheduler chose. Set for programs with threads. */
  readonly schedule?: ScheduleOfRun;
  readonly runMs: number;
  /**
   * The processor time of the whole process during the run: the run's own if the process does
   * nothing else. It does not depend on the load of the machine.
   */
  readonly runProcessorMs: number;
}
