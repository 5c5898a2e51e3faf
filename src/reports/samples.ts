/**
 * Samples of counters during a run, for a chart. When there are too many, every other one is
 * dropped and the sampling rate is halved, so that a run of a night needs no more memory than one
 * of a minute.
 */

export interface Sample {
  readonly ms: number;
  readonly counts: Readonly<Record<string, number>>;
}

const mostSamples = 400;

export class Samples {
  #all: Sample[] = [];
  #every = 1;
  #seen = 0;
  #last: Sample | undefined;

  add(ms: number, counts: Readonly<Record<string, number | undefined>>): void {
    const known = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
    this.#last = { ms, counts: Object.fromEntries(known) };
    if (this.#seen++ % this.#every !== 0) return;
    this.#all.push(this.#last);
    if (this.#all.length < mostSamples) return;
    this.#all = this.#all.filter((_, i) => i % 2 === 0);
    this.#every *= 2;
  }

  /** Includes the latest sample. */
  all(): readonly Sample[] {
    const last = this.#last;
    return last === undefined || this.#all.at(-1) === last ? this.#all : [...this.#all, last];
  }
}
