/** The request to the worker that runs the program, and its answer. */
import type { Diagnostic } from '../../findings/diagnostic.js';
import type { Finding } from '../../findings/finding.js';
import type { InputDifferences, NamedInput } from '../../host/inputs.js';
import type { LabelRequest } from '../../labels/flow-rules.js';
import type { Problem } from '../../malloc/malloc.js';
import type { MallocName } from '../../malloc/malloc-names.js';
import type { HookPlan } from '../../plugins/hook-plan.js';
import type { HookSite } from '../../plugins/hook-points.js';
import type { Budget, HighWater } from '../budget.js';
import type { Store } from '../stores.js';
import type { Suppression } from '../suppressions.js';

/**
 * What the checks in the program look at; the order is that of `enum monitor_mode` in
 * `runtime/monitor/objects.h`.
 */
export const monitorModes = ['tags', 'tags-and-init', 'shadow'] as const;

export type MonitorMode = (typeof monitorModes)[number];

/** How the threads of a program are run. */
export interface ThreadRequest {
  /** Decides who runs at each choice, unless there is a schedule that says it. */
  readonly seed: number;
  /** The slot that was chosen each time. */
  readonly choices: Uint8Array | undefined;
  /** Are those of a schedule that `explore` has found? */
  readonly isExplored: boolean;
  readonly races: boolean;
}

/**
 * Where the program's standard streams lead: to events; to those of this process; or to those of
 * this process with standard output on standard error, because the caller prints a document of its
 * own.
 */
export type Stdio = 'events' | 'inherit' | 'inherit-stderr';

export interface RunRequest {
  /** Lowered, with an imported memory. */
  readonly binary: Uint8Array;
  /** `ObjectSites[]` as JSON; undefined when the program is not instrumented. */
  readonly sites: Uint8Array | undefined;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** May the program start others? They have these variables besides its own. */
  readonly children: Readonly<Record<string, string>> | undefined;
  /**
   * Inputs of a test, which runs on the modelled host: what the program asks for by name, reads,
   * and opens.
   */
  readonly test:
    | {
        readonly inputs: readonly NamedInput[];
        readonly stdin?: Uint8Array;
        readonly files: Readonly<Record<string, Uint8Array>>;
        /** What the program writes is not shown. */
        readonly isSilent?: boolean;
      }
    | undefined;
  readonly stdio: Stdio;
  /** The first of what is written to inherited streams is also told in events. */
  readonly echoes: boolean;
  /** Standard input where it is not inherited. */
  readonly stdin: Uint8Array | undefined;
  /** A counter of bytes that were emitted as events and have not arrived: see `EmittedOutput`. */
  readonly unread: SharedArrayBuffer;
  readonly mode: MonitorMode;
  readonly checkLeaks: boolean;
  /** What the user does not want to hear of, and what belongs to checks that were not chosen. */
  readonly suppressions: readonly Suppression[];
  readonly unchosen: readonly Suppression[];
  /** Reports every finding. Otherwise the first ends the run. */
  readonly keepGoing: boolean;
  readonly quarantineBytes: number;
  readonly store: Store;
  readonly storeLimitBytes: number;
  readonly maximumHeapBytes: number;
  /** Where blocks come from; without it, from the runtime's own heap. */
  readonly malloc: MallocName | undefined;
  readonly seed: number;
  /** How threads are scheduled. Set for programs that create them. */
  readonly threads: ThreadRequest | undefined;
  /** Where to record what the host answers (`host/host-log.ts`); undefined for nowhere. */
  readonly hostLog: SharedArrayBuffer | undefined;
  /** Modules of plug-ins, what is compiled in for them, and what the indices there mean. */
  readonly plugins:
    | {
        readonly modules: readonly { readonly specifier: string; readonly url: string }[];
        readonly plan: HookPlan | undefined;
        readonly sites: readonly HookSite[];
      }
    | undefined;
  readonly budget: Budget;
  /** Records the calls of malloc, as a trace of this name. */
  readonly traceName: string | undefined;
  /** Set for a program that was built with labels. */
  readonly labels: LabelRequest | undefined;
}

export type RunEventMessage =
  /** A plug-in has failed, which ends the run. */
  | { readonly kind: 'failure'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'finding'; readonly finding: Finding }
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly bytes: Uint8Array;
      /** It is on the inherited stream already. */
      readonly isShown?: true;
    };

export interface ScheduleOfRun {
  readonly choices: Uint8Array;
  /**
   * At which choice the run could not follow the schedule that was given; undefined when it did.
   */
  readonly departed?: number;
}

export interface RunResult {
  /** How the program ended; absent when a finding ended it. */
  readonly program?: { readonly exit: number | null; readonly signal: string | null };
  /** The first path outside of the folders that the program asked for. */
  readonly refused?: string;
  /**
   * Which inputs of a test the program did not read, and which it read instead.
   */
  readonly inputs?: InputDifferences;
  /** The last that the program wrote to standard output is no newline. */
  readonly leavesLineOpen?: boolean;
  /** Blocks that are pointed to when the program ends. */
  readonly reachable?: { readonly blocks: number; readonly bytes: number };
  /** As `encodeTrace` writes it. */
  readonly trace?: Uint8Array;
  /** Why the chosen malloc ended the program. */
  readonly heapProblem?: Problem;
  /** Findings that suppressions kept silent, each error counted once. */
  readonly suppressed: number;
  /** Reports that said nothing new. */
  readonly repeats: number;
  /** The program has failed for want of memory. */
  readonly outOfMemory: boolean;
  /** The bytes of the last request that there was no memory for. */
  readonly withoutMemory?: number;
  readonly allocations: number;
  readonly highWater?: HighWater;
  /** The slot that the scheduler chose each time. Set for programs with threads. */
  readonly schedule?: ScheduleOfRun;
  readonly runMs: number;
  /**
   * Processor time of the whole process meanwhile: the run's own when the process does nothing
   * else. A busy machine does not change it.
   */
  readonly runProcessorMs: number;
}
