/**
 * What becomes of an exploration: findings, each error once, and the files of its folder.
 *
 *     explorer ── events ──▶ tests, findings, tree of forks, statistics ── close ──▶ what is known ── keep ──▶ files
 *
 * The results of a run that is resumed are there from the start, so all that is written and
 * reported is about the whole exploration.
 */

import type { SnippetProgram } from '../explore/output/c-snippet.js';
import { lcov } from '../explore/output/coverage.js';
import { ForkTree } from '../explore/output/fork-tree.js';
import { type EarlierTimes, Statistics } from '../explore/output/statistics.js';
import { inputsInWords, TestFolder } from '../explore/output/test-folder.js';
import type { ExploreEvents, Explorer, FinishedPath } from '../explore/search/explorer.js';
import { type Ending, findingsOf } from '../explore/state/path-end.js';
import type { Finding } from '../findings/finding.js';
import { errorKey } from '../findings/same-error.js';
import { plural } from '../support/plural.js';
import type { ExploreSettings } from './explore.js';
import {
  type EarlierRun,
  type FrontierFile,
  frontierFile,
  frontierText,
  type Identity,
} from './frontier-file.js';

export class ExploreResults {
  readonly folder: TestFolder | undefined;
  readonly events: ExploreEvents;
  /** What the clock of the run said that is resumed. */
  readonly earlierTimes: EarlierTimes;
  /** Has the program had a path, and none with an input? */
  isPlainRun = false;
  /** What the program wrote on the last path. */
  lastHost: FinishedPath['state']['seenHost'] | undefined;
  readonly #identity: Identity;
  readonly #forks: ForkTree;
  readonly #statistics = new Statistics();
  readonly #findings: Map<string, Finding>;
  #frontier: FrontierFile | undefined;
  #statisticsCsv: string;
  /** Files that are written when all is known, by name. */
  readonly #files = new Map<string, string>();

  constructor(
    options: ExploreSettings,
    program: SnippetProgram,
    identity: Identity,
    earlier: EarlierRun | undefined,
  ) {
    this.folder =
      options.folder === undefined
        ? undefined
        : new TestFolder(options.folder, program, earlier?.frontier.tests);
    this.#identity = identity;
    this.#forks = new ForkTree(earlier?.frontier.forks);
    this.#frontier = earlier?.frontier;
    this.#statisticsCsv = earlier?.statisticsCsv ?? '';
    this.#findings = new Map(
      earlier?.findings.map(finding => [errorKey(finding), withTestIn(finding, options.folder)]),
    );
    this.earlierTimes =
      earlier === undefined
        ? { milliseconds: 0, solverMs: 0 }
        : this.#statistics.goOn(earlier.frontier.statistics, earlier.statisticsCsv, earlier.timingCsv);
    const { maxFail = Number.POSITIVE_INFINITY } = options;
    const mostFindings = this.#findings.size + maxFail;
    this.events = {
      onPath: path => this.#addPath(path),
      ...(this.folder === undefined ? {} : this.#eventsOfFiles(this.folder)),
      onTurn: explorer => {
        if (this.folder !== undefined) this.#addStatistics(explorer);
        if (this.#findings.size >= mostFindings)
          explorer.stop(`the limit of ${plural(maxFail, 'finding')} was reached`);
      },
    };
  }

  /** Those without a test whose test is not there. */
  get findings(): Finding[] {
    return [...this.#findings.values()].map(({ test, ...finding }) =>
      test === undefined || this.folder?.has(test) === false ? finding : { ...finding, test },
    );
  }

  get tests(): number {
    return this.folder?.tests ?? 0;
  }

  #eventsOfFiles(folder: TestFolder): ExploreEvents {
    return {
      onFork: (state, other) =>
        this.#forks.fork(state.id, other.id, state.frame.block.steps[state.frame.pc]!.ir),
      onEnd: (state, ending) => this.#forks.end(state.id, () => endInWords(ending, folder.written)),
    };
  }

  #addStatistics(explorer: Explorer): void {
    if (this.#statistics.isDue(explorer.machine.instructions)) this.#statistics.add(explorer.progress());
  }

  #addPath(path: FinishedPath): void {
    this.isPlainRun = path.state.inputs.length === 0;
    this.lastHost = path.state.seenHost;
    const test = this.folder?.write(path);
    for (const finding of findingsOf(path.ending)) {
      const key = errorKey(finding);
      if (this.#findings.has(key)) continue;
      const when = inputsInWords(path.inputs ?? []);
      const notes = [
        ...(finding.notes ?? []),
        ...(when === undefined ? [] : [{ message: `happens when ${when}` }]),
      ];
      this.#findings.set(key, { ...finding, notes, ...(test === undefined ? {} : { test }) });
    }
  }

  /**
   * Waits for the tests, and collects what is known about the exploration now that it has ended or
   * stopped.
   */
  async close(explorer: Explorer): Promise<void> {
    const { folder } = this;
    if (folder === undefined) return;
    await folder.finishTests();
    this.#frontier = {
      identity: this.#identity,
      exploration: explorer.save(),
      statistics: this.#statistics.save(),
      // What has come to its end does not grow any more.
      forks: explorer.progress().states === 0 ? new ForkTree().save() : this.#forks.save(),
      tests: folder.written,
    };
    this.#statistics.add(explorer.progress());
    this.#statisticsCsv = this.#statistics.counts();
    this.#files.set('statistics.csv', this.#statisticsCsv);
    this.#files.set('timing.csv', this.#statistics.times());
    this.#files.set('forks.dot', this.#forks.asGraphviz());
    this.#files.set('coverage.info', lcov(explorer.machine.program, explorer.machine.covered));
  }

  /**
   * Writes all files but tests, one after the other: what a run leaves that is killed before can be
   * resumed as it was.
   */
  keep(findings: readonly Finding[]): void {
    const { folder } = this;
    if (folder === undefined) return;
    const text = `${JSON.stringify(findings, null, 2)}\n`;
    this.#files.set('findings.json', text);
    if (this.#frontier !== undefined)
      this.#files.set(frontierFile, frontierText(this.#frontier, text, this.#statisticsCsv));
    for (const [name, contents] of this.#files) folder.writeFile(name, contents);
  }
}

/** The folder may have been moved since. */
function withTestIn(finding: Finding, folder: string | undefined): Finding {
  const name = finding.test?.slice(finding.test.lastIndexOf('/') + 1);
  return name === undefined ? finding : { ...finding, test: `${folder}/${name}` };
}

/** For a leaf of the tree of forks. */
function endInWords(ending: Ending, test: number): string {
  const number = String(test).padStart(6, '0');
  switch (ending.kind) {
    case 'exit':
      return `${number}: exit ${ending.status}${ending.leaks.length > 0 ? ', memory-leak' : ''}`;
    case 'finding':
      return `${number}: ${ending.finding.code}`;
    case 'partial':
      return `${number}: ${ending.reason}`;
    case 'unwanted':
      return 'an assumption does not hold';
  }
}
