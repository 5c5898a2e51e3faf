/** Finds the command, runs it, and turns whatever it throws into a message and an exit code: the only place that does. */
import { InputError } from '../index.js';
import { parseArguments, UsageError } from './arguments.js';
import { closest } from './closest.js';
import { type CommandName, commands, isCommandName } from './command-table.js';
import { defectReport } from './defect.js';
import { exitCodes } from './exit-codes.js';
import { commandHelp, overview } from './help.js';
import { implementations, isBuilt } from './implementations.js';
import { interruptible } from './interrupt.js';
import type { Io } from './io.js';
import { printDiagnostics, printJsonError, terminalOf } from './print.js';

export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    return explainFailure(error, args, io);
  }
}

async function run([name, ...args]: readonly string[], io: Io): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(overview(isBuilt));
    return exitCodes.clean;
  }
  if (!isCommandName(name)) throw unknownCommand(name);
  const ownArgs = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const help = ownArgs.find(arg => arg === '--help' || arg === '-h' || arg === '--help=all');
  if (help !== undefined) {
    io.stdout.write(commandHelp(name, help === '--help=all' ? 'all' : 'usual', isBuilt));
    return exitCodes.clean;
  }
  return runCommand(name, args, io);
}

async function runCommand(command: CommandName, args: readonly string[], io: Io): Promise<number> {
  const load = implementations[command];
  if (load === undefined) {
    const built = Object.keys(commands).filter(name => isBuilt(name as CommandName));
    throw new UsageError(`\`redzone ${command}\` is not built yet`, `this version has ${built.join(', ')}`);
  }
  const parsed = parseArguments(command, args);
  const implementation = await load();
  return interruptible(io, signal => implementation.run({ ...parsed, io, signal }));
}

function unknownCommand(name: string): UsageError {
  if (/\.(c|ll)$/.test(name))
    return new UsageError(`'${name}' is not a command`, `did you mean \`redzone check ${name}\`?`);
  const guess = closest(name, Object.keys(commands));
  const help =
    guess === undefined ? '`redzone --help` lists the commands' : `did you mean \`redzone ${guess}\`?`;
  return new UsageError(`'${name}' is not a command`, help);
}

function explainFailure(error: unknown, args: readonly string[], io: Io): number {
  const json = args.includes('--json');
  const command = args[0] ?? '';
  if (error instanceof UsageError || error instanceof InputError) {
    const diagnostics =
      error instanceof InputError
        ? error.diagnostics
        : [
            {
              severity: 'error' as const,
              message: error.message,
              ...(error.help !== undefined && { help: error.help }),
            },
          ];
    printDiagnostics(diagnostics, terminalOf(io, 'stderr'));
    if (json)
      printJsonError(io, command, { kind: error instanceof InputError ? 'input' : 'usage', diagnostics });
    return exitCodes.badInput;
  }
  if (error instanceof Error && error.name === 'AbortError') {
    if (json) printJsonError(io, command, { kind: 'interrupted', diagnostics: [] });
    return exitCodes.inconclusive;
  }
  io.stderr.write(defectReport(error, args));
  if (json) {
    const diagnostics = [{ severity: 'error' as const, message: String(error) }];
    printJsonError(io, command, { kind: 'defect', diagnostics });
  }
  return exitCodes.defect;
}
