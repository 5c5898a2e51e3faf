/**
 * The progress of an exploration: periodic rows of counts, as CSV.
 *
 * Rows are taken by the number of instructions, not by time, so that the same exploration
 * gives the same rows on every machine; times are in a separate file. When there are too many rows,
 * every other one is dropped and the interval is doubled.
 */
import type { ExploreProgress } from '../search/explorer.js';

const mostRows = 1000;
const firstInterval = 1000;

export interface Row extends ExploreProgress {
  readonly milliseconds: number;
}

/** Statistics that can be continued in another process. */
export interface SavedStatistics {
  /** In the order of `columnsOf`. */
  readonly rows: readonly (readonly number[])[];
  readonly interval: number;
  readonly next: number;
  /** The times when they were saved. */
  readonly times: EarlierTimes;
}

/** The times at the end of an earlier run. */
export interface EarlierTimes {
  readonly milliseconds: number;
  readonly solverMs: number;
}

export class Statistics {
  #rows: Row[] = [];
  #interval = firstInterval;
  #next = 0;
  #start = performance.now();

  /** `solverMs` is the time in the solver until now. */
  save(solverMs: number): SavedStatistics {
    const times = { milliseconds: performance.now() - this.#start, solverMs };
    return { rows: this.#rows.map(columnsOf), interval: this.#interval, next: this.#next, times };
  }

  /** Continues after the rows of an earlier run. */
  goOn({ rows, interval, next, times }: SavedStatistics): void {
    this.#rows = rows.map(rowOf);
    this.#interval = interval;
    this.#next = next;
    this.#start = performance.now() - times.milliseconds;
  }

  /** Whether another row is due. */
  isDue(instructions: number): boolean {
    return instructions >= this.#next;
  }

  add(progress: ExploreProgress): void {
    this.#rows.push({ ...progress, milliseconds: performance.now() - this.#start });
    if (this.#rows.length > mostRows) {
      this.#rows = this.#rows.filter((_, i) => i % 2 === 0);
      this.#interval *= 2;
    }
    this.#next = progress.instructions + this.#interval;
  }

  /** The same on every machine. */
  counts(): string {
    return csv(
      countNames,
      this.#rows.map(row => columnsOf(row).slice(0, countNames.length)),
    );
  }

  /** The times of the same rows. */
  times(): string {
    return csv(
      ['instructions', 'milliseconds', 'solver_milliseconds'],
      this.#rows.map(({ instructions, milliseconds, solverMs }) => [
        instructions,
        Math.round(milliseconds),
        Math.round(solverMs),
      ]),
    );
  }
}

const countNames = [
  'instructions',
  'completed',
  'error',
  'partial',
  'states',
  'covered_blocks',
  'known_blocks',
  'queries',
];

/** Counts first, then times. */
function columnsOf(row: Row): number[] {
  const { instructions, paths, states, coveredBlocks, knownBlocks, queries, solverMs, milliseconds } = row;
  const { completed, error, partial } = paths;
  const counts = [instructions, completed, error, partial, states, coveredBlocks, knownBlocks, queries];
  return [...counts, solverMs, milliseconds];
}

function rowOf(columns: readonly number[]): Row {
  const at = (i: number): number => columns[i]!;
  return {
    instructions: at(0),
    paths: { completed: at(1), error: at(2), partial: at(3) },
    states: at(4),
    coveredBlocks: at(5),
    knownBlocks: at(6),
    queries: at(7),
    solverMs: at(8),
    milliseconds: at(9),
  };
}

function csv(names: readonly string[], rows: readonly (readonly number[])[]): string {
  return `${[names, ...rows].map(row => row.join(',')).join('\n')}\n`;
}
