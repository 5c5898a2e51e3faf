/**
 * The search: rounds of tasks that workers execute in parallel, whose results are merged in the
 * order of the tasks.
 *
 * ```
 *   round     choose entries ──▶ tasks ──▶ workers ──▶ candidates, errors ──▶ corpus, findings
 *                  ▲                                                            │
 *                  └────────────────────── news for all workers ◀───────────────┘
 * ```
 *
 * All tasks of a round begin with the same corpus, and a round has the same tasks however many
 * workers there are. So with the same seed and the same number of runs the same inputs are made,
 * and the same errors found, by one worker or by ten. Rounds are short at first, when each new
 * input leads to others, and become longer.
 *
 * **Invariant:** the clock is used only to stop and to report progress.
 */
import type { Finding } from '../findings/finding.js';
import { errorKey } from '../findings/same-error.js';
import { Random } from '../support/random.js';
import { Corpus, type CorpusChange, type CorpusEntry } from './corpus.js';
import type { Box, Candidate, Measured, Minimized, News, SearchForce, Task } from './protocol.js';
import { isCrash } from './searcher.js';
import type { FuzzWorker } from './thread-search.js';

export type Mode = 'black' | 'grey' | 'white' | 'auto';

export interface CampaignOptions {
  readonly mode: Mode;
  readonly seed: number;
  readonly maxRuns: number;
  /** Called between rounds. */
  readonly isOver: () => boolean;
  readonly words: readonly Uint8Array[];
}

/** An error, and an input that triggers it. */
export interface FuzzError {
  readonly finding: Finding;
  readonly bytes: Uint8Array;
  readonly box: Box | 'given';
  /** The number of the execution that found it. */
  readonly run: number;
  readonly isConfirmed: boolean;
  /** A mutator of the program has failed on the input, and not the target. */
  readonly isOfMutator: boolean;
}

export interface CampaignEvents {
  readonly onEntry?: (change: CorpusChange) => void;
  readonly onError?: (error: FuzzError) => void;
  readonly onRound?: () => void;
  /**
   * Called when the last runs found nothing new: the explorer may provide inputs, along the path of
   * an entry or, once all entries were tried, from the whole program.
   */
  readonly onStall?: (entry: CorpusEntry | undefined) => Promise<readonly Uint8Array[]>;
}

export interface BoxCounts {
  runs: number;
  inputs: number;
  edges: number;
  findings: number;
}

/** The largest number of tasks in a round. */
const tasksOfRound = 8;
const fewestRuns = 24;
const mostRuns = 1024;
/**
 * A task ends when its runs have cost this much, even if some are left, so that slow programs
 * receive news early.
 */
const mostCost = 60_000_000;
/**
 * A task of mutations costs at most this times what its runs would cost if each were as cheap as
 * the median of the corpus. Slow inputs therefore get fewer runs, as with AFL and libFuzzer.
 */
const costPerRun = 2;
/** A task has this fraction of the runs so far. */
const partOfRuns = 48;

/** The number of runs without anything new after which entries are joined. */
const joinStall = 1000;

/**
 * The number of runs without anything new after which the explorer is used; it grows by this factor
 * each time.
 */
const firstStall = 4000;
const stallGrowth = 1.2;
const mostStall = 60_000;
/** After this many unsuccessful entries the explorer explores the whole program. */
const mostInVain = 3;

/** The limit of runs to minimize an input; minimizing a hang takes long. */
const runsToMinimize = 4000;
const runsToMinimizeEndless = 40;

export class Campaign {
  readonly corpus: Corpus = new Corpus();
  readonly boxes: Record<Box, BoxCounts> = { black: noCounts(), grey: noCounts(), white: noCounts() };
  readonly errors: FuzzError[] = [];
  /** The edges of inputs with errors, which are not in the corpus. */
  readonly edgesOfErrors: Set<number> = new Set();
  runs = 0;
  exits = 0;
  /** The run that had the last new edge or bucket, and its origin. */
  lastNew: { run: number; time: number; box: Box | 'given' } = {
    run: 0,
    time: performance.now(),
    box: 'given',
  };
  /** The entries of the corpus have other numbers. */
  readonly #root = { id: 0, isCompared: false };
  readonly #known = new Set<string>();
  readonly #words = new Set<string>();
  readonly #random: Random;
  /** The news since the last round. */
  #news: MutableNews = noNews();
  #stall = firstStall;
  #quietSince = 0;
  #sizeWeighed = 0;
  #usualCost = 0;
  /** Whether the whole program was explored. */
  #isExplored = false;
  /** The number of consecutive attempts in which the explorer found nothing. */
  #inVain = 0;

  /** `worker` measures and minimizes inputs; `force` searches. */
  constructor(
    private readonly worker: FuzzWorker,
    private readonly force: SearchForce,
    private readonly options: CampaignOptions,
    private readonly events: CampaignEvents,
  ) {
    this.#random = new Random(options.seed);
    this.#addWords(options.words);
  }

