/**
 * What becomes of an exploration: findings, each error once, and what is written to its folder.
 *
 *     explorer ── events ──▶ journal, tests, findings, tree of forks, statistics ── close ──▶ what is known ── keep ──▶ files
 *
 * The results of a run that is resumed are there from the start, so all that is written and
 * reported is about the whole exploration.
 */

import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { coverageOf } from '../explore/output/coverage.js';
import { ForkTree } from '../explore/output/fork-tree.js';
import { Journal, visitLearned } from '../explore/output/journal.js';
import { type EarlierTimes, Statistics } from '../explore/output/statistics.js';
import { coversNew, endInWords, inputsInWords } from '../explore/output/test-files.js';
import { folderProblem, TestFolder } from '../explore/output/test-folder.js';
import { endedPath } from '../explore/search/ended-path.js';
import type { ExploreEvents, Explorer, FinishedPath, PathEnding } from '../explore/search/explorer.js';
import {
  type EndedPath,
  type ExploredPaths,
  type PathMemo,
  PrintMap,
  placeOf,
} from '../explore/search/path-memo.js';
import type { LiveState, SubtreeResult } from '../explore/search/subtree.js';
import { sidesOf } from '../explore/state/history.js';
import { type Ending, findingsOf } from '../explore/state/path-end.js';
import type { State } from '../explore/state/state.js';
import type { Print } from '../expr/term-print.js';
import type { ExplorationDetails, PathInWords } from '../findings/exploration.js';
import type { Finding } from '../findings/finding.js';
import { type FileCoverage, lcovText } from '../findings/line-coverage.js';
import { errorKey } from '../findings/same-error.js';
import { assert } from '../support/assert.js';
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

/** What results ask of an exploration: a single search, or one in rounds. */
export type Exploration = Pick<
  Explorer,
  'machine' | 'progress' | 'outcome' | 'left' | 'chosen' | 'save' | 'missing' | 'dispose'
>;

/** What is found in the folder, or in another one. */
export interface Known {
  readonly earlier?: EarlierRun | undefined;
  readonly other?: OtherRun | undefined;
}

/** A checkpoint waits this long at least, and so many times as long as the last one took. */
const checkpointMs = 2000;
const checkpointShare = 30;
/** The tree of forks is told no more often. */
const forksMs = 250;
/** What has to be run again after a kill is at most this part of what was run. */
const mostAgain = 1 / 4;

export class ExploreResults {
  readonly folder: TestFolder | undefined;
  readonly events: ExploreEvents;
  readonly memo: PathMemo | undefined;
  /** What the clock of the run said that is resumed. */
  readonly earlierTimes: EarlierTimes;
  /** Has the program had a path, and none with an input? */
  isPlainRun = false;
  /** What the program wrote on the last path. */
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
  /** While the search goes in rounds: live states by the trail where they last forked. */
  readonly #openStates = new PrintMap<number>();
  #nextState = 0;
  /** Files that are written when all is known, by name. */
  readonly #files = new Map<string, string>();

