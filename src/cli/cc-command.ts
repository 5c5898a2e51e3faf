/**
 * `redzone cc ARGS`: all arguments are those of gcc or clang, so no table of options reads them.
 */
import { cc } from '../index.js';
import { allowV8Flags } from '../platform/node.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';

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
