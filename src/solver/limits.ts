/** The limits of one query, and its clock. A limit of zero or less means none. */
import { isStopRaised } from '../support/stop-flag.js';

export interface Limits {
  /** Wall-clock milliseconds for the whole query, all layers together. */
  readonly milliseconds: number;
  /** Conflicts of the SAT solver for one call. The same on every machine, unlike time. */
  readonly conflicts: number;
}

export const NO_LIMITS: Limits = { milliseconds: 0, conflicts: 0 };

export class Deadline {
  #end: number;
  readonly #whole: Deadline | undefined;

  /** For a part of a query, `whole` is the deadline of the whole query. */
  constructor(milliseconds: number, whole?: Deadline) {
    this.#whole = whole;
    this.#end = milliseconds > 0 ? performance.now() + milliseconds : Number.POSITIVE_INFINITY;
  }

  /** The deadline of the whole query. */
  get whole(): Deadline {
    return this.#whole ?? this;
  }

  passed(): boolean {
    return (this.#end !== Number.POSITIVE_INFINITY && performance.now() >= this.#end) || isStopRaised();
  }

  /** A separate deadline for a fraction of the remaining time. */
  part(share: number): Deadline {
    const left = this.remaining();
    return Number.isFinite(left) ? new Deadline(Math.max(1, left * share), this.whole) : this;
  }

  /** Excludes time that does not belong to the query: loading Z3. */
  extend(milliseconds: number): void {
    this.#end += milliseconds;
    this.#whole?.extend(milliseconds);
  }

  /** Infinity if there is none. */
  remaining(): number {
    return Math.max(0, this.#end - performance.now());
  }
}

export const NO_DEADLINE: Deadline = new Deadline(0);
