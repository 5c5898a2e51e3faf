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
import { journalFile } from '../explore/output/journal.js';
import type { TestFolder } from '../explore/output/test-folder.js';
import {
  type ExploreOutcome,
  type ExploreProgress,
  Explorer,
  type ExplorerSettings,
  type SavedExploration,
  WORK_DONE,
} from '../explore/search/explorer.js';
import type { SymbolicStart } from '../explore/state/state.js';
import { isFlowCode } from '../findings/codes.js';
import { InputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { type ExploreReport, type ReusedWork, verdictOf } from '../findings/report.js';
import { assignedHere } from '../findings/words/flow-words.js';
import type { Module } from '../ir/model.js';
import { isSystemError } from '../platform/files.js';
import { nextTurn } from '../platform/next-turn.js';
import { packageRoot } from '../platform/node.js';
import { isHeapNearlyFull, mostResidentBytes, residentBytes } from '../platform/process-memory.js';
import type { QueueConnection } from '../queue/connection.js';
import { assert } from '../support/assert.js';
import { inThousands, pluralInThousands } from '../support/plural.js';
import { shellWords } from '../support/shell-words.js';
import type { ApartControl } from './apart.js';
import type { ExploreSettings } from './explore.js';
import {
  cannotResume,
  cannotWrite,
  type EarlierRun,
  type Identity,
  identityOf,
  type OtherRun,
  ownFolder,
  readEarlierRun,
  runBeforeEdit,
  runToReplay,
} from './explore-journal.js';
import type { LinkedProgram } from './explore-program.js';
import { type Exploration, ExploreResults, type KnownResults } from './explore-results.js';
import type { TaskForce } from './explore-rounds.js';
import { explorerSettings, symbolicOf } from './explorer-settings.js';
import { nameOfRun } from './led-queue.js';
import type { LoadedPlugins } from './load-plugins.js';
import { replay } from './replay.js';
import { FIRST_WORK, isInRounds, requireRounds } from './rounds-options.js';
import {
  type ProgramInput,
  type ProgressCounts,
  programIn,
  type RunControl,
  type RunEvent,
  TimeLimit,
} from './run-control.js';
import type { SharedProgram } from './shared-program.js';
import { INTERRUPTED, whyStopped } from './supervise.js';

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
  { module, shape, irTexts, unsequenced }: LinkedProgram,
  options: ExploreSettings,
  control: ApartControl<ExploreReport>,
  start: number,
  plugins: LoadedPlugins | undefined,
  queue: QueueConnection | undefined,
): Promise<ExploreReport> {
  const symbolic = symbolicOf(options, shape.entry === 'LLVMFuzzerTestOneInput');
  const compileMs = performance.now() - start;

  if (options.clangFlags?.some(flag => flag.startsWith('-O'))) control.onEvent?.(notOptimised);
  for (const [name, why] of Object.entries(withoutEffect))
    if (shape.called.has(name)) control.onEvent?.(noEffect(name, why));
  control.onEvent?.({ kind: 'phase', text: 'exploring' });
  control.onKnown?.(undefined);
  const args = [programName(options), ...(options.arguments ?? [])];
  const identity = identityOf(
    options,
    args,
    irTexts,
    plugins?.modules.map(({ url }) => url),
  );
  const { earlier, other } = knownBefore(options, identity, control);
  const program: SnippetProgram = {
    ...shape,
    sources: options.inputs.map(nameOf),
    flags: options.clangFlags ?? [],
    headers: `${packageRoot}runtime/include`,
    arguments: args,
    symbolic,
  };
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
    // A program with a single path behaved as in a plain run.
    if (outcome.paths.completed === 1 && outcome.paths.error + outcome.paths.partial === 0) {
      const { stdout, stderr } = results.lastHost ?? NO_OUTPUT;
      if (stdout.length > 0) control.onEvent?.({ kind: 'output', stream: 'stdout', bytes: stdout });
      if (stderr.length > 0) control.onEvent?.({ kind: 'output', stream: 'stderr', bytes: stderr });
    }
    if (hasGoneOn) await results.close(explorer);
    const runMs = earlierMs + performance.now() - runStart;
    if (hasGoneOn) removeOldTests(results.folder, control);
    const details = results.details(explorer);
    explorer.dispose();
    if (options.dumpQueries !== undefined) results.folder?.flushQueries(options.dumpQueries);
    const reused = other && reusedFrom(other, results, control);

    const reportOf = (found: readonly Finding[]): ExploreReport => {
      if (hasGoneOn) results.keep(found);
      const { problem } = results;
      const reasons = reasonsOf(outcome, isBack, problem);
      const isComplete = reasons.length === 0 && outcome.paths.partial === 0;
      const verdict = verdictOf(found, isComplete);
      return {
        schema: 1,
        command: 'explore',
        verdict,
        summary: summaryOf(outcome.paths, isComplete, reasons, options.threads),
        ...(outcome.stopped !== undefined &&
          results.folder !== undefined && { next: nextAfter(outcome.stopped, isBack, problem) }),
        ...(verdict === 'clean' && results.isPlainRun && !options.threads && { next: nothingSymbolic }),
        findings: found,
        ...(left.length > 0 && { left }),
        ...(chosen.length > 0 && { chosen }),
        ...(reused !== undefined && { reused }),
        ...(details !== undefined && { details }),
        stats: {
          wallMs: earlierMs + performance.now() - start,
          compileMs,
          runMs,
          instructions: outcome.instructions,
          paths: outcome.paths,
          queries: outcome.queries,
          solverMs: outcome.solverMs,
          allocations: outcome.allocations,
          externalCalls: outcome.externalCalls,
          maxRssBytes: mostResidentBytes(),
          tests: results.tests,
        },
      };
    };
    if (!options.confirm || results.findings.length === 0) return reportOf(results.findings);
    // If the confirmation is stopped, the findings are reported nevertheless.
    control.onKnown?.(reportOf(results.findings));
    return reportOf(await confirmAll(results.findings, options, control));
  } finally {
    results.dispose();
  }
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

