/**
 * `redzone fuzz`: coverage-guided random search for inputs that trigger errors, combined with the
 * explorer.
 */
import type { FuzzReport } from '../findings/report.js';
import { fuzzOptions } from '../options/fuzz-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { mostResidentBytes } from '../platform/process-memory.js';
import type { ProgramOptions, RunControl, RunEvent } from './run-control.js';
import { supervise } from './supervise.js';

/**
 * The options of the command line, described in `docs/options.md`, and options that only the
 * library has. Findings are written to `folder`, `redzone-out` by default. Without `maxRuns` and
 * `maxTimeMs` the search continues until it is aborted.
 */
export interface FuzzOptions extends ProgramOptions, Given<typeof fuzzOptions> {
  /** `argv` after the program's name; `@@` stands for a file with the input. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The prefix of the files with the inputs of findings, instead of the folder. */
  readonly artifactPrefix?: string;
  /** The report has `coverage`. */
  readonly details?: boolean;
  /**
   * Instead of searching, adds the inputs of the other corpus folders that increase coverage to the
   * first folder.
   */
  readonly merge?: boolean;
}

/** The options with their defaults. */
export type FuzzSettings = Settings<typeof fuzzOptions> & Omit<FuzzOptions, keyof typeof fuzzOptions>;

/**
 * Throws InputError when the program does not compile or an input cannot be used. An aborted search
 * returns what was found so far.
 */
export async function fuzz(given: FuzzOptions, control: RunControl = {}): Promise<FuzzReport> {
  const start = performance.now();
  const options = settingsOf(fuzzOptions, given);
  const { refuseContradictions } = await import('./fuzz-unused.js');
  refuseContradictions(given);
  let phase = 'starting';
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'phase') phase = event.text;
    control.onEvent?.(event);
  };
  const { value, stopped } = await supervise(control, options.maxTimeMs, async signal => {
    const { queueFor } = await import('./led-queue.js');
    const queue = await queueFor(options);
    try {
      const { runFuzz } = await import('./fuzz-pipeline.js');
      return await runFuzz(options, given, { signal, onEvent }, queue);
    } finally {
      await queue?.close();
    }
  });
  return value ?? nothingRun(`${stopped} while ${phase}`, performance.now() - start);
}

/** The report for a program that was stopped before its first input. */
function nothingRun(summary: string, wallMs: number): FuzzReport {
  const stats = { wallMs, compileMs: wallMs, runMs: 0, maxRssBytes: mostResidentBytes(), runs: 0 };
  return { schema: 1, command: 'fuzz', verdict: 'inconclusive', summary, findings: [], stats };
}
