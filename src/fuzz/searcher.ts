/**
 * The worker's part of the search: it runs inputs and reports the results.
 *
 * **Invariant:** the result of a task depends only on the task and on the corpus, words and errors
 * that the campaign has sent; not on earlier tasks, nor on the worker. So the new features of a
 * task are forgotten at its end, and come back with the news if the campaign keeps them.
 */
import type { FileCoverage } from '../findings/line-coverage.js';
import { errorKey } from '../findings/same-error.js';
import { assert } from '../support/assert.js';
import { Random } from '../support/random.js';
import { coverageOfCorpus } from './corpus-coverage.js';
import type { Comparison, Outcome, Target, TargetRequest } from './fuzz-target.js';
import { type Compared, Suggestions } from './input-to-state.js';
import { invent } from './invent.js';
import { isAscii, Mutator } from './mutate.js';
import {
  type Candidate,
  costOf,
  type ErrorReport,
  type Measured,
  type News,
  type SearchOptions,
  type Task,
  type TaskResult,
} from './protocol.js';

/** The largest number of suggested inputs that are tried for one entry. */
const mostSuggested = 1500;
/** How often the mutator of a program is applied in a row. */
const mostOwnChanges = 5;
/** The largest number of repairs that are tried for one of them. */
const mostRepairs = 12;
/** The assumed largest size of headers, in bytes. */
const longestHeader = 16;
/** Narrower values are often equal by accident. */
const fewestBitsThatHold = 16n;

interface Entry {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly features: Uint32Array;
}

const empty = new Uint8Array(0);

export class Searcher {
  readonly #entries = new Map<number, Entry>();
  readonly #errors = new Set<string>();
  readonly #words: Uint8Array[] = [];
  readonly #mutator: Mutator;
  readonly #suggestions: Suggestions;
  /** Made while suggestions are tried, so they are others. */
  readonly #repairs: Suggestions;
  /** Where joined inputs are made. */
  readonly #joined: Uint8Array;

  constructor(
    private readonly target: Target,
    private readonly request: TargetRequest,
    private readonly options: SearchOptions,
  ) {
    this.#mutator = new Mutator(options);
    const { comparisons } = request.probes;
    this.#suggestions = new Suggestions(comparisons, options.maxLength);
    this.#repairs = new Suggestions(comparisons, options.maxLength);
    this.#joined = new Uint8Array(options.maxLength);
  }

  learn({ added, removed, seen, errors, words }: News): void {
    for (const entry of added) this.#entries.set(entry.id, entry);
    for (const id of removed) this.#entries.delete(id);
    for (const error of errors) this.#errors.add(error);
    this.#words.push(...words);
    this.target.see(seen);
  }

  search(task: Task): TaskResult {
    const work = new Work(this.target, this.#errors, task);
    if (task.kind === 'compare') this.#compare(task, work);
    else if (task.kind === 'join') this.#join(task, work);
    else if (task.kind === 'invent') this.#invent(task, work);
    else this.#mutate(task, work);
    return work.end();
  }

  measure(inputs: readonly Uint8Array[]): Measured[] {
    return inputs.map(input => {
      const { findings, isUnwanted } = this.target.run(input);
      const features = this.target.features().slice();
      return { features, cost: costOf(this.target.stepsTaken), findings, isUnwanted };
    });
  }

  coverage(inputs: readonly Uint8Array[]): FileCoverage[] {
    return coverageOfCorpus(this.request.probes, this.#edgesTaken(inputs));
  }

  *#edgesTaken(inputs: readonly Uint8Array[]): Generator<(edge: number) => boolean> {
    for (const input of inputs) {
      this.target.run(input);
      yield edge => this.target.count(edge) > 0;
    }
  }

  #entry(task: Task): Entry {
    const entry = this.#entries.get(task.entry);
    assert(entry !== undefined, 'a task is about an entry of the corpus');
    return entry;
  }

