/**
 * The results of an exploration: its findings, each error once, and the files in its folder.
 *
 *     explorer ── events ──▶ journal, tests, findings, tree of forks, statistics ── close ──▶ what is known ── keep ──▶ files
 *
 * The results of a resumed run are loaded at the start, so that everything that is written and
 * reported covers the whole exploration.
 */

import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { coverageOf } from '../explore/output/coverage.js';
import { ForkTree } from '../explore/output/fork-tree.js';
import {
  endOfTask,
  Journal,
  type NotableEnd,
  type TaskEntries,
  visitNewEnds,
  visitTask,
} from '../explore/output/journal.js';
import { type EarlierTimes, Statistics } from '../explore/output/statistics.js';
import { coversNew, endInWords, inputsInWords } from '../explore/output/test-files.js';
import { folderProblem, TestFolder } from '../explore/output/test-folder.js';
import { endedPath } from '../explore/search/ended-path.js';
import type { ExploreEvents, Explorer, FinishedPath, PathEnding } from '../explore/search/explorer.js';
import { type EndedPath, type ExploredPaths, type PathMemo, placeOf } from '../explore/search/path-memo.js';
import type { SubtreeResult, TaskStates } from '../explore/search/subtree.js';
import { type Ending, findingsOf } from '../explore/state/path-end.js';
import type { State } from '../explore/state/state.js';
import type { ExplorationDetails, PathInWords, PathLines } from '../findings/exploration.js';
import type { Finding } from '../findings/finding.js';
import { type FileCoverage, lcovText } from '../findings/line-coverage.js';
import { errorKey } from '../findings/same-error.js';
import { plural } from '../support/plural.js';
import type { ExploreSettings } from './explore.js';
import {
  type Checkpoint,
  type EarlierRun,
  emptyMemo,
  type Identity,
  type JournalStart,
  memoOf,
  memoOfTail,
  type OtherRun,
} from './explore-journal.js';

/** The part of an exploration that its results use: a single search, or one in rounds. */
export type Exploration = Pick<
  Explorer,
  'machine' | 'progress' | 'outcome' | 'left' | 'chosen' | 'save' | 'missing' | 'dispose'
>;

/** The contents of the folder, or of another one. */
export interface KnownResults {
  readonly earlier?: EarlierRun | undefined;
  readonly other?: OtherRun | undefined;
}

/**
 * The shortest time between two checkpoints; they are also at least this many times as far apart as
 * the last one took.
 */
const checkpointMs = 2000;
const checkpointShare = 30;
/** The shortest time between two reports of the tree of forks. */
const forksMs = 250;
/** The largest part of the work that may have to be repeated after a kill. */
const mostAgain = 1 / 4;

export class ExploreResults {
  readonly folder: TestFolder | undefined;
  readonly events: ExploreEvents;
  readonly memo: PathMemo | undefined;
  /** The times of the run that is resumed. */
  readonly earlierTimes: EarlierTimes;
  /** True if the program had one path without an input. */
  isPlainRun = false;
  /** The output of the program on the last path. */
  lastHost: FinishedPath['state']['seenHost'] | undefined;
  readonly #folderName: string;
  readonly #journal: Journal | undefined;
  readonly #earlier: EarlierRun | undefined;
  readonly #forks: ForkTree;
  readonly #statistics = new Statistics();
  readonly #findings = new Map<string, Finding>();
  /** The paths that the report lists; undefined unless it lists them. */
  readonly #paths: PathInWords[] | undefined;
  readonly #recordsForks: boolean;
  readonly #isQueued: boolean;
  readonly #checkpointMs: number;
  readonly #onForks: ExploreSettings['onForks'];
  #toldForksMs = 0;
  #checkpoints = { last: performance.now(), cost: 0, start: performance.now() };
  /** The number of the last test. */
  #tests: number;
  readonly #maxFail: number;
  readonly #mostFindings: number;
  /** Whether every path is written or listed. */
  readonly #listsPaths: boolean;
  /** The files that are written at the end, by name. */
  readonly #files = new Map<string, string>();

