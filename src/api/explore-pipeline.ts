/**
 * The steps of `explore`:
 *
 * ```
 *   C ──front──▶ one IR module ──explore──▶ paths ─┬─ tests in a folder
 *                                                  └─ findings, each error once
 * ```
 */

import { Diverged } from '../explore/machine/path-queries.js';
import type { SnippetProgram } from '../explore/output/c-snippet.js';
import type { TestFolder } from '../explore/output/test-folder.js';
import {
  type ExploreOutcome,
  Explorer,
  type ExplorerSettings,
  type SavedExploration,
  WORK_DONE,
} from '../explore/search/explorer.js';
import type { SymbolicStart } from '../explore/state/state.js';
import type { Finding } from '../findings/finding.js';
import type { ExploreReport, ReusedWork } from '../findings/report.js';
import type { Module } from '../ir/model.js';
import { isSystemError } from '../platform/files.js';
import { nextTurn } from '../platform/next-turn.js';
import { packageRoot } from '../platform/node.js';
import { isHeapNearlyFull, residentBytes } from '../platform/process-memory.js';
import type { QueueConnection } from '../queue/connection.js';
import { assert } from '../support/assert.js';
import { inThousands, pluralInThousands } from '../support/plural.js';
import type { ApartControl } from './apart.js';
import type { ExploreSettings } from './explore.js';
import { confirmAll, isTimeToConfirm } from './explore-confirm.js';
import {
  cannotResume,
  cannotWrite,
  type Identity,
  identityOf,
  type OtherRun,
  ownFolder,
  readEarlierRun,
  runBeforeEdit,
  runToReplay,
} from './explore-journal.js';
import type { LinkedProgram } from './explore-program.js';
import {
  damagedNote,
  exploreReport,
  progressCounts,
  progressText,
  resumedNote,
  tellWithoutEffect,
} from './explore-report.js';
import { type Exploration, ExploreResults, type KnownResults } from './explore-results.js';
import { type SharedParts, Team } from './explore-team.js';
import { explorerSettings, symbolicOf } from './explorer-settings.js';
import { doubtfulNames, labelOptionsOf, unknownFunctions } from './label-settings.js';
import type { LoadedPlugins } from './load-plugins.js';
import { FIRST_WORK, isInRounds, requireRounds } from './rounds-options.js';
import { nameOfInput, type RunControl, type RunEvent, TimeLimit } from './run-control.js';
import { whyStopped } from './supervise.js';

/** How long the exploration blocks the event loop. */
const sliceMs = 40;

/** `start` is the time at which the work began, on the clock of `performance`. */
export async function runExplore(
  linked: LinkedProgram,
  options: ExploreSettings,
  control: RunControl,
  start: number,
  plugins: LoadedPlugins | undefined,
  queue: QueueConnection | undefined,
): Promise<ExploreReport> {
  const { folder } = options;
  if (isInRounds(options)) requireRounds(options);
  const lock = folder === undefined ? undefined : ownFolder(folder);
  try {
    return await exploreInFolder(linked, options, control, start, plugins, queue);
  } finally {
    lock?.release();
  }
}

async function exploreInFolder(
  linked: LinkedProgram,
  options: ExploreSettings,
  control: ApartControl<ExploreReport>,
  start: number,
  plugins: LoadedPlugins | undefined,
  queue: QueueConnection | undefined,
): Promise<ExploreReport> {
  const { module, shape, irTexts, unsequenced } = linked;
  const symbolic = symbolicOf(options, shape.entry === 'LLVMFuzzerTestOneInput');
  const compileMs = performance.now() - start;
  tellWithoutEffect(options, shape.called, control);
  for (const diagnostic of [
    ...doubtfulNames(options),
    ...unknownFunctions(labelOptionsOf(options)?.rules ?? [], [module]),
  ])
    control.onEvent?.({ kind: 'warning', diagnostic });
  control.onEvent?.({ kind: 'phase', text: 'exploring' });
  control.onKnown?.(undefined);
  const args = [programName(options), ...(options.arguments ?? [])];
  const modules = plugins?.modules.map(({ url }) => url);
  const identity = identityOf(options, args, irTexts, modules);
  const { earlier, other } = knownBefore(options, identity, control);
  const program = snippetProgram(shape, options, args, symbolic);
  const results = resultsIn(options, program, identity, { earlier, other });
  const { milliseconds: earlierMs, solverMs } = results.earlierTimes;
  const saved = earlier?.checkpoint?.exploration;
  const settings = {
    ...ownSettings(options, args, symbolic, results.folder, compileMs, plugins),
    memo: results.memo,
    resume: saved?.rounds === undefined ? saved && { saved, solverMs } : undefined,
  };
  try {
    const given = { irTexts, unsequenced, args, symbolic, saved, queue };
    const { explorer, runStart } = await exploreAll(module, settings, results, options, control, given);
    const outcome = explorer.outcome();
    const left = explorer.left();
    const chosen = explorer.chosen();
    const isBack = explorer.missing === 0;
    // A run that was killed after its last path may not have written all its files.
    const isFinished = saved?.states.ids.length === 0 && earlier?.journal.result !== undefined;
    const hasGoneOn = isBack && !isFinished;
    showOnlyPath(outcome, results, control);
    if (hasGoneOn) await results.close(explorer);
    const runMs = earlierMs + performance.now() - runStart;
    if (hasGoneOn) removeOldTests(results.folder, control);
    const details = results.details(explorer);
    explorer.dispose();
    if (options.dumpQueries !== undefined) results.folder?.flushQueries(options.dumpQueries);
    const reused = other && reusedFrom(other, results, control);
    const explored = { outcome, left, chosen, isBack, reused, details, compileMs, runMs };
    const reportOf = (found: readonly Finding[]): ExploreReport => {
      if (hasGoneOn) results.keep(found);
      const wallMs = earlierMs + performance.now() - start;
      return exploreReport(options, results, { ...explored, wallMs }, found);
    };
    if (!options.confirm || results.findings.length === 0) return reportOf(results.findings);
    // If the confirmation is stopped, the findings are reported nevertheless.
    control.onKnown?.(reportOf(results.findings));
    return reportOf(await confirmAll(results.findings, options, control));
  } finally {
    results.dispose();
  }
}