  #mutate(task: Task, work: Work): void {
    const random = new Random(task.seed);
    const entry = this.#entry(task);
    const others = [...this.#entries.values()];
    const fresh: Uint8Array[] = [];
    while (work.goesOn) {
      const isOfEntry = fresh.length === 0 || random.below(2) === 0;
      const parent = isOfEntry
        ? entry.bytes
        : fresh[fresh.length - 1 - random.below(Math.min(3, fresh.length))]!;
      const other = others.length < 2 ? empty : others[random.below(others.length)]!.bytes;
      const bytes = this.#mutation(parent, other, random, work);
      if (bytes === undefined) continue;
      const shorterThan = isOfEntry && bytes.length < entry.bytes.length ? entry : undefined;
      const kept = work.run(bytes, shorterThan);
      if (kept !== undefined) fresh.push(kept);
    }
  }

  #mutation(parent: Uint8Array, other: Uint8Array, random: Random, work: Work): Uint8Array | undefined {
    const { mutates, crosses } = this.target.mutators;
    const { maxLength } = this.options;
    if (crosses && other.length > 0 && random.below(mutates ? 4 : 8) === 0)
      return work.made(this.target.crossOver(parent, other, maxLength, random.uint32()), parent);
    if (!mutates) return this.#mutator.mutate(parent, other, this.#words, random);
    let made: Uint8Array | undefined = parent;
    for (let left = 1 + random.below(mostOwnChanges); left > 0 && made !== undefined; left--)
      made = work.made(this.target.mutate(made, maxLength, random.uint32()), made);
    return made;
  }

  /**
   * Tries what the comparisons of an entry suggest. A suggestion may break another comparison that
   * held before: a checksum, a length. What that comparison suggests is then applied on top.
   */
  #compare(task: Task, work: Work): void {
    const { bytes } = this.#entry(task);
    work.run(bytes, undefined, true);
    const compared = this.#compared();
    const held = sitesThatHold(compared.integers);
    const { inputs, words } = this.#suggestions.of(bytes, compared, mostSuggested);
    work.words.push(...words);
    for (const input of inputs) {
      if (!work.goesOn) return;
      if (!this.#isAllowed(input)) continue;
      if (work.run(input, undefined, held.size > 0) === undefined) this.#repair(input, held, work);
    }
  }

  #repair(input: Uint8Array, held: ReadonlySet<number>, work: Work): void {
    if (held.size === 0) return;
    const broken = this.target.firstThatDiffers(held);
    if (broken === undefined) return;
    for (const repaired of this.#repairs.ofOne(input, broken, mostRepairs))
      if (work.goesOn && this.#isAllowed(repaired)) work.run(repaired);
  }

  #isAllowed(input: Uint8Array): boolean {
    return !this.options.onlyAscii || isAscii(input);
  }

  /**
   * Appends the rest of each other entry to the entry: in formats of records, the effect of a
   * record may depend on earlier ones, which edges do not show. The common prefix of two inputs may
   * be a header that is not repeated, so the rest begins there or earlier.
   */
  #join(task: Task, work: Work): void {
    const entry = this.#entry(task);
    const bytes = this.#withoutTail(entry, work);
    for (const other of this.#entries.values()) {
      if (other === entry) continue;
      const shared = sharedPrefix(bytes, other.bytes);
      for (let from = Math.min(shared, longestHeader); from >= 0 && work.goesOn; from--) {
        const length = bytes.length + other.bytes.length - from;
        if (length > this.options.maxLength) continue;
        this.#joined.set(bytes);
        this.#joined.set(other.bytes.subarray(from), bytes.length);
        work.run(this.#joined.subarray(0, length));
      }
    }
  }

  /** The entry without trailing bytes that have no effect. */
  #withoutTail(entry: Entry, work: Work): Uint8Array {
    let { bytes } = entry;
    for (let cut = 2 ** Math.floor(Math.log2(Math.max(1, bytes.length))); cut >= 1 && work.goesOn; ) {
      const shorter = bytes.subarray(0, bytes.length - cut);
      if (shorter.length > 0 && work.isLike(entry, shorter)) bytes = shorter;
      else cut /= 2;
    }
    return bytes;
  }

  #compared(): Compared {
    return { integers: this.target.comparisons(), texts: this.target.textComparisons() };
  }

  #invent(task: Task, work: Work): void {
    const random = new Random(task.seed);
    while (work.goesOn) work.run(invent(random, this.#words, this.options));
  }
}

