/**
 * `redzone cc ARGS`: all arguments are those of gcc or clang, so no table of options reads them.
 */
import { cc } from '../index.js';
import { allowV8Flags, optimizeLater } from '../platform/node.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';

/** In a process that does nothing else. */
export function startCompiler(args: readonly string[], io: Io): Promise<number> {
  // These are the flags of other commands, too: V8 loads saved code only under the same flags.
  optimizeLater();
  return runCompiler(args, io);
}

export function runCompiler(args: readonly string[], io: Io): Promise<number> {
  allowV8Flags();
  return cc(args, {
    writeStdout: text => io.stdout.write(text),
    writeStderr: text => io.stderr.write(text),
    readStdin: () => io.readStdin(new AbortController().signal),
    env: io.env,
  });
}

/** Without any argument. */
export const run = ({ io }: Invocation): Promise<number> => runCompiler([], io);
