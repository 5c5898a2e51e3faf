/**
 * The command line's entry: arguments in, exit code out.
 *
 * A start loads only what it uses: `redzone --version` next to nothing, a command its own file and, through the public
 * API, what its function needs.
 */
import { ownVersion } from '../platform/own-version.js';
import { type Io, processIo } from './io.js';

export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  if (args[0] === '--version' || args[0] === '-V') {
    io.stdout.write(`${ownVersion()}\n`);
    return 0;
  }
  const { dispatch } = await import('./dispatch.js');
  return dispatch(args, io);
}
