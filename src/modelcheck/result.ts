/**
 * What an engine says about one property, and what it says while it works.
 *
 * **Invariant:** nothing is believed because an engine said so. A proof carries a certificate that
 * another piece of code has checked, a refutation a trace that was run step by step on the model
 * (`replay-trace.ts`); if either fails, that is a defect of ours.
 */
import type { EngineName } from './engine-names.js';
import type { State } from './system.js';

export interface TraceStep {
  /** What led to the state; absent for the first. */
  readonly command?: string;
  readonly state: State;
}

export type Outcome =
  | {
      readonly status: 'proved';
      /** Steps to the farthest state, the k of the induction, or the number of frames. */
      readonly depth: number;
      /** The lemmas that the proof used. */
      readonly lemmas: readonly string[];
      /** What was found, and how it was checked again. */
      readonly certificate: string;
    }
  | { readonly status: 'refuted'; readonly trace: readonly TraceStep[] }
  | {
      readonly status: 'unknown';
      readonly reason: string;
      /** How far it got: no violation within this many steps. */
      readonly depth: number;
    };

export interface Result {
  readonly property: string;
  readonly role: 'goal' | 'lemma' | 'structure';
  readonly engine: EngineName;
  readonly outcome: Outcome;
  readonly ms: number;
}

/** Something that is true for the wrong reason. */
export type Vacuity =
  /** What a lemma assumes never happens. */
  | { readonly kind: 'premise'; readonly property: string }
  /** A command whose guard never holds. */
  | { readonly kind: 'guard'; readonly command: string }
  /** No state satisfies the initial condition: there are no runs at all. */
  | { readonly kind: 'start' };

/** Time and interruption, as engines see them. */
export interface Control {
  /** True when it is time to stop and say what is known. */
  readonly isOver: () => boolean;
  /** Milliseconds that are left; Infinity if there is no limit. */
  readonly remainingMs: () => number;
  readonly progress: (text: string) => void;
}

export const NO_LIMIT: Control = {
  isOver: () => false,
  remainingMs: () => Number.POSITIVE_INFINITY,
  progress: () => {},
};