const NO_OUTPUT = { stdout: new Uint8Array(0), stderr: new Uint8Array(0) };

/** What a search in rounds needs in addition. */
interface RoundsOf extends Pick<LinkedProgram, 'irTexts' | 'unsequenced'> {
  readonly args: readonly string[];
  readonly symbolic: SymbolicStart;
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
    const { confirm, maxTimeMs, maxMemoryBytes } = options;
    const limits = { confirm, maxTimeMs, maxMemoryBytes };
    const whyNow = (): string | undefined =>
      whyToStop(limits, control, results, performance.now() - runStart);
    if (saved?.rounds === undefined) {
      while (!explorer.runFor(sliceMs)) {
        tell(explorer);
        results.save(explorer);
        await nextTurn();
        const why = whyNow();
        if (why !== undefined) explorer.stop(why);
      }
      if (explorer.outcome().stopped !== WORK_DONE) return { explorer, runStart };
    }
    const { solverMs } = results.earlierTimes;
    const before = saved ?? NOTHING_BEFORE;
    const start = saved?.rounds
      ? { saved, solverMs, before }
      : { saved: explorer.save(), live: explorer.live(), solverMs: explorer.progress().solverMs, before };
    const [{ exploreInRounds }, { sharedProgram }] = await Promise.all([
      import('./explore-rounds.js'),
      import('./shared-program.js'),
    ]);
    const shared = sharedProgram(options, program, args, symbolic);
    const force = await forceFor(queue, shared, results, options, control);
    const session = { machine: explorer.machine, start, settings, shared, results, options, force };
    return { explorer: await exploreInRounds(session, { tell, whyNow }), runStart };
  } catch (error) {
    if (!(error instanceof Diverged)) throw error;
    // The program is unchanged, so only external functions can have returned other results.
    assert(options.external.length > 0, 'a resumed path differs from the earlier run');
    throw cannotResume(
      folderOf(options),
      'a native function has returned another result than in the earlier run',
    );
  }
}

/** Creates the executor of tasks. */
async function forceFor(
  queue: QueueConnection | undefined,
  shared: SharedProgram,
  results: ExploreResults,
  options: ExploreSettings,
  { onEvent }: RunControl,
): Promise<TaskForce> {
  const { workers, resume } = options;
  if (queue === undefined) return (await import('./thread-force.js')).threadForce(workers ?? 1, shared);
  const [{ QueueForce }, { QueueOrders }] = await Promise.all([
    import('./queue-force.js'),
    import('./queue-orders.js'),
  ]);
  const localWorker = { queue: options.queue, workers };
  const use = { name: nameOfRun(options), isResumed: resume, onEvent, localWorker };
  return new QueueForce(await QueueOrders.lead(queue, shared, use), () => results.findings.length);
}