/** What the test files need to know of the program. */
function snippetProgram(
  shape: LinkedProgram['shape'],
  options: ExploreSettings,
  args: readonly string[],
  symbolic: SymbolicStart,
): SnippetProgram {
  return {
    ...shape,
    sources: options.inputs.map(nameOfInput),
    flags: options.clangFlags ?? [],
    headers: `${packageRoot}runtime/include`,
    arguments: args,
    symbolic,
  };
}

/** A program with a single path behaved as in a plain run, so its output is shown. */
function showOnlyPath(
  { paths }: ExploreOutcome,
  { lastHost }: ExploreResults,
  { onEvent }: RunControl,
): void {
  if (lastHost === undefined || paths.completed !== 1 || paths.error + paths.partial > 0) return;
  const { stdout, stderr } = lastHost;
  if (stdout.length > 0) onEvent?.({ kind: 'output', stream: 'stdout', bytes: stdout });
  if (stderr.length > 0) onEvent?.({ kind: 'output', stream: 'stderr', bytes: stderr });
}

/** Looks up an earlier run of this exploration, or another exploration to learn from. */
function knownBefore(options: ExploreSettings, identity: Identity, control: RunControl): KnownResults {
  const { folder, resume, replayTree } = options;
  const reuse = isInRounds(options) ? 'nothing' : options.reuse;
  if (resume) {
    const earlier = readEarlierRun(folderOf(options), identity);
    control.onEvent?.(resumedNote(folderOf(options), earlier));
    const { damagedAt } = earlier.journal;
    if (damagedAt !== undefined) control.onEvent?.(damagedNote(folderOf(options), damagedAt));
    return { earlier };
  }
  if (replayTree !== undefined) return { other: runToReplay(replayTree, identity) };
  return { other: folder === undefined || reuse === 'nothing' ? undefined : runBeforeEdit(folder, identity) };
}

function resultsIn(
  options: ExploreSettings,
  program: SnippetProgram,
  identity: Identity,
  known: KnownResults,
): ExploreResults {
  try {
    return new ExploreResults(options, program, identity, known);
  } catch (error) {
    if (options.folder === undefined || !isSystemError(error)) throw error;
    throw cannotWrite(options.folder, error);
  }
}

/** Reports what was reused from another exploration, and where this one diverged. */
function reusedFrom({ folder }: OtherRun, { memo }: ExploreResults, control: RunControl): ReusedWork {
  assert(memo !== undefined, 'another exploration is known by a memo');
  const { reused } = memo;
  const divergences = memo.divergences();
  const note = (message: string): RunEvent => ({
    kind: 'warning',
    diagnostic: { severity: 'note', message },
  });
  const of = [
    `${inThousands(reused.paths)} of ${pluralInThousands(memo.paths, 'path')}`,
    pluralInThousands(reused.answers, 'answer'),
  ];
  control.onEvent?.(note(`reused from '${folder}': ${of.join(' and ')} of the solver`));
  for (const { location, paths } of divergences.slice(0, mostDivergences))
    control.onEvent?.(
      note(
        `diverged from '${folder}' at ${location.file}:${location.line}: ${pluralInThousands(paths, 'path')} explored again from there`,
      ),
    );
  if (divergences.length > mostDivergences)
    control.onEvent?.(note(`diverged at ${divergences.length - mostDivergences} more lines`));
  return { ...reused, divergences };
}

/** The largest number of lines that are listed. */
const mostDivergences = 10;

/** What a search in rounds needs in addition. */
interface RoundsOf extends SharedParts {
  /** The state in which an earlier run stopped. */
  readonly saved: SavedExploration | undefined;
  readonly queue: QueueConnection | undefined;
}

