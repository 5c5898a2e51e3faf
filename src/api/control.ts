/** What every function of the library shares: its input, how it tells what it is doing, and how it is stopped. */
import type { Diagnostic } from '../findings/diagnostic.js';
import type { Given } from '../options/schema.js';
import type { clang } from '../options/shared.js';

/** A file by its path, or C that is in no file. */
export type ProgramInput = string | { readonly name: string; readonly text: string };

/** What to compile, and how. */
export interface ProgramOptions extends Given<typeof clang> {
  /** `.c` and `.ll` files, linked into one program. */
  readonly inputs: readonly ProgramInput[];
  /** As clang spells them: `-I -D -U -std= -include -O`. */
  readonly clangFlags?: readonly string[];
}

/** The part of an engine's options that is about the program. */
export function programIn({ inputs, clangFlags = [], clang: path }: ProgramOptions): ProgramOptions {
  return { inputs, clangFlags, clang: path };
}

export type RunEvent =
  /** A new phase of the work has begun: "compiling a.c". */
  | { readonly kind: 'phase'; readonly text: string }
  /** Something to show beside it while it lasts: "1,204 paths, 3 findings". */
  | { readonly kind: 'progress'; readonly text: string }
  /** A warning about the input, which does not stop the work. */
  | { readonly kind: 'warning'; readonly diagnostic: Diagnostic }
  /** The program under test has written something. */
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly bytes: Uint8Array };

/** Progress out, cancellation in. An aborted call rejects, or returns what is known so far where it says so. */
export interface RunControl {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/** The reason of a signal that aborts because the time is over; any other reason means that the user has stopped the work. */
export class TimeLimit extends Error {
  constructor(maxTimeMs: number) {
    super(`stopped after ${maxTimeMs / 1000} s`);
    this.name = 'AbortError';
  }
}
