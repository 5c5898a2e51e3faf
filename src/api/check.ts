/** `redzone check`: compile, instrument, run once under the monitor, report. */
import type { CheckReport } from '../findings/report.js';
import type { Stdio } from '../monitor/run/run-request.js';
import { buildFolder, type checkOptions } from '../options/check-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { workingFolder } from '../platform/files.js';
import { withRelativeFiles } from '../support/relative-files.js';
import type { ProgramOptions, RunControl } from './run-control.js';

/**
 * The options of the command line, described in `docs/options.md`, and options that only the
 * library has.
 */
export interface CheckOptions extends ProgramOptions, Given<typeof checkOptions> {
  /** `argv` after the program's name. */
  readonly arguments?: readonly string[];
  /** `argv[0]`; the name of the first input, without its extension, unless given. */
  readonly programName?: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /**
   * The folders that the program may use in addition to `dirs`; the first one is its current
   * folder. The default is the working folder.
   */
  readonly folders?: readonly string[];
  /** The summary also lists the memory that was still reachable at the end. */
  readonly tellReachable?: boolean;
  /**
   * Called with every call of malloc and its family, encoded (`src/malloc/heap-trace-format.ts`),
   * when the program has ended.
   */
  readonly onTrace?: (trace: Uint8Array) => void;
  /**
   * Called with the schedule of a threaded run that has findings, in the format of `--schedule`.
   */
  readonly onSchedule?: (schedule: string) => void;
  /** Runs the program on the modelled host with these inputs, as `replay` does. */
  readonly test?: ProgramTest;
  /**
   * `events`, the default: the output of the program is passed on as `output` events, and `stdin`
   * is its standard input. `inherit`: the program shares the standard streams of this process.
   * `inherit-stderr`: the same, but its standard output goes to standard error.
   */
  readonly stdio?: Stdio;
  /**
   * With inherited streams, the first 64 KiB of each output stream are also reported as `output`
   * events with `isShown`.
   */
  readonly echoes?: boolean;
  /** Standard input with `events`; empty by default. */
  readonly stdin?: Uint8Array | string | undefined;
}

/** The options with their defaults. */
export type CheckSettings = Settings<typeof checkOptions> & Omit<CheckOptions, keyof typeof checkOptions>;

export interface ProgramTest {
  /** The inputs for `klee_make_symbolic` and similar functions, by name. */
  readonly inputs: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly stdin?: Uint8Array;
  /** Files in the current folder, by name. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** The output of the program is not shown. */
  readonly isSilent?: boolean;
  /** The thread that runs after each scheduling choice. */
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
  const report = await runCheck({ programName: name, ...options, inputs }, fromHere(control));
  return { ...report, findings: withRelativeFiles(report.findings, workingFolder()) };
}

/** Warnings about a build name files below the current folder as its findings do. */
function fromHere(control: RunControl): RunControl {
  return {
    ...control,
    onEvent: event =>
      control.onEvent?.(event.kind === 'warning' ? withRelativeFiles(event, workingFolder()) : event),
  };
}
