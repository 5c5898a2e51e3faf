/** `redzone check`: compile, instrument, run once under the monitor, report. */
import type { CheckReport } from '../findings/report.js';
import type { Stdio } from '../monitor/run/run-request.js';
import { buildFolder, type checkOptions } from '../options/check-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import type { ProgramOptions, RunControl } from './run-control.js';

/**
 * The options of the command line, described in `docs/options.md`, and what only a caller of the
 * library can give.
 */
export interface CheckOptions extends ProgramOptions, Given<typeof checkOptions> {
  /** `argv` after the program's name. */
  readonly arguments?: readonly string[];
  /** `argv[0]`; the name of the first input, without its extension, unless given. */
  readonly programName?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * The folders that the program may use besides `dirs`; the first is its current folder. By
   * default the working folder.
   */
  readonly folders?: readonly string[];
  /** The summary says what was still reachable at the end. */
  readonly tellReachable?: boolean;
  /**
   * Gets every call of malloc and its family, encoded (`src/malloc/heap-trace-format.ts`), when the
   * program has ended.
   */
  readonly onTrace?: (trace: Uint8Array) => void;
  /** Gets the schedule of a run of threads that has found something, as `--schedule` reads it. */
  readonly onSchedule?: (schedule: string) => void;
  /** Runs on the modelled host with these inputs, as a test does: see `replay`. */
  readonly test?: ProgramTest;
  /**
   * `events`, the default: what the program writes are `output` events, and `stdin` is all that it
   * can read. `inherit`: it shares the standard streams of this process. `inherit-stderr`: so, but
   * what it writes to standard output goes to standard error.
   */
  readonly stdio?: Stdio;
  /**
   * With inherited streams: the first of what the program writes, 64 KiB of each stream, is also
   * told by `output` events with `isShown`.
   */
  readonly echoes?: boolean;
  /** Standard input with `events`; empty unless given. */
  readonly stdin?: Uint8Array | string | undefined;
}

export interface ProgramTest {
  /** What `klee_make_symbolic` and its like ask for, by name. */
  readonly inputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly stdin?: Uint8Array;
  /** By name, in the current folder. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** What the program writes is not shown. */
  readonly isSilent?: boolean;
  /** Which thread goes on at each choice. */
  readonly schedule?: Uint8Array;
}

/**
 * Throws InputError when the program does not compile. An aborted run returns what was found so
 * far.
 */
export async function check(options: CheckOptions, control: RunControl = {}): Promise<CheckReport> {
  const { runCheck } = await import('./check-pipeline.js');
  const { buildFolder: build, target } = settingsOf(buildFolder, {
    buildFolder: options.buildFolder,
    target: options.target,
  });
  if (build === undefined) return runCheck(options, control);
  const { inputsOfBuild } = await import('./build-inputs.js');
  const name = target ?? build;
  const inputs = await inputsOfBuild(build, target);
  return runCheck({ programName: name, ...options, inputs }, control);
}
