/**
 * Reads the program from the command line: its files, `-` for standard input, and the flags for
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
      // A pipe such as `<(command)` can be read only once, but the engines read sources several
      // times, so its text is kept.
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

/** The extensions of C, IR and preprocessed C. */
const sourceNames = /\.(c|h|i|ll)$/;

/**
 * Rejects a data file among the sources: mostly an argument of the program whose `--` is missing.
 */
function refuseOther(operand: string): void {
  // A file that cannot be read is reported by the code that reads it.
  if (sourceNames.test(operand) || readFileIfAny(operand) === undefined) return;
  const isCpp = /\.(cc|cpp|cxx|C|c\+\+|hpp|hh)$/.test(operand);
  throw new UsageError(
    `'${operand}' is ${isCpp ? 'a C++ file' : 'not a C file'}`,
    isCpp
      ? 'Redzone reads C: `.c` and `.ll` files'
      : (helpFor(operand) ??
          `arguments of the program follow \`--\`; to read C from a file with another suffix, use \`- < ${operand}\``),
  );
}

/** The help for an operand that a build makes, such as an object file. */
function helpFor(operand: string): string | undefined {
  if (/(^|\/)compile_commands\.json$/.test(operand)) return '`check -p FOLDER` reads the file in FOLDER';
  return /\.(o|a|so)$/.test(operand)
    ? '`redzone cc` links objects and libraries that it has made; `check`, `explore` and `fuzz` take the program'
    : undefined;
}

/**
 * The program shares our streams. With `--json`, its output goes to standard error, because
 * standard output holds the JSON.
 */
export function stdioOf({ json }: Given<Pick<typeof shown, 'json'>>): NonNullable<CheckOptions['stdio']> {
  return json ? 'inherit-stderr' : 'inherit';
}
