/**
 * The types that all functions of the library share: the program, progress events, and
 * cancellation.
 */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { Given } from '../options/schema.js';
import type { clang } from '../options/shared.js';

/** A file by its path, C source text, or a unit that `redzone cc` has compiled. */
export type ProgramInput = string | { readonly name: string; readonly text: string } | CompiledInput;

/** A unit of an object, an archive or a program that `redzone cc` has made. */
export interface CompiledInput {
  /** The name of the source. */
  readonly name: string;
  /** The same for equal IR. */
  readonly key: string;
  /** The deflated text, or the linked program and the unit in it. */
  readonly ir: Uint8Array | { readonly program: string; readonly unit: number };
  /** Weak definitions, which the definitions of other inputs replace. */
  readonly weakened: readonly string[];
  /** Whether its source or a header has comments that suppress findings. */
  readonly hasIgnoreComments: boolean;
}

export function nameOfInput(input: ProgramInput): string {
  return typeof input === 'string' ? input : input.name;
}

export function isCompiled(input: ProgramInput): input is CompiledInput {
  return typeof input !== 'string' && 'ir' in input;
}

/** The sources, and the flags with which they are compiled. */
export interface ProgramOptions extends Given<typeof clang> {
  /** `.c` and `.ll` files, linked into one program. */
  readonly inputs: readonly ProgramInput[];
  /** clang's flags: `-I -D -U -std= -include -O`. */
  readonly clangFlags?: readonly string[];
}

/** The options of an engine that describe the program. */
export function programIn({ inputs, clangFlags = [], clang: path }: ProgramOptions): ProgramOptions {
  return { inputs, clangFlags, clang: path };
}

/** The counters of a command; each command uses some of them. */
export interface ProgressCounts {
  /** Set for work with a known end: attacks run, measurements made, properties decided. */
  readonly done?: number;
  readonly total?: number;
  /** `explore`: paths that have ended, and live states. */
  readonly paths?: number;
  readonly states?: number;
  /** `explore`: paths with an error; `fuzz`: errors found. */
  readonly errors?: number;
  /** `explore`: basic blocks that some path has run, of those that the program has. */
  readonly coveredBlocks?: number;
  readonly knownBlocks?: number;
  /**
   * `explore`: IR instructions executed, milliseconds in the solver and since the exploration
   * began.
   */
  readonly instructions?: number;
  readonly solverMs?: number;
  readonly runMs?: number;
  /** `fuzz`: inputs that were run, and edges that they cover. */
  readonly runs?: number;
  readonly edges?: number;
}

export type RunEvent =
  /** A new phase of the work has begun: "compiling a.c". */
  | { readonly kind: 'phase'; readonly text: string }
  /** How far the work is: as text ("1,204 paths, 3 with errors"), and in numbers. */
  | { readonly kind: 'progress'; readonly text: string; readonly counts: ProgressCounts }
  /** A warning about the input, which does not stop the work. */
  | { readonly kind: 'warning'; readonly diagnostic: Diagnostic }
  /** The program under test has written something. */
  | {
      readonly kind: 'output';
      readonly stream: 'stdout' | 'stderr';
      readonly bytes: Uint8Array;
      /** The output has already been written to the standard streams of this process (`echoes`). */
      readonly isShown?: true;
    };

/**
 * Progress events and cancellation. An aborted call that returns a report or a comparison resolves
 * with partial results, whatever its phase; a call without partial results (`compileToIr`,
 * `doctor`) rejects with the reason of the signal.
 */
export interface RunControl {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/**
 * The reason of a signal that aborts because of the time limit; any other reason means that the
 * user has stopped the work.
 */
export class TimeLimit extends Error {
  constructor(maxTimeMs: number) {
    super(`stopped after ${maxTimeMs / 1000} s`);
    this.name = 'AbortError';
  }
}