  /** Throws what the system says if the journal cannot be opened. */
  constructor(options: ExploreSettings, program: SnippetProgram, identity: Identity, known: Known) {
    const { earlier, other } = known;
    const { folder } = options;
    this.#folderName = folder ?? '';
    this.#earlier = earlier;
    const checkpoint = earlier?.checkpoint;
    this.#forks = new ForkTree(checkpoint?.forks, earlier?.journal.forks());
    this.#tests = checkpoint?.tests ?? 0;
    this.#paths = options.details === true ? [] : undefined;
    this.#recordsForks = folder !== undefined || options.details === true;
    // What lies behind the checkpoint is run again.
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

  /** Those without a test whose test is not there. */
  get findings(): Finding[] {
    return [...this.#findings.values()].map(({ test, ...finding }) =>
      test === undefined || this.folder?.has(test) === false ? finding : { ...finding, test },
    );
  }

  /** How many tests were kept. */
  get tests(): number {
    return this.folder === undefined ? 0 : this.#tests - (this.#journal?.lostTests ?? 0);
  }

  /** Why the folder is not complete; undefined if it is. */
  get problem(): string | undefined {
    const failure = this.#journal?.failure ?? this.folder?.failure;
    return failure && folderProblem(this.#folderName, failure);
  }

  /** Tests of a run that was killed may be in the journal and not be files. */
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

  /** A task was taken in. */
  addRow(explorer: Exploration): void {
    if (this.folder !== undefined) this.#statistics.add(explorer.progress());
  }

  #addEnd({ state, ending, inputs, news }: PathEnding): void {
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
    const end = endedPath({ state, ending, inputs, news }, number, isNotable);
    if (known === undefined) this.#journal?.end(end, this.#code);
    if (this.#recordsForks) this.#forks.end(state.id, number, () => endInWords(ending));
    if (isWanted) this.#addFindings(end, this.folder?.write(end));
    this.#addPath(end);
  }

  /** One more path that the report lists, if it lists them. */
  #addPath({ number, inputs, instructions, ending }: EndedPath): void {
    if (number === 0) return;
    const isError = findingsOf(ending).length > 0;
    this.#paths?.push({ number, inputs: inputsInWords(inputs ?? []) ?? '', instructions, isError });
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
   * Takes in what a task of a round has found (`search/rounds.ts`). States are known by the trail
   * where they last forked.
   */
  addTask(result: SubtreeResult, withNews: (end: EndedPath) => EndedPath): (from: Print) => number {
    const labels = new PrintMap<string>();
    for (const [print1, print2, label] of result.labels) labels.set({ print1, print2 }, label);
    const open = this.#openStates;
    const idOf = (from: Print): number => {
      const id = open.get(from);
      assert(id !== undefined, 'a task goes on with states of this exploration');
      return id;
    };
    visitLearned(result.learned, {
      fork: (from, fork) => {
        this.#journal?.fork(from, fork);
        const id = idOf(from);
        open.delete(from);
        const [whenTrue, whenFalse] = sidesOf(fork.at);
        const other = this.#nextState++;
        open.set(whenTrue, id);
        open.set(whenFalse, other);
        if (this.#recordsForks) this.#forks.fork(id, other, labels.get(fork.place) ?? '?');
      },
      end: found => {
        const known = withNews(found);
        const number = known.number > 0 ? ++this.#tests : 0;
        const isNotable = coversNew(known.news) || this.#isNewError(known.ending);
        const end = { ...known, number, isNotable };
        this.#journal?.end(end, this.#code);
        const isWanted = end.ending.kind !== 'unwanted';
        if (this.#recordsForks) this.#forks.end(idOf(end.from), number, () => endInWords(end.ending));
        open.delete(end.from);
        if (isWanted) this.#addFindings(end, this.folder?.write(end));
        this.#addPath(end);
      },
    });
    this.isPlainRun = false;
    return idOf;
  }

  /** The states with which rounds begin. */
  openStates(states: readonly LiveState[], nextState: number): void {
    for (const { from, id } of states) this.#openStates.set(from, id);
    this.#nextState = nextState;
  }

  /** The number that the next state gets. */
  get nextState(): number {
    return this.#nextState;
  }

  /** After how many paths of a task there are enough findings. */
  pathsUntilEnough({ learned }: SubtreeResult): number | undefined {
    if (this.#mostFindings === Number.POSITIVE_INFINITY) return undefined;
    const keys = new Set(this.#findings.keys());
    let paths = 0;
    let needed: number | undefined;
    visitLearned(learned, {
      end: ({ ending }) => {
        if (ending.kind !== 'unwanted') paths++;
        for (const finding of findingsOf(ending)) keys.add(errorKey(finding));
        if (keys.size >= this.#mostFindings) needed ??= paths;
      },
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

  /** What functions of the program do; known when it is explored. */
  #code: Parameters<Journal['end']>[1] = () => undefined;

  /** The exploration begins. */
  start({ machine }: Exploration): void {
    this.#code = name => machine.program.prints?.get(name);
    this.#checkpoints = { last: performance.now(), cost: 0, start: performance.now() };
  }

  #tellForks(now: number): void {
    if (this.#onForks === undefined) return;
    this.#onForks(this.#forks.nodes());
    this.#toldForksMs = now;
  }

  /** Writes what was learned lately, and now and then a checkpoint: true if it was written. */
  save(explorer: Exploration): boolean {
    if (performance.now() - this.#toldForksMs > forksMs) this.#tellForks(performance.now());
    if (this.#journal === undefined || this.problem !== undefined) return false;
    this.#journal.flush();
    const { last, cost, start } = this.#checkpoints;
    const now = performance.now();
    // What a queue has done is much more than this process could do again.
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
   * Waits for the tests, and collects what is known about the exploration now that it has ended or
   * stopped.
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

  /** What was done, path by path; undefined unless that was asked for. Requires `close`. */
  details(explorer: Exploration): ExplorationDetails | undefined {
    if (this.#paths === undefined) return undefined;
    this.#forks.close();
    return {
      forks: this.#forks.columns(),
      paths: [...this.#paths].sort((a, b) => a.number - b.number),
      coverage: coverageIn(explorer),
    };
  }

  /** Writes all files but tests. */
  keep(findings: readonly Finding[]): void {
    const { folder } = this;
    if (folder === undefined) return;
    this.#journal?.result({ findings });
    this.#files.set('findings.json', `${JSON.stringify(findings, null, 2)}\n`);
    for (const [name, contents] of this.#files) folder.writeFile(name, contents);
  }

  /** Nothing more will be written. */
  dispose(): void {
    this.#journal?.close();
  }
}

/** The folder may have been moved since. */
function withTestIn(finding: Finding, folder: string | undefined): Finding {
  const name = finding.test?.slice(finding.test.lastIndexOf('/') + 1);
  return name === undefined ? finding : { ...finding, test: `${folder}/${name}` };
}

function coverageIn({ machine }: Exploration): FileCoverage[] {
  return coverageOf(machine.program, machine.covered);
}
