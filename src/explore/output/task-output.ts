/**
 * What a task of a search in rounds finds out, in the form in which it is merged: its part of the
 * journal and of the tree of forks, which the exploration only has to renumber, and the few ends
 * that it has to look at.
 *
 *     paths of a task   ──▶ learned   entries of the journal, with tests numbered from 1
 *                       ──▶ tree      nodes of the tree of forks, with states numbered from 0
 *                       ──▶ newEnds   the first end with each error, and those with new blocks
 *
 * An end that is not in `newEnds` has neither an error nor a block that is new to the exploration,
 * because its task already had them. So merging takes a microsecond for a path, most of it copying.
 */
import { errorKey } from '../../findings/same-error.js';
import { endedPath } from '../search/ended-path.js';
import type { Explorer, PathEnding } from '../search/explorer.js';
import { type EndedPath, placeOf } from '../search/path-memo.js';
import type { NewEnd, StartEnd, SubtreeMark, SubtreeProgress, SubtreeResult } from '../search/subtree.js';
import { findingsOf } from '../state/path-end.js';
import type { State } from '../state/state.js';
import { ForkTree } from './fork-tree.js';
import { Journal } from './journal.js';
import { endInWords } from './test-files.js';

export type TaskProgress = Pick<SubtreeProgress, 'live' | 'edges' | 'ends' | 'forks' | 'tests'>;

export class TaskOutput {
  readonly #starts: number;
  readonly #learned: Uint8Array[] = [];
  readonly #journal = Journal.inMemory(entries => this.#learned.push(entries));
  readonly #tree: Uint8Array[] = [];
  readonly #forks: ForkTree;
  readonly #newEnds = new NewEnds();
  readonly #ends: StartEnd[] = [];
  #forked = 0;
  #tests = 0;

  /** The task starts with this many states. */
  constructor(states: number) {
    this.#starts = states;
    this.#forks = ForkTree.ofTask(states);
  }

  addFork(state: State, other: State): void {
    this.#forked++;
    this.#journal.fork(state.from.trail, { at: state.history.trail, place: placeOf(state) });
    this.#forks.fork(state.id, other.id, state.frame.block.steps[state.frame.pc]!.ir);
  }

  /** `paths` is the number of paths so far, including this one. */
  addEnd(path: PathEnding, paths: number): void {
    const { state, ending, inputs } = path;
    const hasTest = ending.kind !== 'unwanted' && inputs !== undefined;
    const end = endedPath(path, hasTest ? ++this.#tests : 0, false);
    this.#journal.end(end, () => undefined);
    this.#newEnds.add(end, paths);
    this.#forks.end(state.id, end.number, () => endInWords(ending));
    if (state.id < this.#starts) this.#ends.push([state.id, end.number, endInWords(ending)]);
  }

  /** The progress at this point, up to which the lists then reach. */
  progress(explorer: Explorer): TaskProgress {
    this.#journal.flush();
    this.#tree.push(this.#forks.takeNew().slice());
    const live = explorer.live();
    const edges = this.#forks.edgesOf(live.map(({ id }) => id));
    return { live, edges, ends: [...this.#ends], forks: this.#forked, tests: this.#tests };
  }

  get lengths(): SubtreeMark['lengths'] {
    return { learned: this.#learned.length, newEnds: this.#newEnds.found.length, tree: this.#tree.length };
  }

  get all(): Pick<SubtreeResult, 'learned' | 'newEnds' | 'tree'> {
    return { learned: this.#learned, newEnds: this.#newEnds.found, tree: this.#tree };
  }
}

class NewEnds {
  readonly found: NewEnd[] = [];
  readonly #errors = new Set<string>();
  readonly #journal = Journal.inMemory(entry =>
    this.found.push({ at: this.#ends - 1, paths: this.#paths, entry }),
  );
  #ends = 0;
  #paths = 0;

  add(end: EndedPath, paths: number): void {
    this.#ends++;
    this.#paths = paths;
    const errors = findingsOf(end.ending).map(errorKey);
    if (end.news.length === 0 && errors.every(error => this.#errors.has(error))) return;
    for (const error of errors) this.#errors.add(error);
    this.#journal.end(end, () => undefined);
    this.#journal.flush();
  }
}
