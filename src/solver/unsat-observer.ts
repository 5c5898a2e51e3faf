/**
 * An observer of every unsatisfiable answer. A satisfiable answer is verified by evaluating its
 * model; this hook lets others verify the rest: the test suite checks all of them with Z3
 * (`tests/confirm-unsat.ts`).
 */
import type { Term } from '../expr/term.js';
import type { Terms } from '../expr/terms.js';

/** The core is a set of constraints that cannot hold together. */
export type UnsatObserver = (t: Terms, core: readonly Term[]) => void;

let observer: UnsatObserver | undefined;

/** Requires that there is no other observer. */
export function observeUnsat(next: UnsatObserver): void {
  observer = next;
}

export function tellUnsat(t: Terms, core: readonly Term[]): void {
  observer?.(t, core);
}
