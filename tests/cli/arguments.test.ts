import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.js';
import { commandHelp } from '../../src/cli/help.js';
import type { checkOptions } from '../../src/options/check-options.js';
import { type CommandName, type CommandSpec, commands, rowsOf } from '../../src/options/commands.js';
import type { Given, OptionSpec } from '../../src/options/schema.js';

const check = (line: string) => parseArguments('check', commands.check, line.split(' '));
const optionsOf = (line: string): Given<typeof checkOptions> => check(line).options;

/** Every command that has options, by the words that it is called with. */
const all: [name: string, spec: CommandSpec][] = Object.entries(commands).flatMap(([name, spec]) =>
  spec.subcommands === undefined
    ? [[name, spec] as [string, CommandSpec]]
    : Object.entries(spec.subcommands).map(([sub, own]): [string, CommandSpec] => [`${name} ${sub}`, own]),
);

describe('arguments', () => {
  test('options, flags of clang, files and the program’s own arguments are distinguished', () => {
    expect(check('-q --max-time=10s a.c -I inc -Iother -DN=3 --seed 7 b.ll - -- -q --json x')).toEqual({
      options: { maxTimeMs: 10_000, seed: 7 },
      output: { quiet: true },
      clangFlags: ['-I', 'inc', '-Iother', '-DN=3'],
      operands: ['a.c', 'b.ll', '-'],
      programArgs: ['-q', '--json', 'x'],
    });
  });

  test('clang’s own spellings are kept', () => {
    const flags = '-std=c99 -include x.h -U M -O2 -Wall -isystem sys -D A=1'.split(' ');
    expect(parseArguments('ir', commands.ir, [...flags, 'a.c'])).toMatchObject({
      clangFlags: flags,
      operands: ['a.c'],
    });
  });

  test.each([
    ['500ms', 500],
    ['1.5s', 1500],
    ['10', 10_000],
    ['5min', 300_000],
    ['2h', 7_200_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(optionsOf(`--max-time ${text} a.c`).maxTimeMs).toBe(ms);
  });

  test.each([
    ['131072', 2 ** 17],
    ['512MB', 512 * 2 ** 20],
    ['2gb', 2 ** 31],
  ])('%s is %d bytes', (text, bytes) => {
    expect(optionsOf(`--max-memory ${text} a.c`).maxMemoryBytes).toBe(bytes);
  });

  test.each([
    ['--max-time soon', "--max-time needs a time such as 500ms, 10s or 5min, not 'soon'"],
    ['--seed -1', "--seed needs a whole number, not '-1'"],
    ['--color=red', "--color needs one of auto, always, never, not 'red'"],
    ['a.c --sarif', '--sarif needs a value'],
    ['a.c -I', '-I needs a value'],
    ['--env =x', "--env needs NAME[=VALUE], not '=x'"],
    ['--json=yes', '--json takes no value'],
    ['--jason', '`redzone check` has no option --jason'],
  ])('%s: %s', (line, message) => {
    expect(() => check(line)).toThrow(message);
  });

  test.each(all.filter(([, { usage }]) => !usage.includes('-- ')))(
    '%s refuses arguments that no program gets',
    (name, spec) => {
      expect(() => parseArguments(name, spec, ['--', 'x'])).toThrow('takes no arguments after `--`');
    },
  );

  test.each(['instructions', 'paths', 'states', 'depth'])('a limit of no %s means unlimited', what => {
    const line = [`--max-${what}`, '0', 'a.c'];
    expect(() => parseArguments('explore', commands.explore, line)).toThrow(
      `--max-${what} needs at least 1, not '0'`,
    );
  });

  test.each([
    ['--checks spatial,leaks', { checks: ['spatial', 'leaks'] }],
    ['--checks=-leaks,-init', { checks: ['spatial', 'temporal', 'undefined', 'alignment', 'races'] }],
    [
      '--checks=+aliasing,-leaks,-init',
      { checks: ['spatial', 'temporal', 'undefined', 'alignment', 'races', 'aliasing'] },
    ],
    [
      '--checks=+aliasing --checks=-leaks,-init',
      { checks: ['spatial', 'temporal', 'undefined', 'alignment', 'races', 'aliasing'] },
    ],
    ['--checks spatial,leaks --checks -leaks', { checks: ['spatial'] }],
    ['--no-check-removal', { removesChecks: false }],
    ['--dir a --dir b', { dirs: ['a', 'b'] }],
  ])('%s', (line, options) => {
    expect(optionsOf(line)).toEqual(options);
  });

  test.each([
    ['--checks space', "--checks space: there is no 'space'"],
    ['--checks spatial,-leaks', "--checks spatial,-leaks: there is no '-leaks'"],
    ['--suppress no-such.txt', "--suppress no-such.txt: no such file: 'no-such.txt'"],
    ['--malloc glibc', '--malloc needs one of dlmalloc, '],
  ])('%s: %s', (line, message) => {
    expect(() => check(line)).toThrow(message);
  });

  test.each(all)('%s: every option is parsed from its own spelling', (name, spec) => {
    const { usual, more } = rowsOf(spec);
    for (const [key, option] of Object.entries({ ...usual, ...more })) {
      if (option.kind === 'clang') continue;
      for (const flag of option.flags) {
        const { options, output } = parseArguments(name, spec, [flag, ...sampleOf(option)]);
        expect({ ...options, ...output }, `${name} ${flag}`).toHaveProperty(key);
      }
    }
  });
});

/** What parsed options are given, by the placeholder of their value. */
const samples: Readonly<Record<string, string>> = {
  T: '1/2',
  'FILE:N': 'a.c:2',
  LIMITS: 'stack=64K,depth=200',
};

/** A text that the option can read. */
function sampleOf({ kind, choices, fields = [], read, value }: OptionSpec): string[] {
  if (choices !== undefined) return [choices[0]!];
  if (read !== undefined) return [samples[value ?? ''] ?? '2'];
  switch (kind) {
    case 'flag':
      return [];
    case 'numbers':
      return fields.map(() => '3');
    case 'file':
    case 'files':
      return ['package.json'];
    case 'variables':
      return ['NAME=value'];
    default:
      return [kind === 'bytes' ? '300KB' : '3'];
  }
}

describe('help', () => {
  test.each(all)('%s shows at most ten options, in lines of 110 columns', (name, spec) => {
    expect(Object.keys(rowsOf(spec).usual).length).toBeLessThanOrEqual(10);
    const [command, subcommand] = name.split(' ') as [CommandName, string | undefined];
    for (const line of commandHelp(command, subcommand, 'all').split('\n'))
      expect(line.length, line).toBeLessThanOrEqual(110);
  });

  test('a command without options shows what it takes instead', () => {
    for (const name of ['cc', 'lsp'] as const) {
      const help = commandHelp(name, undefined, 'usual');
      expect(help).not.toContain('Options');
      expect(help).toContain(commands[name].note);
    }
  });

  test('choices and defaults are shown as the table has them', () => {
    const help = commandHelp('check', undefined, 'all');
    expect(help).toContain('--acsl auto|on|off');
    expect(help).toContain('(default: 16MB)');
    expect(help).toMatch(/--malloc NAME .*: dlmalloc,\s.*\skdalloc\n/s);
  });
});
