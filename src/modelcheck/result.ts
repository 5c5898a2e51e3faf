/**
 * The result of an engine for one property, and its progress reports.
 *
 * **Invariant:** no answer of an engine is trusted. A proof has a certificate that separate code
 * has checked, a refutation a trace that was run step by step on the model (`replay-trace.ts`); if
 * either fails, that is an internal error.
 */
import type { EngineName } from './engine-names.js';
import type { State } from './system.js';

export interface TraceStep {
  /** The command that led to the state; absent for the first. */
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
      /** The form of the proof, and how it was checked independently. */
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
  /** The premise of a lemma never holds. */
  | { readonly kind: 'premise'; readonly property: string }
  /** A command whose guard never holds. */
  | { readonly kind: 'guard'; readonly command: string }
  /** No state satisfies the initial condition: there are no runs at all. */
  | { readonly kind: 'start' };

/** Time and interruption, as engines see them. */
export interface Control {
  /** True when it is time to stop and report. */
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