const NOTHING_BEFORE = { finished: 0, instructions: 0 };

interface RunLimits {
  readonly confirm: boolean | undefined;
  readonly maxTimeMs: number | undefined;
  readonly maxMemoryBytes: number | undefined;
}

/** Returns the reason to stop now, if there is one. */
function whyToStop(
  limits: RunLimits,
  { signal }: RunControl,
  results: ExploreResults,
  runMs: number,
): string | undefined {
  // The limit of the whole call and the explorer's deadline are the same limit to the user.
  if (signal?.reason instanceof TimeLimit) return 'the time is up';
  if (signal?.aborted) return whyStopped(signal);
  if (results.problem !== undefined) return results.problem;
  if (isTimeToConfirm(limits, results.findings.length, runMs)) return 'the time is up';
  return isMemoryUsedUp(limits.maxMemoryBytes) ? 'the limit of memory was reached' : undefined;
}

/** The time limit includes the confirmation of findings, so some of it is reserved. */
function isTimeToConfirm({ confirm, maxTimeMs }: RunLimits, findings: number, ms: number): boolean {
  if (!confirm || maxTimeMs === undefined || findings === 0) return false;
  const needed = firstConfirmMs + nextConfirmMs * Math.min(findings, mostConfirmed);
  return ms > maxTimeMs - Math.min(needed, maxTimeMs / 4);
}

/** Confirming the first test includes building the program for the monitor. */
const firstConfirmMs = 2000;
const nextConfirmMs = 200;

/** The memory is measured only if there is a limit, because measuring takes a millisecond. */
function isMemoryUsedUp(maxMemoryBytes: number | undefined): boolean {
  return (maxMemoryBytes !== undefined && residentBytes() > maxMemoryBytes) || isHeapNearlyFull();
}

function folderOf({ folder }: ExploreSettings): string {
  assert(folder !== undefined, '`resume` requires `folder`');
  return folder;
}

const notOptimised: RunEvent = {
  kind: 'warning',
  diagnostic: {
    severity: 'note',
    message:
      '`-O` has no effect on `explore`: a program is explored as it is written, before anything is optimised away',
  },
};

/** Functions of `klee.h` that have no effect here. */
const withoutEffect: Readonly<Record<string, string>> = {
  klee_open_merge: 'paths are not merged',
  klee_close_merge: 'paths are not merged',
  klee_mark_global: 'an object ends where C says',
  klee_print_expr: 'terms are not printed',
  klee_stack_trace: 'findings have stacks',
};

