/**
 * Parsing of a command's arguments, driven by its tables of options.
 *
 * Not a library, because half of the options are clang's: `-Idir`, `-I dir`, `-std=c11`, `-include
 * x.h`, `-O2` are one dash and many letters, which the libraries read as bundles of short options.
 * Ours are `--long`, `--long=value`, `--long value`, and a single letter after one dash. Every
 * other argument with one dash goes to clang's front end, in order, which says so if it does not
 * know it.
 *
 *     redzone check -q --max-time=10s -I inc -DN=3 a.c b.c -- x y
 *                   ^^ ^^^^^^^^^^^^^^ ^^^^^^^^^^^^ ^^^^^^^ ^^^^^^
 *               output options        clangFlags   operands  programArgs
 */

import { type CommandSpec, rowsOf } from '../options/commands.js';
import type { Given, OptionTable } from '../options/schema.js';
import { watched } from '../options/settings.js';
import { compileFlags } from '../options/shared.js';
import { closestTo } from '../support/closest.js';
import { readNumbers, readValue } from './read-value.js';
import { UsageError } from './usage-error.js';

export interface Arguments<Options = OptionTable, Output = OptionTable> {
  /** The options that are passed to the library's function. */
  readonly options: Given<Options>;
  /** The options that only the command line reads. */
  readonly output: Given<Output>;
  readonly clangFlags: readonly string[];
  readonly operands: readonly string[];
  /** The arguments after `--`, which go to the program under test. */
  readonly programArgs: readonly string[];
}

/** How the usage of a command begins what follows its `--`. */
const programArgsUsage = '-- ';

/** `name` is the command as the user types it, with its subcommand. */
export function parseArguments(name: string, spec: CommandSpec, args: readonly string[]): Arguments {
  const byFlag = rowsByFlag(spec);
  const options: Record<string, unknown> = {};
  const output: Record<string, unknown> = {};
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
    const row = byFlag.get(flag);
    if (row !== undefined && row.option.kind !== 'clang') {
      const { key, option } = row;
      const values = key in spec.options ? options : output;
      const { value, taken } = readOption(flag, option, joined, args.slice(i + 1), values[key]);
      values[key] = value;
      i += taken;
    } else if (spec.clangFlags !== undefined && !arg.startsWith('--')) {
      clangFlags.push(arg);
      if (separableFlags.has(arg)) {
        const value = args[++i];
        if (value === undefined) throw new UsageError(`${arg} needs a value`);
        clangFlags.push(value);
      }
    } else {
      throw unknownOption(name, flag, [...byFlag.keys()]);
    }
  }
  if (programArgs.length > 0 && !spec.usage.includes(programArgsUsage))
    throw new UsageError(
      `\`redzone ${name}\` takes no arguments after \`--\``,
      `its usage is \`redzone ${spec.usage}\``,
    );
  // `readValue` returns a value of the type that the row's kind prescribes; the cast states this.
  return {
    options: options as Given<OptionTable>,
    output: watched(output) as Given<OptionTable>,
    clangFlags,
    operands,
    programArgs,
  };
}

/**
 * The value of an option, and how many of the arguments after it are a part of that. `earlier` is
 * the value of an earlier occurrence.
 */
function readOption(
  flag: string,
  option: OptionTable[string],
  joined: string | undefined,
  rest: readonly string[],
  earlier: unknown,
): { readonly value: unknown; readonly taken: number } {
  if (option.kind === 'flag') {
    if (joined !== undefined) throw new UsageError(`${flag} takes no value`);
    return { value: option.negates !== true, taken: 0 };
  }
  if (option.kind === 'numbers' && joined === undefined) {
    const taken = option.fields?.length ?? 0;
    return { value: readNumbers(flag, option, rest.slice(0, taken)), taken };
  }
  const text = joined ?? rest[0];
  if (text === undefined)
    throw new UsageError(`${flag} needs a value`, `${flag} ${option.value ?? 'VALUE'}: ${option.help}`);
  return { value: readValue(flag, option, text, earlier), taken: joined === undefined ? 1 : 0 };
}

/** The first argument that is neither an option of one of these commands nor the value of one. */
export function firstOperand(specs: readonly CommandSpec[], args: readonly string[]): number {
  const byFlag = new Map(specs.flatMap(spec => [...rowsByFlag(spec)]));
  let i = 0;
  while (/^-(?!-?$)/.test(args[i] ?? '')) {
    const [flag, joined] = splitAtEquals(args[i]!);
    const option = byFlag.get(flag)?.option;
    i += option === undefined || option.kind === 'flag' || joined !== undefined ? 1 : 2;
  }
  return i;
}

interface Row {
  readonly key: string;
  readonly option: OptionTable[string];
}

function rowsByFlag(spec: CommandSpec): Map<string, Row> {
  const { usual, more } = rowsOf(spec);
  const rows = Object.entries({ ...usual, ...more });
  return new Map(rows.flatMap(([key, option]) => option.flags.map(flag => [flag, { key, option }] as const)));
}

/**
 * clang's flags whose value may be a separate argument. clang knows the last two although our table
 * does not list them.
 */
const separableFlags: ReadonlySet<string> = new Set([
  ...Object.values(compileFlags as OptionTable).flatMap(option => (option.separable ? option.flags : [])),
  '-isystem',
  '-iquote',
]);

function splitAtEquals(arg: string): [flag: string, joined: string | undefined] {
  const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return equals === -1 ? [arg, undefined] : [arg.slice(0, equals), arg.slice(equals + 1)];
}

function unknownOption(command: string, flag: string, known: readonly string[]): UsageError {
  const guess = closestTo(flag, known);
  return new UsageError(
    `\`redzone ${command}\` has no option ${flag}`,
    guess === undefined ? `\`redzone ${command} --help=all\` lists its options` : `did you mean ${guess}?`,
  );
}
