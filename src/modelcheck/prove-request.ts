/**
 * The request of `redzone prove`, as plain data that can be sent to a worker, and the answer.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { Domain } from './expression.js';
import type { LfhtParameters } from './models/lfht.js';
import type { ProofOptions, ProofReport } from './prove-system.js';
import type { Result } from './result.js';

export type ModelRequest =
  /** A model that comes with Redzone, by name. */
  | {
      readonly kind: 'built-in';
      readonly name: string;
      /**
       * A range: for every number of threads in it at once, by one proof; without an end, for all.
       */
      readonly threads?: number | { readonly from: number; readonly to?: number } | undefined;
      /** Every thread by its name instead of counting them. */
      readonly named?: boolean | undefined;
      readonly lfht?: Partial<LfhtParameters>;
    }
  | { readonly kind: 'file'; readonly file: string; readonly text: string }
  /** The hash table that ships, in all interleavings of some operations. */
  | {
      readonly kind: 'code';
      readonly threads: number;
      /** The operations of each thread: `add add find`. */
      readonly operations: string;
      /** Entries in the table before. */
      readonly entries?: number | undefined;
      readonly capacity?: number | undefined;
      readonly tax?: number | undefined;
    };

export interface ProveRequest extends ProofOptions {
  readonly model: ModelRequest;
  readonly maxTimeMs?: number | undefined;
}

export type ProveEvent =
  | { readonly kind: 'system'; readonly system: SystemOutline }
  | { readonly kind: 'result'; readonly system: string; readonly result: Result }
  | { readonly kind: 'progress'; readonly text: string };

/** The data that is needed to show the results of a system. */
export interface SystemOutline {
  readonly name: string;
  readonly variables: readonly { readonly name: string; readonly domain: Domain }[];
  readonly commands: number;
  readonly properties: readonly { readonly name: string; readonly role: string; readonly text?: string }[];
}

export type ProveAnswer =
  | { readonly kind: 'invalid'; readonly diagnostic: Diagnostic }
  | { readonly kind: 'done'; readonly reports: readonly ({ readonly system: string } & ProofReport)[] };
