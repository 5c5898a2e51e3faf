/** The report of `explore`, its progress, and the notes on the way. */
import { journalFile } from '../explore/output/journal.js';
import type { ExploreOutcome, ExploreProgress } from '../explore/search/explorer.js';
import type { Finding } from '../findings/finding.js';
import { type ExploreReport, verdictOf } from '../findings/report.js';
import { mostResidentBytes } from '../platform/process-memory.js';
import { inThousands, pluralInThousands } from '../support/plural.js';
import type { ExploreSettings } from './explore.js';
import type { EarlierRun } from './explore-journal.js';
import type { Exploration, ExploreResults } from './explore-results.js';
import type { ProgressCounts, RunControl, RunEvent } from './run-control.js';
import { INTERRUPTED } from './supervise.js';

/** What a report says of an exploration besides its findings. */
interface Explored extends Pick<ExploreReport['stats'], 'wallMs' | 'compileMs' | 'runMs'> {
  readonly outcome: ExploreOutcome;
  readonly left: NonNullable<ExploreReport['left']>;
  readonly chosen: NonNullable<ExploreReport['chosen']>;
  readonly reused: ExploreReport['reused'] | undefined;
  readonly details: ExploreReport['details'] | undefined;
  /** Whether all states of a resumed run were restored. */
  readonly isBack: boolean;
}

export function exploreReport(
  options: ExploreSettings,
  results: ExploreResults,
  explored: Explored,
  findings: readonly Finding[],
): ExploreReport {
  const { outcome, left, chosen, isBack, reused, details } = explored;
  const { folder, isPlainRun, problem, tests } = results;
  const reasons = reasonsOf(outcome, isBack, problem);
  const isComplete = reasons.length === 0 && outcome.paths.partial === 0;
  const verdict = verdictOf(findings, isComplete);
  const { stopped } = outcome;
  return {
    schema: 1,
    command: 'explore',
    verdict,
    summary: summaryOf(outcome.paths, isComplete, reasons, options.threads),
    ...(stopped !== undefined && folder !== undefined && { next: nextAfter(stopped, isBack, problem) }),
    ...(verdict === 'clean' && isPlainRun && !options.threads && { next: nothingSymbolic }),
    findings,
    ...(left.length > 0 && { left }),
    ...(chosen.length > 0 && { chosen }),
    ...(reused !== undefined && { reused }),
    ...(details !== undefined && { details }),
    stats: {
      wallMs: explored.wallMs,
      compileMs: explored.compileMs,
      runMs: explored.runMs,
      instructions: outcome.instructions,
      paths: outcome.paths,
      queries: outcome.queries,
      solverMs: outcome.solverMs,
      allocations: outcome.allocations,
      externalCalls: outcome.externalCalls,
      maxRssBytes: mostResidentBytes(),
      tests,
    },
  };
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

export function progressCounts(explorer: Exploration, runMs: number): ProgressCounts {
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
export function progressText(explorer: Exploration, before: ExploreProgress, ms: number): string {
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

/** Names the options and the functions of `klee.h` that do nothing here. */
export function tellWithoutEffect(
  { clangFlags = [] }: ExploreSettings,
  called: ReadonlySet<string>,
  { onEvent }: RunControl,
): void {
  if (clangFlags.some(flag => flag.startsWith('-O'))) onEvent?.(notOptimised);
  for (const [name, why] of Object.entries(withoutEffect))
    if (called.has(name)) onEvent?.(noEffect(name, why));
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

/** Describes what the resumed run has already done. */
export function resumedNote(folder: string, { checkpoint, findings }: EarlierRun): RunEvent {
  const states = checkpoint?.exploration.states.ids.length;
  const paths = pluralInThousands(checkpoint?.exploration.finished ?? 0, 'path');
  const message =
    states === 0
      ? `nothing is left to resume in '${folder}': ${paths}, to the last one`
      : `resuming '${folder}': ${paths} and ${pluralInThousands(findings.length, 'finding')} so far, ${pluralInThousands(states ?? 1, 'state')} to continue with`;
  return { kind: 'warning', diagnostic: { severity: 'note', message } };
}

export function damagedNote(folder: string, offset: number): RunEvent {
  const message = `'${folder}/${journalFile}' is damaged at offset ${offset}: the part after it is explored again`;
  return { kind: 'warning', diagnostic: { severity: 'warning', message } };
}