function noEffect(name: string, why: string): RunEvent {
  const message = `\`${name}\` has no effect on \`explore\`: ${why}`;
  return { kind: 'warning', diagnostic: { severity: 'note', message } };
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

/** Describes what the resumed run has already done. */
function resumedNote(folder: string, { checkpoint, findings }: EarlierRun): RunEvent {
  const states = checkpoint?.exploration.states.ids.length;
  const paths = pluralInThousands(checkpoint?.exploration.finished ?? 0, 'path');
  const message =
    states === 0
      ? `nothing is left to resume in '${folder}': ${paths}, to the last one`
      : `resuming '${folder}': ${paths} and ${pluralInThousands(findings.length, 'finding')} so far, ${pluralInThousands(states ?? 1, 'state')} to continue with`;
  return { kind: 'warning', diagnostic: { severity: 'note', message } };
}

function damagedNote(folder: string, offset: number): RunEvent {
  const message = `'${folder}/${journalFile}' is damaged at offset ${offset}: the part after it is explored again`;
  return { kind: 'warning', diagnostic: { severity: 'warning', message } };
}

const nothingSymbolic =
  'no input is symbolic: `--sym-stdin 16`, `--sym-args 0 2 8` or `klee_make_symbolic` in the program lead to more paths';

/** Suggests how to continue after a limit. */
function nextAfter(stopped: string, isBack: boolean, problem: string | undefined): string {
  if (problem !== undefined)
    return 'when there is space again, the same command with `--resume` continues from here';
  const isTooLow = /\b(states|memory)\b/.test(stopped) || (!isBack && stopped !== INTERRUPTED);
  return `the same command with \`--resume\`${isTooLow ? ' and a higher limit' : ''} continues from here`;
}

/** The largest number of findings that are confirmed, because each needs a run. */
const mostConfirmed = 20;
/** The time limit of a confirming run; building the program is not included. */
const confirmMs = 10_000;

/**
 * The engines check each other: a finding is confirmed if the monitor reports it too, with the
 * input of its test.
 */
async function confirmAll(
  findings: readonly Finding[],
  options: ExploreSettings,
  control: RunControl,
): Promise<Finding[]> {
  const { inputs, clangFlags = [], files = {}, checks, entryPoint } = options;
  const { taint, sinks, taintRules, secret } = options;
  const given = [
    ...Object.keys(files).flatMap(name => ['--file', name]),
    ...(checks === undefined ? [] : ['--checks', checks.join(',')]),
    ...options.plugins.flatMap(plugin => ['--plugin', plugin]),
    ...(taint === undefined ? [] : ['--taint', taint.join(',')]),
    ...(sinks === undefined ? [] : ['--sinks', sinks.join(',')]),
    ...(taintRules === '' ? [] : ['--taint-rules', 'FILE']),
    ...(secret === undefined ? [] : ['--secret', secret.join(',')]),
    ...(entryPoint === undefined ? [] : ['--entry-point', entryPoint]),
  ];
  const judged: Finding[] = [];
  for (const finding of findings) {
    if (finding.test === undefined || finding.confirmed === false || finding.code === 'unsupported') {
      judged.push(finding);
      continue;
    }
    // A path continues after a sink, and so does the run that reaches the next sink.
    const isFlow = isFlowCode(finding.code);
    const goOn = isFlow || options.keepGoing;
    const words = [
      ...clangFlags,
      ...(isFlow ? ['--keep-going'] : []),
      ...given,
      finding.test,
      ...inputs.map(nameOf),
    ];
    const reproduced = `reproduce with \`redzone replay ${shellWords(words)}\``;
    // A resumed run has already noted the test, perhaps with another folder.
    const earlier = (finding.notes ?? []).filter(note => !note.message.startsWith('reproduce with '));
    const withNote = (message: string, notes = earlier): Finding => ({
      ...finding,
      notes: [...notes, { message }],
    });
    // A repeated state is a proof, and the run of the test would not end.
    const isProved = finding.code === 'infinite-loop';
    if (finding.confirmed || isProved || judged.length >= mostConfirmed || control.signal?.aborted) {
      judged.push(withNote(reproduced));
      continue;
    }
    control.onEvent?.({ kind: 'phase', text: `confirming ${judged.length + 1} of ${findings.length}` });
    const { findings: again, isOver } = await replayed(finding.test, options, control, goOn);
    const other = again.find(each => isSame(finding, each));
    const confirmed = other !== undefined;
    if (control.signal?.aborted) {
      judged.push(withNote(reproduced));
      continue;
    }
    const notConfirmed = isOver
      ? 'not confirmed: `check` does not find it on this input'
      : `not confirmed: \`check\` did not end within ${confirmMs / 1000} s on this input`;
    // The run knows the assignments along the flow; a term does not.
    const way = isFlow ? (other?.notes ?? []).filter(({ message }) => message === assignedHere) : [];
    const at = earlier.findLastIndex(({ location }) => location !== undefined) + 1;
    const notes = earlier.toSpliced(at, 0, ...way);
    judged.push({ ...withNote(confirmed ? reproduced : notConfirmed, notes), confirmed });
  }
  return judged;
}

/**
 * For an uninitialized value the monitor may blame the load: the findings are the same if their
 * objects are.
 */
function isSame({ code, location, object }: Finding, other: Finding): boolean {
  if (code !== other.code) return false;
  const isSameObject =
    object !== undefined && object.kind === other.object?.kind && object.name === other.object.name;
  return location.line === other.location.line || (code === 'uninitialized-read' && isSameObject);
}

/** The findings of the monitor on a test; none if only the explorer can run the program. */
async function replayed(
  test: string,
  options: ExploreSettings,
  control: RunControl,
  keepGoing: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly isOver: boolean }> {
  const { environment, files, stdin, seed, checks, entryPoint } = options;
  const { taint, sinks, taintRules, secret } = options;
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  let timer: NodeJS.Timeout | undefined;
  let isOver = true;
  if (control.signal?.aborted) abort();
  control.signal?.addEventListener('abort', abort);
  try {
    const report = await replay(
      {
        ...programIn(options),
        ...(environment && { environment }),
        files,
        stdin,
        seed,
        keepGoing,
        checks,
        plugins: options.plugins,
        ...(taint && { taint }),
        ...(sinks && { sinks }),
        taintRules,
        ...(secret && { secret }),
        entryPoint,
        test,
        isSilent: true,
      },
      {
        signal: stop.signal,
        onEvent: event => {
          if (event.kind !== 'phase' || event.text !== 'running') return;
          timer ??= setTimeout(() => {
            isOver = false;
            abort();
          }, confirmMs);
        },
      },
    );
    return { findings: report.findings, isOver };
  } catch (error) {
    if (error instanceof InputError) return { findings: [], isOver: true };
    throw error;
  } finally {
    clearTimeout(timer);
    control.signal?.removeEventListener('abort', abort);
  }
}

const nameOf = (input: ProgramInput): string => (typeof input === 'string' ? input : input.name);

function programName({ inputs: [first] }: ExploreSettings): string {
  return nameOf(first ?? 'program').replace(/\.(c|ll)$/, '');
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
      work: isInRounds(options) ? (options.firstWork ?? FIRST_WORK) : undefined,
    },
  };
}

