/**
 * Symmetry reduction for named threads: of all states that differ by a permutation of threads, the
 * one whose threads are sorted represents all.
 *
 * Threads in equal states are then adjacent, and only one of them takes its steps, which has the
 * effect of counting threads instead of naming them. (A counted system, `compose.ts`, has no names
 * to begin with; this module is for threads with too many states for counters.)
 */
import type { Variable } from '../expression.js';
import type { System } from '../system.js';

export class Symmetry {
  /** Where the variables of each thread are. */
  readonly #threads: readonly (readonly number[])[];

  constructor(system: System) {
    const indexOf = new Map<Variable, number>(system.variables.map((variable, i) => [variable, i]));
    this.#threads = (system.threads ?? []).map(own => own.map(variable => indexOf.get(variable)!));
  }

  /** Sorts the threads of a state in place. */
  sort(state: Int32Array | number[]): void {
    const threads = this.#threads;
    for (let i = 1; i < threads.length; i++) {
      for (let j = i; j > 0 && this.#compare(state, j - 1, j) > 0; j--) {
        const [a, b] = [threads[j - 1]!, threads[j]!];
        for (let k = 0; k < a.length; k++) {
          const value = state[a[k]!]!;
          state[a[k]!] = state[b[k]!]!;
          state[b[k]!] = value;
        }
      }
    }
  }

  /**
   * In a sorted state: the thread is in the same state as the one before it, so its steps are
   * known.
   */
  isRepetition(state: Int32Array | readonly number[], thread: number): boolean {
    return thread > 0 && this.#compare(state, thread - 1, thread) === 0;
  }

  #compare(state: Int32Array | readonly number[], i: number, j: number): number {
    const [a, b] = [this.#threads[i]!, this.#threads[j]!];
    for (let k = 0; k < a.length; k++) {
      const difference = state[a[k]!]! - state[b[k]!]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
