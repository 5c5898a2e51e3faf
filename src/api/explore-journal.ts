/**
 * Reads the folder of an exploration, and decides which of its contents can be used.
 *
 *     --resume              the same exploration: it continues at its last checkpoint; later work is
 *                           repeated with the solver's answers from the journal
 *     --replay-tree DIR     another exploration of the same or a similar program
 *     neither               an earlier exploration in this folder, before the program was edited
 *
 * The journal records what it depends on (`Identity`), part by part, so that a refusal can name the
 * parts that have changed, and everything that is still valid is used.
 */

import type { SnippetProgram } from '../explore/output/c-snippet.js';
import type { SavedForks } from '../explore/output/fork-tree.js';
import { EarlierJournal, journalFile, whyUnreadable } from '../explore/output/journal.js';
import { requireWritable } from '../explore/output/require-writable.js';
import type { SavedStatistics } from '../explore/output/statistics.js';
import type { SavedExploration } from '../explore/search/explorer.js';
import { type MemoUse, PathMemo } from '../explore/search/path-memo.js';
import { type InputError, inputError } from '../findings/diagnostic.js';
import type { Finding } from '../findings/finding.js';
import { contentHash, filesBelow, reasonOf } from '../platform/files.js';
import { type FolderLock, lockFile, lockFolder } from '../platform/folder-lock.js';
import { ownVersion } from '../platform/own-version.js';
import type { ExploreSettings } from './explore.js';
import { isInRounds } from './rounds-options.js';

/** The first record of a journal. */
export interface JournalStart {
  readonly identity: Identity;
  readonly program: SavedProgram;
}

/** The properties of the program that tests need. */
export type SavedProgram = Omit<SnippetProgram, 'called'> & { readonly called: readonly string[] };

export interface Checkpoint {
  readonly exploration: SavedExploration;
  readonly statistics: SavedStatistics;
  readonly forks: SavedForks;
  readonly tests: number;
  readonly findings: readonly Finding[];
}

/** The part without which nothing of a journal can be used. */
const VERSION = 'the version of Redzone';

/** Maps the names of the parts, as messages show them, to their values. Long parts are hashes. */
export type Identity = Readonly<Record<string, string>>;

