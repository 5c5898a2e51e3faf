/**
 * How many paths and instructions of a task can count before the exploration reaches its limits.
 *
 *     limit 100     task 1: 30 paths, done    task 2: bound 70, still running    task 3: bound 70
 *                                             task 2: 45 paths, done             task 3: bound 25
 *
 * The exploration lowers the bound of a running task when an earlier task of the round is done, and
 * the task ends when it has reached its bound. So little is explored that a limit excludes.
 *
 * **Invariant.** A bound is never below the limits that are left when the task is merged. So what a
 * task has explored within the limits does not depend on when its bound was lowered.
 */
const NO_BOUND = BigInt(Number.MAX_SAFE_INTEGER);

export class TaskBound {
  /** Shared with the thread that executes the task. */
  readonly cells: SharedArrayBuffer;
  readonly #left: BigInt64Array;

  constructor(cells?: SharedArrayBuffer) {
    this.cells = cells ?? new SharedArrayBuffer(16);
    this.#left = new BigInt64Array(this.cells);
    if (cells === undefined) this.#left.fill(NO_BOUND);
  }

  get paths(): number {
    return Number(Atomics.load(this.#left, 0));
  }

  get instructions(): number {
    return Number(Atomics.load(this.#left, 1));
  }

  /** A bound that is lower already stays. */
  lower(paths: number, instructions: number): void {
    if (paths < this.paths) Atomics.store(this.#left, 0, BigInt(Math.max(0, paths)));
    if (instructions < this.instructions) Atomics.store(this.#left, 1, BigInt(Math.max(0, instructions)));
  }

  isReachedBy(paths: number, instructions: number): boolean {
    return paths >= this.paths || instructions >= this.instructions;
  }

  /** Whether nothing of the task can count. */
  get isZero(): boolean {
    return this.isReachedBy(0, 0);
  }
}
