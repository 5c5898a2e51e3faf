/** The requests of the campaign to its workers, and their replies. */
import type { Finding } from '../findings/finding.js';
import type { FileCoverage } from '../findings/line-coverage.js';
import type { Feature, TargetRequest } from './fuzz-target.js';

/** The origin of an input: random bytes, a coverage-guided mutation, the explorer. */
export type Box = 'black' | 'grey' | 'white';

export interface SearchOptions {
  readonly maxLength: number;
  readonly onlyAscii: boolean;
}

/** What making, delivering and undoing a run costs, in steps of the program. */
const stepsAroundRun = 32;

/**
 * The cost of a run: its steps (calls and loop iterations), not its time, so that a search depends
 * only on its seed.
 */
export function costOf(steps: number): number {
  return stepsAroundRun + steps;
}

/** Changes of what the campaign knows. */
export interface News {
  readonly added: readonly {
    readonly id: number;
    readonly bytes: Uint8Array;
    readonly features: Uint32Array;
  }[];
  readonly removed: readonly number[];
  readonly seen: readonly Feature[];
  /** Known errors, which are not reported again. */
  readonly errors: readonly string[];
  readonly words: readonly Uint8Array[];
}

/** A unit of the search. Its result depends only on the corpus, the words and the seed. */
export interface Task {
  /**
   * Mutations of an entry; inputs that its comparisons suggest; the entry followed by the records
   * of others; generated inputs.
   */
  readonly kind: 'mutate' | 'compare' | 'join' | 'invent';
  readonly entry: number;
  readonly seed: number;
  readonly runs: number;
  /** The task also ends when its runs have cost this much: see `costOf`. */
  readonly cost: number;
}

export interface Candidate {
  readonly bytes: Uint8Array;
  readonly features: Uint32Array;
  /** See `costOf`. */
  readonly cost: number;
  /** The longer entry with the same features. */
  readonly replaces?: number;
}

export interface ErrorReport {
  readonly bytes: Uint8Array;
  readonly finding: Finding;
  /** The number of the task's execution that found it. */
  readonly run: number;
  readonly features: Uint32Array;
  /** A mutator of the program has failed on the input, so the target need not fail on it. */
  readonly isOfMutator: boolean;
}

export interface TaskResult {
  readonly runs: number;
  readonly candidates: readonly Candidate[];
  readonly errors: readonly ErrorReport[];
  /** How often known errors were found again. */
  readonly repeated: number;
  readonly words: readonly Uint8Array[];
  /** The number of runs of a target that ended by `exit`. */
  readonly exits: number;
}

/** Executes the tasks of rounds: threads of this process, or a queue. */
export interface SearchForce {
  /** `news` are those since the last call. Undefined if the search was stopped. */
  search(tasks: readonly Task[], news: News): Promise<readonly TaskResult[] | undefined>;
}

export interface Measured {
  readonly features: Uint32Array;
  readonly cost: number;
  readonly findings: readonly Finding[];
  readonly isUnwanted: boolean;
}

export interface Started {
  readonly isStarted: boolean;
  readonly findings: readonly Finding[];
}

export type FuzzRequest =
  | { readonly kind: 'start'; readonly target: TargetRequest; readonly options: SearchOptions }
  /** `news` are those that the worker has not received yet, in order. */
  | { readonly kind: 'search'; readonly news: readonly News[]; readonly tasks: readonly Task[] }
  | { readonly kind: 'measure'; readonly inputs: readonly Uint8Array[] }
  | { readonly kind: 'minimize'; readonly input: Uint8Array; readonly error: string; readonly runs: number }
  /** In a fresh instance. */
  | { readonly kind: 'confirm'; readonly input: Uint8Array }
  | { readonly kind: 'coverage'; readonly inputs: readonly Uint8Array[] };

export type FuzzReply =
  | Started
  | readonly TaskResult[]
  | readonly Measured[]
  | Minimized
  | readonly Finding[]
  | readonly FileCoverage[];

export interface Minimized {
  readonly bytes: Uint8Array;
  readonly finding: Finding;
  readonly runs: number;
}
