/** The program that a command line names: its files, `-` for standard input, and the flags for clang. */
import type { ProgramInput, ProgramOptions } from '../index.js';
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
    inputs.push(operand === '-' ? { name: '-', text: await io.readStdin(signal) } : operand);
  }
  return { inputs, clangFlags, ...(options.clang !== undefined && { clang: options.clang }) };
}