/** Explores until no state is left, or a limit or the user stops it. */
async function exploreAll(
  module: Module,
  settings: ExplorerSettings,
  results: ExploreResults,
  options: ExploreSettings,
  control: RunControl,
  { args, symbolic, saved, queue, ...program }: RoundsOf,
): Promise<{ readonly explorer: Exploration; readonly runStart: number }> {
  const { events } = results;
  const team = new Team(queue, options, control, module, { ...program, args, symbolic });
  try {
    const explorer = await Explorer.create(module, settings, events);
    results.start(explorer);
    const runStart = performance.now();
    const atStart = explorer.progress();
    const tell = (exploration: Exploration): void => {
      const runMs = performance.now() - runStart;
      const text = progressText(exploration, atStart, runMs);
      control.onEvent?.({ kind: 'progress', text, counts: progressCounts(exploration, runMs) });
    };
    const { maxMemoryBytes } = options;
    const whyNow = (): string | undefined =>
      whyToStop(options, control, results, performance.now() - runStart) ??
      (isMemoryUsedUp(maxMemoryBytes) ? 'the limit of memory was reached' : undefined);
    if (saved?.rounds === undefined) {
      while (!explorer.runFor(sliceMs)) {
        tell(explorer);
        results.save(explorer);
        await nextTurn();
        await team.warmUp(performance.now() - runStart);
        const why = whyNow();
        if (why !== undefined) explorer.stop(why);
      }
      if (explorer.outcome().stopped !== WORK_DONE) {
        await team.dismiss();
        return { explorer, runStart };
      }
    }
    const { solverMs } = results.earlierTimes;
    const before = saved ?? NOTHING_BEFORE;
    const start = saved?.rounds
      ? { saved, solverMs, before }
      : { saved: explorer.save(), live: explorer.live(), solverMs: explorer.progress().solverMs, before };
    const { exploreInRounds } = await import('./explore-rounds.js');
    const shared = await team.shared();
    const force = await team.force(results);
    const session = { machine: explorer.machine, start, settings, shared, results, options, force };
    return { explorer: await exploreInRounds(session, { tell, whyNow }), runStart };
  } catch (error) {
    await team.dismiss();
    if (!(error instanceof Diverged)) throw error;
    // The program is unchanged, so only external functions can have returned other results.
    assert(options.external.length > 0, 'a resumed path differs from the earlier run');
    throw cannotResume(
      folderOf(options),
      'a native function has returned another result than in the earlier run',
    );
  }
}

const NOTHING_BEFORE = { finished: 0, instructions: 0 };

/** Returns the reason to stop now, if there is one. */
function whyToStop(
  options: ExploreSettings,
  { signal }: RunControl,
  results: ExploreResults,
  runMs: number,
): string | undefined {
  // The limit of the whole call and the explorer's deadline are the same limit to the user.
  if (signal?.reason instanceof TimeLimit) return 'the time is up';
  if (signal?.aborted) return whyStopped(signal);
  if (results.problem !== undefined) return results.problem;
  return isTimeToConfirm(options, results.findings.length, runMs) ? 'the time is up' : undefined;
}

/** The memory is measured only if there is a limit, because measuring takes a millisecond. */
function isMemoryUsedUp(maxMemoryBytes: number | undefined): boolean {
  return (maxMemoryBytes !== undefined && residentBytes() > maxMemoryBytes) || isHeapNearlyFull();
}

function folderOf({ folder }: ExploreSettings): string {
  assert(folder !== undefined, '`resume` requires `folder`');
  return folder;
}

/** Removing thousands of tests can take longer than the exploration. */
function removeOldTests(folder: TestFolder | undefined, control: RunControl): void {
  if (folder === undefined || folder.old === 0) return;
  control.onEvent?.({
    kind: 'phase',
    text: `removing ${pluralInThousands(folder.old, 'file')} of an earlier run`,
  });
  folder.removeOld();
}

function programName({ inputs: [first] }: ExploreSettings): string {
  return nameOfInput(first ?? 'program').replace(/\.(c|ll)$/, '');
}

/** The settings of a single search. Tasks of rounds do not use folders, plug-ins or the clock. */
function ownSettings(
  options: ExploreSettings,
  args: readonly string[],
  symbolic: SymbolicStart,
  folder: TestFolder | undefined,
  compileMs: number,
  plugins: LoadedPlugins | undefined,
): ExplorerSettings {
  const { maxTimeMs, dumpQueries } = options;
  const settings = explorerSettings(options, args, symbolic);
  const isDumped = dumpQueries !== undefined && folder !== undefined;
  return {
    ...settings,
    recordsLines: options.details ?? false,
    // Tasks share the module, and record them.
    recordsPaths: isInRounds(options),
    solver: {
      ...settings.solver,
      ...(isDumped && {
        dump: { format: dumpQueries, write: text => folder.writeQuery(text, dumpQueries) },
      }),
    },
    plugins: plugins && { plugins: plugins.plugins, plan: plugins.plan },
    limits: {
      ...settings.limits,
      milliseconds: maxTimeMs === undefined ? undefined : Math.max(1, maxTimeMs - compileMs),
      workOfAllRuns: isInRounds(options) ? (options.firstWork ?? FIRST_WORK) : undefined,
    },
  };
}