  /** Adds existing inputs, or inputs of another process. */
  async take(inputs: readonly Uint8Array[], box: CorpusEntry['box']): Promise<number> {
    let taken = 0;
    for (let start = 0; start < inputs.length; start += inputsAtOnce) {
      if (this.options.isOver()) break;
      const some = inputs.slice(start, start + inputsAtOnce);
      const measured = (await this.worker.call({
        kind: 'measure',
        inputs: some,
      })) as readonly Measured[];
      for (const [i, { features, cost, findings, isUnwanted }] of measured.entries()) {
        this.runs++;
        if (box !== 'given') this.boxes[box].runs++;
        if (findings.length > 0) for (const feature of features) this.edgesOfErrors.add(feature >>> 8);
        for (const finding of findings) await this.#found(finding, some[i]!, box, this.runs);
        if (isCrash({ findings }) || isUnwanted) continue;
        if (this.#offer({ bytes: some[i]!, features, cost }, box)) taken++;
      }
    }
    return taken;
  }

  /**
   * Searches until the runs are used up or it is stopped. `root` is mutated as long as the corpus
   * is empty, because each input so far led to an error or was rejected by the target.
   */
  async run(root: Uint8Array): Promise<void> {
    this.#quietSince = this.runs;
    this.#news.added.push({ id: this.#root.id, bytes: root, features: new Uint32Array(0) });
    while (this.runs < this.options.maxRuns && !this.options.isOver()) {
      if (this.#isExplorersTurn()) await this.#askExplorer();
      if (this.runs >= this.options.maxRuns || this.options.isOver()) return;
      if (!(await this.#round())) return;
      this.events.onRound?.();
    }
  }

  // ---------------------------------------------------------------------------------------- rounds

  /** Returns whether the round was completed. */
  async #round(): Promise<boolean> {
    const tasks = this.#tasks();
    const news = this.#news;
    this.#news = noNews();
    const results = await this.force.search(tasks, news);
    if (results === undefined) return false;
    const box = this.options.mode === 'black' ? 'black' : 'grey';
    for (const { runs, candidates, errors, words, exits } of results) {
      const start = this.runs;
      this.runs += runs;
      this.boxes[box].runs += runs;
      this.exits += exits;
      this.#addWords(words);
      for (const candidate of candidates) this.#offer(candidate, box);
      for (const { finding, bytes, run, features, isOfMutator } of errors) {
        for (const feature of features) this.edgesOfErrors.add(feature >>> 8);
        await this.#found(finding, bytes, box, start + run, isOfMutator);
      }
    }
    return true;
  }

  #tasks(): Task[] {
    const left = this.options.maxRuns - this.runs;
    const each = Math.min(mostRuns, Math.max(fewestRuns, Math.floor(this.runs / partOfRuns)));
    if (this.corpus.size > this.#sizeWeighed * 1.1 || this.corpus.size < this.#sizeWeighed) {
      this.corpus.weigh();
      this.#sizeWeighed = this.corpus.size;
      this.#usualCost = this.corpus.usualCost;
    }
    const tasks: Task[] = [];
    const isBlack = this.options.mode === 'black';
    const isEmpty = this.corpus.size === 0;
    const comparable = isBlack ? [] : isEmpty ? [this.#root] : this.corpus.entries;
    const uncompared = comparable.filter(({ isCompared }) => !isCompared);
    const isQuiet = this.runs - this.#quietSince >= joinStall;
    const unjoined = isQuiet ? this.corpus.entries.filter(({ isJoined }) => !isJoined) : [];
    const special = [
      ...uncompared.map(entry => ({ kind: 'compare', entry, most: runsOfComparison }) as const),
      ...unjoined.map(entry => ({ kind: 'join', entry, most: mostRuns }) as const),
    ];
    let planned = 0;
    while (tasks.length < tasksOfRound && planned < left) {
      const seed = this.#random.uint32();
      const runs = Math.min(each, left - planned);
      const cost = isBlack || isEmpty ? mostCost : Math.min(mostCost, costPerRun * runs * this.#usualCost);
      if (isBlack || (isEmpty && tasks.length % 2 > 0))
        tasks.push({ kind: 'invent', entry: this.#root.id, seed, runs, cost });
      else if (special.length > 0 && tasks.length < tasksOfRound / 2) {
        const { kind, entry, most } = special.shift()!;
        if (kind === 'compare') entry.isCompared = true;
        else entry.isJoined = true;
        const itsRuns = Math.min(most, left - planned);
        tasks.push({ kind, entry: entry.id, seed, runs: itsRuns, cost: mostCost });
        planned += itsRuns;
        continue;
      } else {
        const { id } = isEmpty ? this.#root : this.corpus.choose(this.#random);
        tasks.push({ kind: 'mutate', entry: id, seed, runs, cost });
      }
      planned += runs;
    }
    return tasks;
  }

  #offer(candidate: Candidate, box: CorpusEntry['box']): boolean {
    const change = this.corpus.offer(candidate, box);
    if (change === undefined) return false;
    const { added, removed, newFeatures, newEdges } = change;
    if (this.corpus.size === 1) this.#news.removed.push(this.#root.id);
    this.#news.added.push({ id: added.id, bytes: added.bytes, features: added.features });
    for (const { id } of removed) this.#news.removed.push(id);
    for (const feature of newFeatures) this.#news.seen.push(feature);
    if (newFeatures.length > 0) {
      this.lastNew = { run: this.runs, time: performance.now(), box };
      this.#quietSince = this.runs;
      this.#stall = firstStall;
    }
    if (box !== 'given') {
      this.boxes[box].inputs++;
      this.boxes[box].edges += newEdges;
    }
    this.events.onEntry?.(change);
    return newFeatures.length > 0;
  }

  #addWords(words: readonly Uint8Array[]): void {
    for (const word of words) {
      const key = word.join();
      if (this.#words.has(key) || this.#words.size >= mostWords) continue;
      this.#words.add(key);
      this.#news.words.push(word);
    }
  }

  // ---------------------------------------------------------------------------------------- errors

  /** Minimizes an error, confirms it in a fresh instance, and reports it once. */
  async #found(
    finding: Finding,
    bytes: Uint8Array,
    box: FuzzError['box'],
    run: number,
    isOfMutator = false,
  ): Promise<void> {
    const key = errorKey(finding);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#news.errors.push(key);
    const error = isOfMutator
      ? { finding, bytes, isConfirmed: false }
      : await this.#minimized(finding, key, bytes);
    this.errors.push({ ...error, box, run, isOfMutator });
    if (box !== 'given') this.boxes[box].findings++;
    this.events.onError?.(this.errors.at(-1)!);
  }

  async #minimized(
    finding: Finding,
    key: string,
    bytes: Uint8Array,
  ): Promise<Pick<FuzzError, 'finding' | 'bytes' | 'isConfirmed'>> {
    const runs = finding.code === 'infinite-loop' ? runsToMinimizeEndless : runsToMinimize;
    const { worker } = this;
    const small = (await worker.call({ kind: 'minimize', input: bytes, error: key, runs })) as Minimized;
    const again = (await worker.call({ kind: 'confirm', input: small.bytes })) as readonly Finding[];
    const isConfirmed = again.some(other => errorKey(other) === key);
    return { finding: small.finding, bytes: small.bytes, isConfirmed };
  }

  // -------------------------------------------------------------------------------------- explorer

  #isExplorersTurn(): boolean {
    const { mode } = this.options;
    if (this.events.onStall === undefined || mode === 'black' || mode === 'grey') return false;
    if (this.#isExplored && !this.corpus.entries.some(({ isExplored }) => !isExplored)) return false;
    return mode === 'white' || this.runs - this.#quietSince >= this.#stall;
  }

  /**
   * Asks the explorer about the most valuable entry that it has not tried; without one, or after
   * failures, about the whole program, once.
   */
  async #askExplorer(): Promise<void> {
    const waiting = this.corpus.entries.filter(({ isExplored }) => !isExplored);
    this.corpus.weigh();
    const isEverywhere = waiting.length === 0 || (!this.#isExplored && this.#inVain >= mostInVain);
    const best = isEverywhere ? undefined : waiting.reduce((a, b) => (b.weight > a.weight ? b : a));
    if (best === undefined) this.#isExplored = true;
    else best.isExplored = true;
    const inputs = await this.events.onStall!(best);
    const taken = await this.take(inputs.slice(0, this.options.maxRuns - this.runs), 'white');
    this.#inVain = taken === 0 ? this.#inVain + 1 : 0;
    if (taken === 0) this.#stall = Math.min(mostStall, this.#stall * stallGrowth);
    this.#quietSince = this.runs;
  }
}

/** The number of inputs that a worker measures between two checks whether the campaign is over. */
const inputsAtOnce = 64;
const mostWords = 512;
/** The number of runs of a task that tries what comparisons suggest. */
const runsOfComparison = 4000;

interface MutableNews extends News {
  readonly added: { id: number; bytes: Uint8Array; features: Uint32Array }[];
  readonly removed: number[];
  readonly seen: number[];
  readonly errors: string[];
  readonly words: Uint8Array[];
}

function noNews(): MutableNews {
  return { added: [], removed: [], seen: [], errors: [], words: [] };
}

function noCounts(): BoxCounts {
  return { runs: 0, inputs: 0, edges: 0, findings: 0 };
}
