/**
 * `redzone explore`: run the program on symbolic inputs along all paths, and write a test for each.
 */

import type { SavedTree } from '../explore/output/fork-tree.js';
import type { ExploreReport } from '../findings/report.js';
import { exploreOptions } from '../options/explore-options.js';
import type { Given, Settings } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { mostResidentBytes } from '../platform/process-memory.js';
import { type ApartControl, apart, isApart } from './apart.js';
import type { ProgramOptions, RunControl, RunEvent } from './run-control.js';
import { supervise } from './supervise.js';

/**
 * The options of the command line, described in `docs/options.md`, and options that only the
 * library has. Without `folder` no tests are written; `resume`, `confirm` and `dumpQueries` require
 * it.
 */
export interface ExploreOptions extends ProgramOptions, Given<typeof exploreOptions> {
  /** `argv` after the program's name. */
  readonly arguments?: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /**
   * Replays the test of each finding under the monitor and reports whether it has the same finding.
   */
  readonly confirm?: boolean;
  /** The time limit of a function of `external`; 10 s by default. */
  readonly maxExternalMs?: number;
  /** Standard input where it is not symbolic; empty by default. */
  readonly stdin?: Uint8Array | string;
  /** The shortest time between two checkpoints for `resume`; 2 s by default. */
  readonly checkpointMs?: number;
  /**
   * Called with the growing tree of forks a few times a second and at the end. Requires `folder`.
   */
  readonly onForks?: (tree: SavedTree) => void;
  /** Keep no journal; used to measure what the journal costs. */
  readonly withoutJournal?: boolean;
  /** The report has `details`: the tree of forks, all paths, and the coverage of each line. */
  readonly details?: boolean;
  /**
   * With `workers`: the work before the search is divided, and the work of a task, both in
   * microseconds of a reference machine. Tests use them for small programs.
   */
  readonly firstWork?: number;
  readonly taskWork?: number;
  /** Interpret everything instead of compiling concrete code to JavaScript, for comparison. */
  readonly interpretOnly?: boolean;
  /**
   * With `threads`: also run schedules that partial-order reduction would skip, for comparison.
   * There are many more of them.
   */
  readonly everySchedule?: boolean;
}

/** The options with their defaults. */
export type ExploreSettings = Settings<typeof exploreOptions> &
  Omit<ExploreOptions, keyof typeof exploreOptions>;

/**
 * Throws InputError when the program does not compile or cannot be resumed. An aborted run returns
 * what was found so far.
 */
export async function explore(given: ExploreOptions, control: RunControl = {}): Promise<ExploreReport> {
  if (!isApart()) return exploreHere(given, control);
  let known: ExploreReport | undefined;
  const onKnown = (report: ExploreReport | undefined): void => {
    known = report;
  };
  return supervised(given, control, async ({ signal, onEvent }) => {
    const call = { signal, onEvent, onKnown };
    return (await apart<ExploreOptions, ExploreReport, ExploreReport>('explore', given, call)) ?? known;
  });
}

/** Runs the exploration in this thread. */
export async function exploreHere(
  given: ExploreOptions,
  control: ApartControl<ExploreReport>,
): Promise<ExploreReport> {
  const start = performance.now();
  const options = settingsOf(exploreOptions, given);
  const { onKnown } = control;
  return supervised(given, control, async ({ signal, onEvent }) => {
    const { queueFor } = await import('./led-queue.js');
    const queue = await queueFor(options);
    try {
      const { builtInChecks } = await import('../plugins/hook-plan.js');
      const asks = options.plugins.length > 0 || builtInChecks.some(check => options.checks?.includes(check));
      const { loadPlugins, pluginsFor } = await import('./load-plugins.js');
      const plugins = asks ? await loadPlugins(pluginsFor(options.plugins, options.checks)) : undefined;
      const { linkedProgram } = await import('./explore-program.js');
      const program = await linkedProgram(options, { signal, onEvent });
      const { runExplore } = await import('./explore-pipeline.js');
      const own = { signal, onEvent, ...(onKnown && { onKnown }) };
      return await runExplore(program, options, own, start, plugins, queue);
    } finally {
      await queue?.close();
    }
  });
}

async function supervised(
  { maxTimeMs }: ExploreOptions,
  control: RunControl,
  work: (control: Required<RunControl>) => Promise<ExploreReport | undefined>,
): Promise<ExploreReport> {
  const start = performance.now();
  let phase = '';
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'phase') phase = event.text;
    control.onEvent?.(event);
  };
  const { value, stopped } = await supervise(control, maxTimeMs, signal => work({ signal, onEvent }));
  return value ?? nothingExplored(`${stopped} while ${phase}`, performance.now() - start);
}

/** The report for a program that was stopped before its first instruction. */
function nothingExplored(summary: string, wallMs: number): ExploreReport {
  const stats = {
    wallMs,
    compileMs: wallMs,
    runMs: 0,
    instructions: 0,
    paths: { completed: 0, error: 0, partial: 0 },
    queries: 0,
    solverMs: 0,
    allocations: 0,
    externalCalls: 0,
    maxRssBytes: mostResidentBytes(),
    tests: 0,
  };
  return { schema: 1, command: 'explore', verdict: 'inconclusive', summary, findings: [], stats };
}
