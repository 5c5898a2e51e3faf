/** The input of a command's implementation. The implementation returns the exit code. */
import type { OptionTable } from '../options/schema.js';
import type { Arguments } from './arguments.js';
import type { Io } from './io.js';

export interface Invocation<Options = OptionTable, Output = OptionTable> extends Arguments<Options, Output> {
  readonly io: Io;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
}

export interface Implementation {
  run(invocation: Invocation): Promise<number>;
}