function progressCounts(explorer: Exploration, runMs: number): ProgressCounts {
  const { paths, states, instructions, solverMs, coveredBlocks, knownBlocks } = explorer.progress();
  const finished = paths.completed + paths.error + paths.partial;
  return {
    paths: finished,
    errors: paths.error,
    states,
    coveredBlocks,
    knownBlocks,
    instructions,
    solverMs,
    runMs,
  };
}

/** `before` describes the work of an earlier run. */
function progressText(explorer: Exploration, before: ExploreProgress, ms: number): string {
  const { paths, states, instructions, solverMs, ...blocks } = explorer.progress();
  if (explorer.missing > 0)
    return `resuming: ${pluralInThousands(explorer.missing, 'state')} of ${inThousands(states)} to bring back`;
  const finished = paths.completed + paths.error + paths.partial;
  const speed = (1000 * (instructions - before.instructions)) / Math.max(ms, 1);
  const covered = Math.round((100 * blocks.coveredBlocks) / Math.max(1, blocks.knownBlocks));
  const share = Math.round((100 * (solverMs - before.solverMs)) / Math.max(ms, 1));
  return [
    pluralInThousands(finished, 'path'),
    pluralInThousands(states, 'state'),
    `${paths.error} with errors`,
    `${covered}% of blocks`,
    `${speed < 1e6 ? inThousands(Math.round(speed)) : `${(speed / 1e6).toFixed(1)} M`} instructions/s`,
    `${share}% solver`,
  ].join(', ');
}

/**
 * The reasons for incomplete results: what stopped the exploration, and which values were
 * concretized.
 */
function reasonsOf(
  { stopped, notes }: ExploreOutcome,
  isBack: boolean,
  problem: string | undefined,
): string[] {
  const why = stopped === undefined || isBack ? stopped : `${stopped} before all states were back`;
  const all = [why, problem, ...notes].filter(reason => reason !== undefined);
  return [...new Set(all)];
}

/** The verdict. It says "all" only when every path was explored. */
function summaryOf(
  paths: ExploreOutcome['paths'],
  isComplete: boolean,
  reasons: readonly string[],
  threads: boolean,
): string {
  const done = paths.completed + paths.error;
  const count = pluralInThousands(done, 'path');
  const what = threads ? ' and schedules' : '';
  if (isComplete)
    return done === 1
      ? `the only path${threads ? ' and schedule' : ''} explored`
      : `all ${count}${what} explored`;
  const left = paths.partial > 0 ? [`${inThousands(paths.partial)} left`] : [];
  return [`${count} explored`, ...left, ...reasons].join('; ');
}
