/** What every function of the library shares: its input, how it tells what it is doing, and how it is stopped. */
import type { Diagnostic } from '../findings/diagnostic.js';

/** A file by its path, or C that is in no file. */
export type ProgramInput = string | { readonly name: string; readonly text: string };

/** What to compile, and how. */
export interface ProgramOptions {
  /** `.c` and `.ll` files, linked into one program. */
  readonly inputs: readonly ProgramInput[];
  /** As clang spells them: `-I -D -U -std= -include -O`. */
  readonly clangFlags?: readonly string[];
  /** A clang of this machine, instead of the embedded one. */
  readonly clang?: string;
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
