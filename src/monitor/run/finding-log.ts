/**
 * The findings of a run: each error is emitted once, suppressed findings are counted, and the first
 * finding ends the run unless it continues after errors.
 */
import { describe } from '../../findings/describe.js';
import type { FindingFacts } from '../../findings/facts.js';
import { type Finding, isInLibrary } from '../../findings/finding.js';
import { errorKey } from '../../findings/same-error.js';
import type { CodeSite } from '../sites.js';
import { isSuppressed } from '../suppressions.js';
import { occurrenceAt } from './explain-report.js';
import { Repeats } from './repeats.js';
import type { RunEventMessage, RunRequest } from './run-request.js';
import type { ThreadReports } from './thread-reports.js';

/** Thrown through the program's frames when a finding ends the run. */
export class StoppedByFinding extends Error {}

export class FindingLog {
  readonly #reported = new Set<string>();
  readonly #suppressed = new Set<string>();
  readonly #repeats = new Repeats();
  #isClosed = false;
  /** Set for programs with threads. */
  threads: ThreadReports | undefined;
  /** The address of the last invalid access. */
  address: number | undefined;

  constructor(
    private readonly request: Pick<RunRequest, 'unchosen' | 'suppressions' | 'keepGoing'>,
    private readonly emit: (event: RunEventMessage) => void,
  ) {}

  get isEmpty(): boolean {
    return this.#reported.size === 0;
  }

  /** The number of suppressed errors. */
  get suppressed(): number {
    return this.#suppressed.size;
  }

  /** The number of repeated reports. */
  get repeats(): number {
    return this.#repeats.count;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** From now on a report ends the program and nothing is emitted. */
  close(): void {
    this.#isClosed = true;
  }

  /** Called before the program is run again: the same errors may be reported again. */
  forget(): void {
    if (this.#reported.size > 0) this.#reported.clear();
    this.#repeats.forget();
  }

  /** Reports a finding and ends the run, unless it continues after errors. */
  found(facts: FindingFacts, sites: readonly CodeSite[]): void {
    this.foundAt(describe(facts, occurrenceAt(sites)));
  }

  foundAt(found: Finding): void {
    if (this.#report(found) && !this.request.keepGoing) throw new StoppedByFinding();
  }

  /** Reports a finding after which the run cannot continue. */
  fatal(facts: FindingFacts, sites: readonly CodeSite[]): never {
    this.warn(facts, sites);
    throw new StoppedByFinding();
  }

  /** Reports a finding without ending the run. */
  warn(facts: FindingFacts, sites: readonly CodeSite[]): void {
    this.#report(describe(facts, occurrenceAt(sites)));
  }

  /** Throws if nothing is reported any more. */
  requireOpen(): void {
    if (this.#isClosed) throw new StoppedByFinding();
  }

  /** Explains a report unless it repeats an earlier one of the same place and block. */
  meet(place: string, block: number, explain: () => void): void {
    this.#repeats.meet(place, block, () => {
      const before = this.#reported.size + this.#suppressed.size;
      explain();
      return this.#reported.size + this.#suppressed.size > before;
    });
  }

  /** Emits the finding, once per error; false if it is suppressed. */
  #report(given: Finding): boolean {
    this.requireOpen();
    if (isSuppressed(given, this.request.unchosen)) return false;
    const isOfThreads = given.code === 'data-race' || given.code === 'deadlock';
    const found = isOfThreads ? given : (this.threads?.annotate(given, this.address) ?? given);
    const key = errorKey(found);
    if (isSuppressed(found, this.request.suppressions)) {
      this.#suppressed.add(key);
      return false;
    }
    // Leaks have already been grouped, each with its count.
    if (found.code === 'memory-leak' || !this.#reported.has(key)) {
      this.#reported.add(key);
      this.#reported.add(keyOfStore(found));
      this.emit({ kind: 'finding', finding: found });
    }
    return true;
  }
}

/**
 * Recognizes the store that follows a load, as in `a[i]++`, which is one error. A library function
 * reads and writes its arguments separately.
 */
function keyOfStore(found: Finding): string {
  const { access, stack } = found;
  const isOwn = stack[0] !== undefined && !isInLibrary(stack[0]);
  return errorKey(
    access?.kind === 'read' && isOwn ? { ...found, access: { ...access, kind: 'write' } } : found,
  );
}
