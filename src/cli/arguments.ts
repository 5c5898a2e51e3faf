/**
 * Parsing of a command's arguments, driven by the table of options.
 *
 * Not a library, because half of the options are clang's: `-Idir`, `-I dir`, `-std=c11`, `-include x.h`, `-O2` are one dash and many
 * letters, which the libraries read as bundles of short options. Ours are `--long`, `--long=value`, `--long value`,
 * and a single letter after one dash. Every other argument with one dash goes to clang's front end, in order, which
 * says so if it does not know it.
 *
 *     redzone check -q --max-time=10s -I inc -DN=3 a.c b.c -- x y
 *                   ^^^^^^^^^^^^^^^^^ ^^^^^^^^^^^^ ^^^^^^^ ^^^^^^
 *                   options           clangFlags   operands  programArgs
 */

import { closestTo } from '../support/closest.js';
import { type CommandName, commands } from './command-table.js';
import { type OptionName, type OptionSpec, options, type ParsedOptions } from './option-table.js';

export interface Arguments {
  readonly options: ParsedOptions;
  readonly clangFlags: readonly string[];
  readonly operands: readonly string[];
  /** What stands behind `--`. */
  readonly programArgs: readonly string[];
}

/** The command line cannot be understood; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}

export function parseArguments(command: CommandName, args: readonly string[]): Arguments {
  const spec = commands[command];
  const names = [...spec.options, ...spec.more];
  const byFlag = new Map(names.flatMap(name => options[name].flags.map(flag => [flag, name] as const)));
  const takesClangFlags = names.some(name => options[name].kind === 'clang');
  const values: Partial<Record<OptionName, unknown>> = {};
  const clangFlags: string[] = [];
  const operands: string[] = [];
  let programArgs: readonly string[] = [];

  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--') {
      programArgs = args.slice(i + 1);
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) {
      operands.push(arg);
      continue;
    }
    const [flag, joined] = splitAtEquals(arg);
    const name = byFlag.get(flag);
    if (name !== undefined && options[name].kind !== 'clang') {
      const option = options[name];
      if (option.kind === 'flag') {
        if (joined !== undefined) throw new UsageError(`${flag} takes no value`);
        values[name] = true;
        continue;
      }
      if (option.kind === 'numbers' && joined === undefined) {
        const count = option.value!.split(' ').length;
        values[name] = readNumbers(flag, option, args.slice(i + 1, i + 1 + count));
        i += count;
        continue;
      }
      const text = joined ?? args[++i];
      if (text === undefined)
        throw new UsageError(`${flag} needs a value`, `${flag} ${option.value}: ${option.help}`);
      values[name] = readValue(flag, option, text, values[name]);
    } else if (takesClangFlags && !arg.startsWith('--')) {
      clangFlags.push(arg);
      if (separableFlags.has(arg)) {
        const value = args[++i];
        if (value === undefined) throw new UsageError(`${arg} needs a value`);
        clangFlags.push(value);
      }
    } else {
      throw unknownOption(command, flag, [...byFlag.keys()]);
    }
  }
  // The table gives each option's kind and `readValue` reads it by that kind: this is where values meet their types.
  return { options: values as ParsedOptions, clangFlags, operands, programArgs };
}

/** clang's flags whose value may be an argument of its own; the last two are known to it, though not in our table. */
const separableFlags: ReadonlySet<string> = new Set([
  ...Object.values(options).flatMap(option => (option.separable ? option.flags : [])),
  '-isystem',
  '-iquote',
]);

function splitAtEquals(arg: string): [flag: string, joined: string | undefined] {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals === -1 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function readValue(flag: string, option: OptionSpec, text: string, earlier: unknown): unknown {
  const bad = (expected: string): UsageError => new UsageError(`${flag} needs ${expected}, not '${text}'`);
  switch (option.kind) {
    case 'number': {
      if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) throw bad('a whole number');
      if (Number(text) < (option.least ?? 0)) throw bad(`at least ${option.least}`);
      return Number(text);
    }
    case 'numbers':
      return readNumbers(flag, option, text.split(','));
    case 'duration': {
      const value = readQuantity(text, { ms: 1, s: 1000, min: 60_000, h: 3_600_000 }, 's');
      if (value === undefined) throw bad('a time such as 500ms, 10s or 5min');
      return value;
    }
    case 'bytes': {
      const value = readQuantity(text, { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 }, 'b');
      if (value === undefined) throw bad('a size such as 512MB or 2GB');
      if (value < (option.least ?? 0)) throw bad(`at least ${option.least! / 2 ** 10}KB`);
      return value;
    }
    case 'choice': {
      if (!option.choices?.includes(text)) throw bad(`one of ${option.choices?.join(', ')}`);
      return text;
    }
    case 'list':
      return [...((earlier as readonly string[] | undefined) ?? []), text];
    default:
      return text;
  }
}

function readNumbers(flag: string, { value = '', help }: OptionSpec, texts: readonly string[]): number[] {
  const isWhole = (text: string): boolean => /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
  if (texts.length !== value.split(' ').length || !texts.every(isWhole))
    throw new UsageError(`${flag} needs the numbers ${value}`, `${flag} ${value}: ${help}`);
  return texts.map(Number);
}

function readQuantity(
  text: string,
  units: Readonly<Record<string, number>>,
  usual: string,
): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-z]*)$/i.exec(text);
  if (match === null) return undefined;
  const factor = units[(match[2] || usual).toLowerCase()];
  return factor === undefined ? undefined : Math.round(Number(match[1]) * factor);
}

function unknownOption(command: string, flag: string, known: readonly string[]): UsageError {
  const guess = closestTo(flag, known);
  return new UsageError(
    `\`redzone ${command}\` has no option ${flag}`,
    guess === undefined ? `\`redzone ${command} --help=all\` lists its options` : `did you mean ${guess}?`,
  );
}
