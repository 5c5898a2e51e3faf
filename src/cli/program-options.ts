/** The program that a command line names: its files, `-` for standard input, and the flags for clang. */
import { type CheckKind, type ProgramInput, type ProgramOptions, parseChecks } from '../index.js';
import { readFileIfAny, whyUnreadable } from '../platform/files.js';
import { UsageError } from './arguments.js';
import type { Invocation } from './invocation.js';

export async function programOf({
  operands,
  clangFlags,
  options,
  io,
  signal,
}: Invocation): Promise<ProgramOptions> {
  if (operands.length === 0)
    throw new UsageError('no file given', 'name one or more .c or .ll files, or - for stdin');
  const inputs: ProgramInput[] = [];
  for (const operand of operands) {
    if (operand !== '-') {
      inputs.push(operand);
      continue;
    }
    const text = await io.readStdin(signal);
    io.sources.set('<stdin>', text);
    inputs.push({ name: '-', text });
  }
  return { inputs, clangFlags, ...(options.clang !== undefined && { clang: options.clang }) };
}

/** What `--file` names, by these names. */
export function filesOf(names: readonly string[]): Record<string, Uint8Array> {
  return Object.fromEntries(
    names.map(name => {
      const bytes = readFileIfAny(name);
      if (bytes === undefined) throw new UsageError(`--file ${name}: ${whyUnreadable(name, name)}`);
      return [name, bytes];
    }),
  );
}

/** What `--checks` names. */
export function checksOf(text: string): CheckKind[] {
  const checks = parseChecks(text);
  if (checks === undefined)
    throw new UsageError(
      `--checks ${text}: not a list of checks`,
      'the checks are spatial, temporal, init, undefined, leaks; -leaks is all but leaks',
    );
  return checks;
}
