/**
 * The program that a command line names: its files, `-` for standard input, and the flags for
 * clang.
 */
import {
  type CheckOptions,
  isLinkedProgram,
  linkedInputs,
  type ProgramInput,
  type ProgramOptions,
} from '../index.js';
import type { Given } from '../options/schema.js';
import type { shown } from '../options/shared.js';
import { isPipe, readFileIfAny, readPipe } from '../platform/files.js';
import type { Invocation } from './invocation.js';
import { UsageError } from './usage-error.js';

export async function programOf({
  operands,
  clangFlags,
  io,
  signal,
}: Pick<Invocation, 'operands' | 'clangFlags' | 'io' | 'signal'>): Promise<ProgramOptions> {
  if (operands.length === 0)
    throw new UsageError('no file given', 'name one or more .c or .ll files, or - for stdin');
  const inputs: ProgramInput[] = [];
  for (const operand of operands) {
    if (operand === '-') {
      const text = await io.readStdin(signal);
      io.sources.set('<stdin>', text);
      inputs.push({ name: '-', text });
    } else if (isPipe(operand)) {
      // As of `<(command)`: it can be read once, and the engines read sources as often as they
      // like.
      const text = new TextDecoder().decode(await readPipe(operand, signal));
      io.sources.set(operand, text);
      inputs.push({ name: operand, text });
    } else if (isLinkedProgram(operand)) inputs.push(...linkedInputs(operand));
    else {
      refuseOther(operand);
      inputs.push(operand);
    }
  }
  return { inputs, clangFlags };
}

/** C, IR, and what a preprocessor writes. */
const sourceNames = /\.(c|h|i|ll)$/;

/** A file of data among the sources is mostly an argument of the program that lacks its `--`. */
function refuseOther(operand: string): void {
  // A file that cannot be read is reported where it is read.
  if (sourceNames.test(operand) || readFileIfAny(operand) === undefined) return;
  const isCpp = /\.(cc|cpp|cxx|C|c\+\+|hpp|hh)$/.test(operand);
  throw new UsageError(
    `'${operand}' is ${isCpp ? 'C++' : 'no C'} by its name`,
    isCpp
      ? 'Redzone reads C: `.c` and `.ll` files'
      : `an argument of the program stands behind \`--\`; C in a file of another name is read by \`- < ${operand}\``,
  );
}

/** The program shares our streams; with `--json` standard output is not the program's. */
export function stdioOf({ json }: Given<Pick<typeof shown, 'json'>>): NonNullable<CheckOptions['stdio']> {
  return json ? 'inherit-stderr' : 'inherit';
}
