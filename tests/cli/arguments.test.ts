import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/arguments.js';
import { type CommandName, commands } from '../../src/cli/command-table.js';
import { commandHelp } from '../../src/cli/help.js';
import { type OptionName, options } from '../../src/cli/option-table.js';

const check = (line: string) => parseArguments('check', line.split(' '));

describe('arguments', () => {
  test('options, flags of clang, files and the program’s own arguments are told apart', () => {
    expect(check('-q --max-time=10s a.c -I inc -Iother -DN=3 --seed 7 b.ll - -- -q --json x')).toEqual({
      options: { quiet: true, maxTimeMs: 10_000, seed: 7 },
      clangFlags: ['-I', 'inc', '-Iother', '-DN=3'],
      operands: ['a.c', 'b.ll', '-'],
      programArgs: ['-q', '--json', 'x'],
    });
  });

  test('clang’s own spellings are kept', () => {
    const flags = '-std=c99 -include x.h -U M -O2 -Wall -isystem sys -D A=1'.split(' ');
    expect(parseArguments('ir', [...flags, 'a.c'])).toMatchObject({ clangFlags: flags, operands: ['a.c'] });
  });

  test.each([
    ['500ms', 500],
    ['1.5s', 1500],
    ['10', 10_000],
    ['5min', 300_000],
    ['2h', 7_200_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(check(`--max-time ${text} a.c`).options.maxTimeMs).toBe(ms);
  });

  test.each([
    ['131072', 2 ** 17],
    ['512MB', 512 * 2 ** 20],
    ['2gb', 2 ** 31],
  ])('%s is %d bytes', (text, bytes) => {
    expect(check(`--max-memory ${text} a.c`).options.maxMemoryBytes).toBe(bytes);
  });

  test.each([
    ['--max-time soon', "--max-time needs a time such as 500ms, 10s or 5min, not 'soon'"],
    ['--seed -1', "--seed needs a whole number, not '-1'"],
    ['--color=red', "--color needs one of auto, always, never, not 'red'"],
    ['a.c --sarif', '--sarif needs a value'],
    ['a.c -I', '-I needs a value'],
    ['--json=yes', '--json takes no value'],
    ['--jason', '`redzone check` has no option --jason'],
  ])('%s: %s', (line, message) => {
    expect(() => check(line)).toThrow(message);
  });

  test.each(['instructions', 'paths', 'states', 'depth'])('a limit of no %s is none', what => {
    const line = [`--max-${what}`, '0', 'a.c'];
    expect(() => parseArguments('explore', line)).toThrow(`--max-${what} needs at least 1, not '0'`);
  });

  test('every option of every command is read back from its own spelling', () => {
    const sample = {
      flag: [],
      text: ['x'],
      list: ['x'],
      number: ['3'],
      duration: ['3s'],
      bytes: ['300KB'],
      choice: [],
    };
    for (const command of Object.keys(commands) as CommandName[]) {
      for (const name of [...commands[command].options, ...commands[command].more] as OptionName[]) {
        const { kind, flags, choices, value: word } = options[name];
        if (kind === 'clang') continue;
        for (const flag of flags) {
          const numbers = kind === 'numbers' ? word?.split(' ').map(() => '3') : undefined;
          const value = choices?.slice(0, 1) ?? numbers ?? sample[kind as keyof typeof sample];
          expect(parseArguments(command, [flag, ...value]).options[name], `${command} ${flag}`).toBeDefined();
        }
      }
    }
  });
});

describe('help', () => {
  test.each(Object.keys(commands) as CommandName[])('%s shows at most ten options', command => {
    expect(commands[command].options.length).toBeLessThanOrEqual(10);
    for (const line of commandHelp(command, 'all', () => true).split('\n'))
      expect(line.length).toBeLessThanOrEqual(110);
  });
});
