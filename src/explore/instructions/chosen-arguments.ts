/**
 * Concretizes symbolic arguments of C library functions whose loops would otherwise fork at each
 * iteration without benefit: functions that print numbers, and functions of floats that are long
 * divisions or series.
 *
 *     printf("%d", n)              to standard output    one value is shown, and the path keeps all values
 *     fprintf(file, "%d", n)       to anything else      the path is restricted to this value, which is noted, because the text may be read again
 *     "%c" and "%s"                                      all values of the characters, wherever they go
 */
import type { Type } from '../../ir/types.js';
import { load } from '../access/access.js';
import { withLabel } from '../access/labelled-values.js';
import { textAt } from '../natives/text.js';
import type { Running } from '../state/running.js';
import {
  floatFromBits,
  isSymbolic,
  type Known,
  type RegisterValue,
  type Scalar,
  scalarOf,
} from '../values/register-value.js';

type Chooser = (machine: Running, value: Scalar) => Known;

/** Replaces the arguments of a call of such a function. */
type ChooseArguments = (machine: Running, types: readonly Type[], args: RegisterValue[]) => void;

interface Printer {
  /** The index of the format. */
  readonly format: number;
  /** Whether the text is only shown. */
  readonly isShown: (machine: Running, args: readonly RegisterValue[]) => boolean;
}

const never = (): boolean => false;

const printers: Readonly<Record<string, Printer>> = {
  printf: { format: 0, isShown: machine => isShown(machine, fdOf(machine, standardOutput(machine))) },
  fprintf: { format: 1, isShown: (machine, [stream]) => isShown(machine, fdOf(machine, scalarOf(stream!))) },
  dprintf: { format: 1, isShown: (machine, [fd]) => isShown(machine, scalarOf(fd!)) },
  sprintf: { format: 1, isShown: never },
  snprintf: { format: 2, isShown: never },
  asprintf: { format: 1, isShown: never },
};

const series = ['fmod', 'remainder', 'drem', 'remquo', 'fma', 'hypot']
  .concat(['erf', 'erfc', 'tgamma', 'lgamma', 'j0', 'j1', 'jn', 'y0', 'y1', 'yn'])
  .flatMap(name => [name, `${name}f`]);

const forSeries: ChooseArguments = (machine, types, args) => {
  for (let i = 0; i < args.length; i++) args[i] = chosen(machine, oneFloat, types[i]!, args[i]!);
};

const oneFloat: Chooser = (machine, value) => machine.fewValues(value, 'a symbolic float');
const onePrinted: Chooser = (machine, value) => machine.fewValues(value, 'a printed number');
const oneShown: Chooser = (machine, value) => machine.concretizeQuietly(value);

function forPrinting({ format, isShown }: Printer): ChooseArguments {
  return (machine, types, args) => {
    if (!args.some((arg, i) => types[i]!.kind !== 'pointer' && isSymbolic(arg))) return;
    const choose = isShown(machine, args) ? oneShown : onePrinted;
    const conversions = conversionsOf(textAt(machine, scalarOf(args[format]!)));
    for (let i = 0; i < args.length; i++)
      if (conversions?.[i - format - 1] !== 'c') args[i] = chosen(machine, choose, types[i]!, args[i]!);
  };
}

function chosen(machine: Running, choose: Chooser, type: Type, value: RegisterValue): RegisterValue {
  if (type.kind === 'integer') {
    const word = scalarOf(value);
    const label = isSymbolic(word) ? machine.flows.labelOf(machine.state, word) : undefined;
    const one = choose(machine, word);
    // The text of a labelled number is labelled; the path knows its single value.
    return label === undefined ? one : withLabel(machine, one, type.bits, label);
  }
  if (type.kind !== 'float' || !isSymbolic(value) || type.bits === 128) return value;
  return floatFromBits(type.bits, choose(machine, value));
}

/** Indexed by the name of the function. */
export const chosenArguments: ReadonlyMap<string, ChooseArguments> = new Map([
  ...Object.entries(printers).map(([name, printer]) => [name, forPrinting(printer)] as const),
  ...series.map(name => [name, forSeries] as const),
]);

const conversion = /%(?:%|[-+ #0'I]*(\*|\d*)(?:\.(\*|\d*))?(hh?|ll?|[qjztL])?([a-zA-Z]))/g;

/**
 * The conversion of each argument after a format, `*` for a width or precision; undefined if
 * arguments are selected by number.
 */
function conversionsOf(format: string): string[] | undefined {
  if (/%\d+\$/.test(format)) return undefined;
  return Array.from(format.matchAll(conversion), ([, width, precision, size, letter]) => [
    ...(width === '*' ? ['*'] : []),
    ...(precision === '*' ? ['*'] : []),
    // A wide character becomes several bytes.
    ...(letter === undefined || letter === 'm' ? [] : [letter === 'c' && size === 'l' ? 'C' : letter]),
  ]).flat();
}

// Offsets in the library's structures that show where a stream writes:
// `runtime/libc/internal/file.h` and `fd.h`.
const FILE_FD = 56;
const DESCRIPTOR_BYTES = 16;
const OPEN_FILE_HANDLE = 0;
const OPEN_FILE_FUNCTIONS = 16;

function standardOutput(machine: Running): Scalar {
  const stdout = machine.program.variableNamed('stdout');
  return stdout === undefined ? 0 : load(machine, stdout, 8);
}

function fdOf(machine: Running, stream: Scalar): Scalar {
  return typeof stream === 'object' || stream === 0 ? -1 : load(machine, Number(stream) + FILE_FD, 4, stream);
}

/** Whether a descriptor is standard output or error, which the program cannot read back. */
function isShown(machine: Running, fd: Scalar): boolean {
  const table = machine.program.variableNamed('__rz_descriptors');
  if (table === undefined || typeof fd === 'object' || !(fd >= 0 && fd < 256)) return false;
  const file = load(machine, table + Number(fd) * DESCRIPTOR_BYTES, 8, table);
  if (typeof file === 'object' || file === 0) return false;
  const at = Number(file);
  const isOwn = load(machine, at + OPEN_FILE_FUNCTIONS, 8, at) !== 0;
  return !isOwn && machine.state.host.isOutput(Number(load(machine, at + OPEN_FILE_HANDLE, 4, at)));
}