/** The results of a task so far. */
class Work {
  #runs = 0;
  #cost = 0;
  #repeated = 0;
  #exits = 0;
  readonly #candidates: Candidate[] = [];
  readonly #errors: ErrorReport[] = [];
  readonly #own = new Set<string>();
  readonly #seen: number[] = [];
  readonly words: Uint8Array[] = [];

  constructor(
    private readonly target: Target,
    private readonly errors: ReadonlySet<string>,
    private readonly limits: Pick<Task, 'runs' | 'cost'>,
  ) {}

  get goesOn(): boolean {
    return this.#runs < this.limits.runs && this.#cost < this.limits.cost;
  }

  /**
   * Runs an input, which may be a view of a buffer; returns a copy of it if it has new features.
   * `longer` is an entry that it may replace.
   */
  run(
    bytes: Uint8Array,
    longer?: Pick<Entry, 'id' | 'features'>,
    isRecording = false,
  ): Uint8Array | undefined {
    const { target } = this;
    const outcome = target.run(bytes, isRecording);
    this.#runs++;
    const cost = costOf(target.stepsTaken);
    this.#cost += cost;
    if (outcome.program?.exit != null && outcome.program.exit !== 0) this.#exits++;
    if (outcome.findings.length > 0) this.#report(bytes, outcome);
    if ((outcome.findings.length > 0 && isCrash(outcome)) || outcome.isUnwanted) return undefined;
    const news = target.newFeatures();
    if (news.length > 0) {
      for (const feature of news) this.#seen.push(feature);
      target.see(news.slice());
      const kept = bytes.slice();
      this.#candidates.push({ bytes: kept, features: target.features().slice(), cost });
      return kept;
    }
    if (longer !== undefined && target.hasFeatures(longer.features))
      this.#candidates.push({ bytes: bytes.slice(), features: longer.features, cost, replaces: longer.id });
    return undefined;
  }

  /** Runs an input; returns whether it has the features of an entry. */
  isLike({ features }: Pick<Entry, 'features'>, bytes: Uint8Array): boolean {
    return this.run(bytes) === undefined && this.target.hasFeatures(features);
  }

  /** Runs the program's mutator; its errors are errors of the program. */
  made(
    { bytes, findings }: { bytes?: Uint8Array; findings: Outcome['findings'] },
    parent: Uint8Array,
  ): Uint8Array | undefined {
    if (bytes !== undefined) return bytes;
    this.#runs++;
    this.#report(parent, { findings }, true);
    return undefined;
  }

  #report(bytes: Uint8Array, { findings }: Pick<Outcome, 'findings'>, isOfMutator = false): void {
    for (const finding of findings) {
      const key = errorKey(finding);
      if (this.errors.has(key) || this.#own.has(key)) this.#repeated++;
      else {
        this.#own.add(key);
        const features = this.target.features().slice();
        this.#errors.push({ bytes: bytes.slice(), finding, run: this.#runs, features, isOfMutator });
      }
    }
  }

  end(): TaskResult {
    this.target.unsee(this.#seen);
    return {
      runs: this.#runs,
      candidates: this.#candidates,
      errors: this.#errors,
      repeated: this.#repeated,
      words: this.words,
      exits: this.#exits,
    };
  }
}

/** The comparisons of wide values that were always equal. */
function sitesThatHold(integers: readonly Comparison[]): Set<number> {
  const held = new Set<number>();
  for (const { site, left, right } of integers)
    if (left === right && left >> fewestBitsThatHold > 0n) held.add(site);
  for (const { site, left, right } of integers) if (left !== right) held.delete(site);
  return held;
}

/** How many bytes both begin with. */
function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

/** Whether an error ended the run. A run with leaks has reached its end. */
export function isCrash({ findings }: Pick<Outcome, 'findings'>): boolean {
  return findings.some(({ code }) => code !== 'memory-leak');
}
