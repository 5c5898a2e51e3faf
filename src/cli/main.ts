/**
 * The entry point of the command line: it maps arguments to an exit code.
 *
 * It loads only the modules that a command uses: `redzone --version` loads almost nothing, and a
 * command loads its own file and, through the public API, the modules of its function.
 */
import { ownVersion } from '../platform/own-version.js';
import { type Io, processIo } from './io.js';

/** Tests call `main` in their own processes. */
let ownsThisProcess = false;

export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  if (args[0] === '--version' || args[0] === '-V') {
    io.stdout.write(`${ownVersion()}\n`);
    return 0;
  }
  // All arguments are a compiler's.
  if (args[0] === 'cc' && args.length > 1 && !(args.length === 2 && args[1] === '--help')) {
    const { runCompiler, startCompiler } = await import('./cc-command.js');
    return (ownsThisProcess ? startCompiler : runCompiler)(args.slice(1), io);
  }
  const [{ dispatch }, { allowV8Flags, declareOwnProcess }] = await Promise.all([
    import('./dispatch.js'),
    import('../platform/node.js'),
  ]);
  allowV8Flags();
  if (ownsThisProcess) declareOwnProcess();
  return dispatch(args, io);
}

/**
 * The entry point of the process. An exception that no handler catches is an internal error; Node
 * would exit with 1, which means "findings".
 *
 * `explore` uses hundreds of modules and is started from one script (`load-script.ts`).
 */
export async function start(): Promise<void> {
  const args = process.argv.slice(2);
  process.on('uncaughtException', async error => {
    const [{ defectReport }, { exitCodes }] = await Promise.all([
      import('./defect.js'),
      import('./exit-codes.js'),
    ]);
    process.stderr.write(defectReport(error, args));
    process.exit(exitCodes.defect);
  });
  if (args[0] !== 'explore') return startHere();
  const { runFromScript } = await import('../platform/load-script.js');
  await runFromScript(args[0]);
}

/** Runs the command with the modules of the file that this function is in. */
export async function startHere(): Promise<void> {
  ownsThisProcess = true;
  process.exitCode = await main(process.argv.slice(2));
}
