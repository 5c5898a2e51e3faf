/** What the campaign asks of its workers, and what they answer. */
import type { Finding } from '../findings/finding.js';
import type { Feature, TargetRequest } from './fuzz-target.js';

/** Who has made an input: random bytes, a mutation that coverage led to, the explorer. */
export type Box = 'black' | 'grey' | 'white';

export interface SearchOptions {
  readonly maxLength: number;
  readonly onlyAscii: boolean;
}

/** What has changed since the worker was last told. */
export interface News {
  readonly added: readonly {
    readonly id: number;
    readonly bytes: Uint8Array;
    readonly features: Uint32Array;
  }[];
  readonly removed: readonly number[];
  readonly seen: readonly Feature[];
  /** Errors that are known: they are not reported again. */
  readonly errors: readonly string[];
  readonly words: readonly Uint8Array[];
}

/**
 * One piece of the search. What comes of it depends on the corpus, the words and the seed, and on
 * nothing else.
 */
export interface Task {
  /**
   * Mutations of an entry; inputs that its comparisons suggest; the entry with the records of
   * others behind it; inputs made of nothing.
   */
  readonly kind: 'mutate' | 'compare' | 'join' | 'invent';
  readonly entry: number;
  readonly seed: number;
  readonly runs: number;
}

export interface Candidate {
  readonly bytes: Uint8Array;
  readonly features: Uint32Array;
  /** The entry that does the same and is longer. */
  readonly replaces?: number;
}

export interface ErrorReport {
  readonly bytes: Uint8Array;
  readonly finding: Finding;
  /** The run of the task that has found it. */
  readonly run: number;
  readonly features: Uint32Array;
}

export interface TaskResult {
  readonly runs: number;
  readonly candidates: readonly Candidate[];
  readonly errors: readonly ErrorReport[];
  /** How often errors were found that are known. */
  readonly repeated: number;
  readonly words: readonly Uint8Array[];
  /** How many runs of a target ended by `exit`. */
  readonly exits: number;
}

export interface Measured {
  readonly features: Uint32Array;
  readonly findings: readonly Finding[];
  readonly isUnwanted: boolean;
}

export interface Started {
  readonly isStarted: boolean;
  readonly findings: readonly Finding[];
}

export type FuzzRequest =
  | { readonly kind: 'start'; readonly target: TargetRequest; readonly options: SearchOptions }
  | { readonly kind: 'search'; readonly news: News; readonly task: Task }
  | { readonly kind: 'measure'; readonly inputs: readonly Uint8Array[] }
  | { readonly kind: 'minimize'; readonly input: Uint8Array; readonly error: string; readonly runs: number }
  /** In a fresh instance. */
  | { readonly kind: 'confirm'; readonly input: Uint8Array }
  /** How many of the inputs take each edge. */
  | { readonly kind: 'count'; readonly inputs: readonly Uint8Array[] };

export type FuzzReply =
  | Started
  | TaskResult
  | readonly Measured[]
  | Minimized
  | readonly Finding[]
  | Uint32Array;

export interface Minimized {
  readonly bytes: Uint8Array;
  readonly finding: Finding;
  readonly runs: number;
}
