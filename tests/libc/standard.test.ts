/**
 * The differential suite: each program of `programs/standard` prints here what it prints natively,
 * and together they call every function of C11.
 *
 * What a program prints natively is in the `.expected` beside it; where gcc is present that is
 * compared with what it prints, and `REDZONE_BLESS=1` writes it anew. A `.stdin` is a program's
 * input. Programs avoid unspecified behaviour: the order of evaluation of arguments, the last
 * digits of mathematical functions, addresses, the time.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { c11Functions } from './c11-functions.js';
import { buildFiles, hasGcc, nativeRun, run } from './harness.js';

const folder = join(import.meta.dirname, 'programs/standard');
const names = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => basename(file, '.c'));

/** The first compilation of the library takes longer than all programs together. */
const slow = 600_000;

const source = (name: string) => readFileSync(join(folder, `${name}.c`), 'utf8');
const expectedFile = (name: string) => join(folder, `${name}.expected`);

function inputOf(name: string): string {
  const file = join(folder, `${name}.stdin`);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

const transcript = (result: { stdout: string; status: number }) =>
  `${result.stdout}\n[exit ${result.status}]\n`;

describe.each(names)('%s', name => {
  test.runIf(hasGcc)('gcc prints the expected output', () => {
    const native = transcript(nativeRun(source(name), { stdin: inputOf(name) }));
    if (process.env.REDZONE_BLESS) writeFileSync(expectedFile(name), native);
    expect(native).toBe(readFileSync(expectedFile(name), 'utf8'));
  });

  test(
    'prints the expected output',
    async () => {
      const program = await buildFiles([join(folder, `${name}.c`)]);
      const result = run(program, { stdin: inputOf(name) });
      expect(result.reason).toBe('');
      expect(transcript(result)).toBe(readFileSync(expectedFile(name), 'utf8'));
    },
    slow,
  );
});

/**
 * The names that a source calls. A macro such as `#define ONE(name) … name(x) … name##f(x)` calls,
 * for `ONE(sin)`, `sin` and `sinf`.
 */
function calledIn(text: string): Set<string> {
  const called = new Set([...text.matchAll(/\b(\w+)\s*\(/g)].map(match => match[1]!));
  for (const [, macro, body] of text.matchAll(/#define (\w+)\((?:name|function|f)\)((?:.*\\\n)*.*)/g)) {
    const suffixes = [...body!.matchAll(/name##(\w)/g)].map(match => match[1]!);
    for (const [, argument] of text.matchAll(new RegExp(`\\b${macro}\\((\\w+)\\)`, 'g'))) {
      for (const suffix of ['', ...suffixes]) called.add(argument! + suffix);
    }
  }
  return called;
}

describe('every function of C11 is called by a program', () => {
  const called = new Set(names.flatMap(name => [...calledIn(source(name))]));
  test.each(Object.keys(c11Functions))('<%s.h>', header => {
    expect(c11Functions[header]!.filter(name => !called.has(name))).toEqual([]);
  });
});