/** Everything that an exploration depends on except limits of time, work and memory. */
export function identityOf(
  options: ExploreSettings,
  args: readonly string[],
  irTexts: readonly string[],
  /** Their addresses contain a hash of the content. */
  plugins: readonly string[] = [],
): Identity {
  const text = (value: unknown): string => {
    if (value === undefined) return 'default';
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const hash = (parts: readonly (string | Uint8Array)[]): string =>
    parts.length === 0 ? 'none' : contentHash(parts);
  return {
    [VERSION]: ownVersion(),
    'the program': contentHash(irTexts),
    'the command line': text(args),
    '--sym-args': text(options.symArgs),
    '--sym-stdin': text(options.symStdin),
    '--sym-files': text(options.symFiles),
    '--checks': text(options.checks),
    '--entry-point': text(options.entryPoint),
    '--search': text(options.search),
    '--seed': text(options.seed),
    '--threads': text(options.threads),
    '--allocator': text(options.allocator),
    '--quarantine': text(options.quarantine),
    '--detect-loops': text(options.watchesLoops && (options.detectLoops ? 'often' : 'briefly')),
    '--external': text(options.external),
    '--max-depth': text(options.maxDepth),
    '--workers': isInRounds(options) ? 'given' : 'not given',
    '--plugin': text(plugins),
    '--taint': text(options.taint),
    '--sinks': text(options.sinks),
    '--taint-rules': hash(options.taintRules === '' ? [] : [options.taintRules]),
    '--secret': text(options.secret),
    'standard input': hash(options.stdin === undefined ? [] : [options.stdin]),
    'a file of the program': hash(Object.entries(options.files ?? {}).flat()),
    'the environment': text(options.environment),
  };
}

/** Returns the lock of the folder, or a description of what is wrong with it. */
export function ownFolder(folder: string): FolderLock {
  requireWritable(folder);
  let result: ReturnType<typeof lockFolder>;
  try {
    result = lockFolder(folder);
  } catch (error) {
    throw cannotWrite(folder, error as Error);
  }
  if (result.kind === 'locked') return result.lock;
  const { pid, machine } = result;
  throw machine === undefined
    ? inputError(`'${folder}' is in use by process ${pid}`, `wait until it has ended; ${elsewhere}`)
    : inputError(
        `'${folder}' is in use by process ${pid} on ${machine}`,
        `if that process has ended, remove '${folder}/${lockFile}'; ${elsewhere}`,
      );
}

const elsewhere = '`-o DIR` names another folder';

export function cannotWrite(folder: string, error: Error): InputError {
  const message = `cannot write to '${folder}': ${reasonOf(error)}`;
  return inputError(message, elsewhere);
}

/** A run that is resumed. */
export interface EarlierRun {
  readonly journal: EarlierJournal;
  /**
   * Undefined if the run was killed before its first checkpoint; it is then repeated from the
   * start.
   */
  readonly checkpoint: Checkpoint | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Reads the state of an earlier run. Throws InputError if the folder was not written by a run of
 * this identity.
 */
export function readEarlierRun(folder: string, identity: Identity): EarlierRun {
  const journal = EarlierJournal.read(folder);
  if (journal === undefined) throw cannotResume(folder, whyMissing(folder));
  const start = journal.start as JournalStart;
  const changed = differing(identity, start.identity);
  if (changed.length > 0)
    throw cannotResume(
      folder,
      changed.map(part => change(part, start.identity[part], identity[part])).join('; '),
      changed.includes(VERSION) || identity['--workers'] === 'given'
        ? undefined
        : `\`--replay-tree ${folder} -o OTHER\` reuses what it has learned`,
    );
  const checkpoint = journal.checkpoint as Checkpoint | undefined;
  const findings = (journal.result as { findings: Finding[] } | undefined)?.findings;
  return { journal, checkpoint, findings: findings ?? checkpoint?.findings ?? [] };
}

function whyMissing(folder: string): string {
  const files = filesBelow(folder);
  // This is our own lock.
  if (files.every(file => file === lockFile)) return 'there is no such folder, or it is empty';
  if (files.includes(journalFile)) return whyUnreadable(folder);
  return `it has no '${journalFile}': nothing was explored there`;
}

function differing(now: Identity, before: Identity): string[] {
  return Object.keys(now).filter(part => now[part] !== before[part]);
}

function change(part: string, before = 'unknown', now = 'unknown'): string {
  const isHash = /^[0-9a-f]{64}$/.test(before) || /^[0-9a-f]{64}$/.test(now);
  return isHash ? `${part} has changed` : `${part} was ${before} and is ${now} now`;
}

export function cannotResume(folder: string, why: string, instead?: string): InputError {
  const anew = 'without `--resume` the exploration starts over';
  return inputError(
    `the exploration in '${folder}' cannot be resumed: ${why}`,
    instead === undefined ? anew : `${instead}; ${anew}`,
  );
}

type OnAnswer = NonNullable<MemoUse['onAnswer']>;

/** A memo that remembers nothing. */
export function emptyMemo(onAnswer: OnAnswer): PathMemo {
  return new PathMemo({ ...NEW_RUN, onAnswer });
}

const NEW_RUN = {
  isSameRun: false,
  reusesAnswers: false,
  followsSteps: false,
  skips: false,
  isSameProgram: false,
};

/** What a run has learned after its last checkpoint. */
export function memoOfTail({ journal }: EarlierRun, onAnswer: OnAnswer): PathMemo {
  const memo = new PathMemo({
    isSameRun: true,
    reusesAnswers: true,
    followsSteps: true,
    skips: false,
    isSameProgram: true,
    onAnswer,
  });
  return fill(memo, journal, true);
}

/** An exploration that another one learns from. */
export interface OtherRun {
  readonly folder: string;
  readonly journal: EarlierJournal;
  /** The parts of the identity that have changed. */
  readonly changed: readonly string[];
}

/** Parts that do not change the behaviour of a path. */
const aboutOrder: ReadonlySet<string> = new Set(['--search', '--max-depth', '--workers']);
/** Parts that may change the course of a path but not the checks on it. */
const aboutCourse: ReadonlySet<string> = new Set([
  ...aboutOrder,
  'the program',
  '--seed',
  '--allocator',
  '--quarantine',
  'standard input',
  'a file of the program',
  'the environment',
]);

/** The exploration that `--replay-tree` names. Throws InputError if there is none. */
export function runToReplay(folder: string, identity: Identity): OtherRun {
  const journal = EarlierJournal.read(folder);
  const refuse = (why: string): InputError =>
    inputError(`cannot replay the exploration in '${folder}': ${why}`);
  if (journal === undefined) throw refuse(whyMissing(folder));
  const changed = differing(identity, (journal.start as JournalStart).identity);
  if (changed.includes(VERSION)) throw refuse('another version of Redzone has written it');
  return { folder, journal, changed };
}

/** The exploration in the folder, if it differs from this one only by edits of the program. */
export function runBeforeEdit(folder: string, identity: Identity): OtherRun | undefined {
  const journal = EarlierJournal.read(folder);
  const changed = journal && differing(identity, (journal.start as JournalStart).identity);
  return journal && changed?.join() === 'the program' ? { folder, journal, changed } : undefined;
}

export function memoOf(
  { journal, changed }: OtherRun,
  { reuse, allocator, external }: ExploreSettings,
  onAnswer: OnAnswer,
): PathMemo {
  const isSameProgram = !changed.includes('the program');
  const followsSteps = changed.every(part => aboutCourse.has(part));
  // With other allocators and external functions, a path cannot predict its addresses and results.
  const isDeterministic = allocator === 'kdalloc' && external.length === 0;
  const isSameCourse = changed.every(part => part === 'the program' || aboutOrder.has(part));
  const skips = reuse === 'paths' && isDeterministic && isSameCourse;
  const reusesAnswers = reuse !== 'nothing';
  const use = { isSameRun: false, reusesAnswers, followsSteps, skips, isSameProgram, onAnswer };
  return fill(new PathMemo(use), journal, false);
}

function fill(memo: PathMemo, journal: EarlierJournal, isTail: boolean): PathMemo {
  journal.visit(
    {
      answer: (query, answer) => memo.addAnswer(query, answer),
      fork: (from, fork) => memo.addFork(from, fork),
      end: end => memo.addEnd(end),
      function: (name, code) => memo.addFunction(name, code),
    },
    isTail,
  );
  return memo;
}
