/**
 * Finds the command, runs it, and turns whatever it throws into a message and an exit code. No
 * other module does this.
 */
import { type Diagnostic, InputError, TimeLimit } from '../index.js';
import { type CommandName, type CommandSpec, commands, isCommandName } from '../options/commands.js';
import type { Given } from '../options/schema.js';
import type { maxTime, shown } from '../options/shared.js';
import { closestTo } from '../support/closest.js';
import { firstOperand, parseArguments } from './arguments.js';
import { defectReport } from './defect.js';
import { exitCodes } from './exit-codes.js';
import { commandHelp, overview } from './help.js';
import { implementations } from './implementations.js';
import { interruptible } from './interrupt.js';
import type { Implementation } from './invocation.js';
import type { Io } from './io.js';
import { type JsonError, printDiagnostics, printJsonError, terminalOf } from './print.js';
import { UsageError } from './usage-error.js';

export async function dispatch(args: readonly string[], io: Io): Promise<number> {
  try {
    return await run(args, io);
  } catch (error) {
    return explainFailure(error, args, io);
  }
}

async function run([name, ...args]: readonly string[], io: Io): Promise<number> {
  // `redzone help COMMAND` is `redzone COMMAND --help`.
  if (name === 'help' && args[0] !== undefined) return run([...args, '--help'], io);
  if (name === undefined || /^(--help(=all)?|-h|help)$/.test(name)) {
    io.stdout.write(overview());
    return exitCodes.clean;
  }
  if (!isCommandName(name)) throw unknownCommand(name);
  const help = ownArguments(args).find(arg => arg === '--help' || arg === '-h' || arg === '--help=all');
  if (help !== undefined) {
    const subcommand = ownArguments(args)[subcommandIndex(commands[name], args)];
    io.stdout.write(commandHelp(name, subcommand, help === '--help=all' ? 'all' : 'usual'));
    return exitCodes.clean;
  }
  return runCommand(name, args, io);
}

async function runCommand(command: CommandName, args: readonly string[], io: Io): Promise<number> {
  const load = implementations[command];
  if (typeof load === 'function') return runWith(command, commands[command], load, args, io);
  const { subcommands = {} } = commands[command];
  const names = Object.keys(subcommands);
  const index = subcommandIndex(commands[command], args);
  const name = args[index];
  if (name === undefined || name === '--')
    throw new UsageError('no subcommand given', `the subcommands are ${names.join(', ')}`);
  if (!Object.hasOwn(subcommands, name)) throw unknownSubcommand(command, name, names);
  return runWith(`${command} ${name}`, subcommands[name]!, load[name]!, args.toSpliced(index, 1), io);
}

/** The index of a command's subcommand among its arguments. */
function subcommandIndex({ subcommands = {} }: CommandSpec, args: readonly string[]): number {
  return firstOperand(Object.values(subcommands), args);
}

async function runWith(
  name: string,
  spec: CommandSpec,
  load: () => Promise<Implementation>,
  args: readonly string[],
  io: Io,
): Promise<number> {
  const parsed = parseArguments(name, spec, args);
  const { color }: Given<Pick<typeof shown, 'color'>> = parsed.output;
  io.color = color ?? 'auto';
  const implementation = await load();
  const { maxTimeMs }: Given<typeof maxTime> = parsed.options;
  return interruptible(io, maxTimeMs, signal => implementation.run({ ...parsed, io, signal }));
}

function unknownCommand(name: string): UsageError {
  if (/\.(c|ll)$/.test(name))
    return new UsageError(`'${name}' is not a command`, `did you mean \`redzone check ${name}\`?`);
  const guess = closestTo(name, Object.keys(commands));
  const help =
    guess === undefined ? '`redzone --help` lists the commands' : `did you mean \`redzone ${guess}\`?`;
  return new UsageError(`'${name}' is not a command`, help);
}

function unknownSubcommand(command: string, name: string, names: readonly string[]): UsageError {
  const guess = closestTo(name, names);
  return new UsageError(
    `\`redzone ${command}\` has no subcommand '${name}'`,
    guess === undefined
      ? `the subcommands are ${names.join(', ')}`
      : `did you mean \`redzone ${command} ${guess}\`?`,
  );
}

function explainFailure(error: unknown, args: readonly string[], io: Io): number {
  const { exitCode, ...failure } = failureOf(error);
  if (failure.kind === 'defect') io.stderr.write(defectReport(error, args));
  else printDiagnostics(failure.diagnostics, terminalOf(io, 'stderr'));
  if (ownArguments(args).includes('--json')) printJsonError(io, args[0] ?? '', failure);
  return exitCode;
}

function failureOf(error: unknown): JsonError & { readonly exitCode: number } {
  if (error instanceof InputError) {
    return { kind: 'input', diagnostics: error.diagnostics, exitCode: exitCodes.badInput };
  }
  if (error instanceof UsageError) {
    const { message, help } = error;
    const diagnostic: Diagnostic = { severity: 'error', message, ...(help !== undefined && { help }) };
    return { kind: 'usage', diagnostics: [diagnostic], exitCode: exitCodes.badInput };
  }
  if (error instanceof Error && error.name === 'AbortError') {
    const message = error instanceof TimeLimit ? error.message : undefined;
    const diagnostics: Diagnostic[] = message === undefined ? [] : [{ severity: 'note', message }];
    return { kind: 'interrupted', diagnostics, exitCode: exitCodes.inconclusive };
  }
  const diagnostic: Diagnostic = { severity: 'error', message: String(error) };
  return { kind: 'defect', diagnostics: [diagnostic], exitCode: exitCodes.defect };
}

/** Drops the arguments of the program under test, which follow `--`. */
function ownArguments(args: readonly string[]): readonly string[] {
  return args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
}