  /** Throws the system's error if the journal cannot be opened. */
  constructor(options: ExploreSettings, program: SnippetProgram, identity: Identity, known: KnownResults) {
    const { earlier, other } = known;
    const { folder } = options;
    this.#folderName = folder ?? '';
    this.#earlier = earlier;
    const checkpoint = earlier?.checkpoint;
    this.#forks = new ForkTree(checkpoint?.forks, earlier?.journal.forks());
    this.#tests = checkpoint?.tests ?? 0;
    this.#paths = options.details === true ? [] : undefined;
    this.#listsPaths = options.details === true || options.tests === 'all';
    this.#recordsForks = folder !== undefined || options.details === true;
    // Paths after the checkpoint are explored again.
    if (this.#paths !== undefined)
      earlier?.journal.visit({
        end: end => {
          if (end.number <= this.#tests) this.#addPath(end);
        },
      });
    this.#isQueued = options.queue !== undefined;
    this.#checkpointMs = options.checkpointMs ?? checkpointMs;
    this.#onForks = options.onForks;
    if (folder !== undefined && options.withoutJournal === true)
      this.folder = new TestFolder(folder, program, options.tests === 'all', undefined);
    else if (folder !== undefined) {
      const start: JournalStart = { identity, program: { ...program, called: [...program.called] } };
      const journal =
        earlier === undefined ? Journal.begin(folder, start) : Journal.goOn(folder, earlier.journal);
      this.#journal = journal;
      const onAnswer = journal.answer.bind(journal);
      if (earlier !== undefined) this.memo = memoOfTail(earlier, onAnswer);
      else this.memo = other === undefined ? emptyMemo(onAnswer) : memoOf(other, options, onAnswer);
      this.folder = new TestFolder(
        folder,
        program,
        options.tests === 'all',
        earlier && this.#lastKnownTest(),
      );
      this.#writeMissing(this.folder);
    } else if (other !== undefined) this.memo = memoOf(other, options, () => {});
    for (const finding of earlier?.findings ?? [])
      this.#findings.set(errorKey(finding), withTestIn(finding, folder));
    if (checkpoint !== undefined) this.#statistics.goOn(checkpoint.statistics);
    this.earlierTimes = checkpoint?.statistics.times ?? { milliseconds: 0, solverMs: 0 };
    this.#maxFail = options.maxFail ?? Number.POSITIVE_INFINITY;
    this.#mostFindings = this.#findings.size + this.#maxFail;
    this.events = {
      onFork: (state, other) => this.#addFork(state, other),
      onEnd: path => this.#addEnd(path),
      onReuse: (state, paths) => this.#addReused(state, paths),
      onTurn: explorer => {
        if (this.folder !== undefined) this.#addStatistics(explorer);
        const enough = this.enoughFindings();
        if (enough !== undefined) explorer.stop(enough);
      },
    };
  }

  /** The findings; the test of a finding is omitted if its file does not exist. */
  get findings(): Finding[] {
    return [...this.#findings.values()].map(({ test, ...finding }) =>
      test === undefined || this.folder?.has(test) === false ? finding : { ...finding, test },
    );
  }

  /** The number of tests that were written. */
  get tests(): number {
    return this.folder === undefined ? 0 : this.#tests - (this.#journal?.lostTests ?? 0);
  }

  /** Why the folder is not complete; undefined if it is. */
  get problem(): string | undefined {
    const failure = this.#journal?.failure ?? this.folder?.failure;
    return failure && folderProblem(this.#folderName, failure);
  }

  /** Writes the tests that a killed run left in the journal without a file. */
  #writeMissing(folder: TestFolder): void {
    const { journal, checkpoint } = this.#earlier ?? {};
    if (journal === undefined || (checkpoint !== undefined && journal.result !== undefined)) return;
    journal.visit({ end: end => void folder.write(end) });
  }

  /** The number of the last test that this run or the resumed one wrote. */
  #lastKnownTest(): number {
    let last = this.#tests;
    this.#earlier?.journal.visit({
      end: ({ number }) => {
        last = Math.max(last, number);
      },
    });
    return last;
  }

  #addFork(state: State, other: State): void {
    const { memo } = this;
    const place = memo && placeOf(state);
    const isKnown = place !== undefined && memo!.isKnownFork(state, place);
    if (place !== undefined && (!isKnown || this.#earlier === undefined))
      this.#journal?.fork(state.from.trail, { at: state.history.trail, place });
    if (this.#recordsForks) this.#forks.fork(state.id, other.id, state.frame.block.steps[state.frame.pc]!.ir);
  }

  #addStatistics(explorer: Explorer): void {
    if (this.#statistics.isDue(explorer.machine.instructions)) this.#statistics.add(explorer.progress());
  }

  /** Adds a row to the statistics when a task has been merged. */
  addRow(explorer: Exploration): void {
    if (this.folder !== undefined) this.#statistics.add(explorer.progress());
  }

  #addEnd(path: PathEnding): void {
    const { state, ending, inputs, news, lines } = path;
    const isWanted = ending.kind !== 'unwanted';
    if (isWanted) {
      this.isPlainRun = state.inputs.length === 0;
      this.lastHost = state.seenHost;
    }
    const before = this.memo?.knownEnd(state, ending);
    const known = this.#earlier === undefined ? undefined : before;
    const hasTest = isWanted && inputs !== undefined;
    const number = hasTest ? known?.number || this.#tests + 1 : 0;
    this.#tests = Math.max(this.#tests, number);
    const isNotable = coversNew(news) || this.#isNewError(ending);
    const end = endedPath(path, number, isNotable);
    if (known === undefined) this.#journal?.end(end, this.#code);
    if (this.#recordsForks) this.#forks.end(state.id, number, () => endInWords(ending));
    if (isWanted) this.#addFindings(end, this.folder?.write(end));
    this.#addPath(end, lines);
  }

  /** Adds a path to the report's list, if it has one. */
  #addPath({ number, inputs, instructions, ending }: EndedPath, lines?: PathLines): void {
    if (number === 0) return;
    const isError = findingsOf(ending).length > 0;
    this.#paths?.push({
      number,
      inputs: inputsInWords(inputs ?? []) ?? '',
      instructions,
      isError,
      ...(lines && { lines }),
    });
  }

  #addReused(state: State, { ends, forks }: ExploredPaths): void {
    for (const { from, ...fork } of forks) this.#journal?.fork(from, fork);
    for (const known of ends) {
      const number = known.number > 0 ? ++this.#tests : 0;
      const isNotable = coversNew(known.news) || this.#isNewError(known.ending);
      const end = { ...known, number, isNotable };
      this.#journal?.end(end, this.#code);
      this.#addFindings(end, this.folder?.write(end));
      this.#addPath(end);
    }
    this.#forks.end(state.id, 0, () => `${plural(ends.length, 'path')} of an earlier run`);
    this.isPlainRun = false;
  }

  /**
   * Merges the results of a task of a round (`search/rounds.ts`). Its journal is written as it is,
   * and only ends that are new to the task are looked at, unless all paths are listed.
   */
  addTask(
    { learned, newEnds, tree, edges, ends: startEnds, tests, known }: SubtreeResult,
    states: TaskStates,
    newsOf: (end: EndedPath) => readonly number[],
  ): void {
    const testsBefore = this.#tests;
    this.#tests += tests;
    const errors = new Set(this.#findings.keys());
    const notable: NotableEnd[] = [];
    const ends: EndedPath[] = [];
    visitNewEnds(newEnds, (end, { at }) => {
      const news = newsOf(end);
      const isNewError = findingsOf(end.ending).some(finding => !errors.has(errorKey(finding)));
      for (const finding of findingsOf(end.ending)) errors.add(errorKey(finding));
      const isNotable = coversNew(news.map(index => end.news[index]!)) || isNewError;
      notable.push({ at, isNotable, news });
      ends.push(endOfTask(end, { isNotable, news }, testsBefore));
    });
    const entries: TaskEntries = { entries: learned, testsBefore, notable };
    this.#journal?.task(entries, { tests, functions: known.functions }, this.#code);
    if (this.#recordsForks) this.#forks.addTask({ parts: tree, edges, ends: startEnds }, states, testsBefore);
    const add = (end: EndedPath): void => {
      this.#addFindings(end, this.folder?.write(end));
      this.#addPath(end);
    };
    if (this.#listsPaths) visitTask(entries, { end: add });
    else for (const end of ends) add(end);
    this.isPlainRun = false;
  }

  get findingsAreLimited(): boolean {
    return this.#mostFindings < Number.POSITIVE_INFINITY;
  }

  /** The number of paths of a task after which there are enough findings. */
  pathsUntilEnough({ newEnds }: SubtreeResult): number | undefined {
    if (!this.findingsAreLimited) return undefined;
    const keys = new Set(this.#findings.keys());
    let needed: number | undefined;
    visitNewEnds(newEnds, ({ ending }, { paths }) => {
      for (const finding of findingsOf(ending)) keys.add(errorKey(finding));
      if (keys.size >= this.#mostFindings) needed ??= paths;
    });
    return needed;
  }

  /** Why there are enough findings; undefined if there are not. */
  enoughFindings(): string | undefined {
    return this.#findings.size < this.#mostFindings
      ? undefined
      : `the limit of ${plural(this.#maxFail, 'finding')} was reached`;
  }

  #isNewError(ending: Ending): boolean {
    return findingsOf(ending).some(finding => !this.#findings.has(errorKey(finding)));
  }

  #addFindings({ ending, inputs }: EndedPath, test: string | undefined): void {
    for (const finding of findingsOf(ending)) {
      const key = errorKey(finding);
      if (this.#findings.has(key)) continue;
      const when = inputsInWords(inputs ?? []);
      const notes = [
        ...(finding.notes ?? []),
        ...(when === undefined ? [] : [{ message: `happens when ${when}` }]),
      ];
      this.#findings.set(key, { ...finding, notes, ...(test === undefined ? {} : { test }) });
    }
  }

  /** Hashes of the program's functions, available once it is explored. */
  #code: Parameters<Journal['end']>[1] = () => undefined;

  /** Called when the exploration begins. */
  start({ machine }: Exploration): void {
    this.#code = name => machine.program.prints?.get(name);
    this.#checkpoints = { last: performance.now(), cost: 0, start: performance.now() };
  }

  #tellForks(now: number): void {
    if (this.#onForks === undefined) return;
    this.#onForks(this.#forks.nodes());
    this.#toldForksMs = now;
  }

  /**
   * Writes what was learned since the last call, and from time to time a checkpoint: true if it
   * wrote one.
   */
  save(explorer: Exploration): boolean {
    if (performance.now() - this.#toldForksMs > forksMs) this.#tellForks(performance.now());
    if (this.#journal === undefined || this.problem !== undefined) return false;
    this.#journal.flush();
    const { last, cost, start } = this.#checkpoints;
    const now = performance.now();
    // A queue has done much more work than this process could repeat.
    const again = this.#isQueued ? 0 : mostAgain;
    const due = Math.max(this.#checkpointMs, checkpointShare * cost, (now - start) * again);
    if (now - last < due || explorer.missing > 0) return false;
    this.#writeCheckpoint(explorer);
    this.#checkpoints = { last: performance.now(), cost: performance.now() - now, start };
    return true;
  }

  #writeCheckpoint(explorer: Exploration): void {
    const checkpoint: Checkpoint = {
      exploration: explorer.save(),
      statistics: this.#statistics.save(explorer.progress().solverMs),
      forks: this.#forks.save(),
      tests: this.#tests,
      findings: [...this.#findings.values()],
    };
    this.#journal?.checkpoint(checkpoint, this.#forks.takeNew());
  }

  /**
   * Waits for the tests and collects the final results after the exploration has ended or stopped.
   */
  async close(explorer: Exploration): Promise<void> {
    const { folder } = this;
    if (folder === undefined) return;
    await folder.finishTests();
    this.#writeCheckpoint(explorer);
    this.#statistics.add(explorer.progress());
    this.#files.set('statistics.csv', this.#statistics.counts());
    this.#files.set('timing.csv', this.#statistics.times());
    this.#tellForks(performance.now());
    this.#forks.close();
    this.#files.set('forks.dot', this.#forks.asGraphviz());
    this.#files.set('coverage.info', lcovText(coverageIn(explorer)));
  }

  /** The details path by path; undefined unless requested. Requires `close`. */
  details(explorer: Exploration): ExplorationDetails | undefined {
    if (this.#paths === undefined) return undefined;
    this.#forks.close();
    return {
      forks: this.#forks.columns(),
      paths: [...this.#paths].sort((a, b) => a.number - b.number),
      coverage: coverageIn(explorer),
    };
  }

  /** Writes all files except the tests. */
  keep(findings: readonly Finding[]): void {
    const { folder } = this;
    if (folder === undefined) return;
    this.#journal?.result({ findings });
    this.#files.set('findings.json', `${JSON.stringify(findings, null, 2)}\n`);
    for (const [name, contents] of this.#files) folder.writeFile(name, contents);
  }

  /** Must be called last: nothing is written after it. */
  dispose(): void {
    this.#journal?.close();
  }
}

/** Updates the test's path, because the folder may have been moved. */
function withTestIn(finding: Finding, folder: string | undefined): Finding {
  const name = finding.test?.slice(finding.test.lastIndexOf('/') + 1);
  return name === undefined ? finding : { ...finding, test: `${folder}/${name}` };
}

function coverageIn({ machine }: Exploration): FileCoverage[] {
  return coverageOf(machine.program, machine.covered);
}
