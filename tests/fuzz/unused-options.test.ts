/** Options of `fuzz` that contradict each other are refused, and those without effect are named. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { optionsWithoutEffect } from '../../src/api/fuzz-unused.js';
import { type FuzzOptions, fuzz, InputError } from '../../src/index.js';
import { fuzzOptions } from '../../src/options/fuzz-options.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-unused-'));
afterAll(() => rmSync(root, { recursive: true }));

const target = { isTarget: true, hasStart: false };
const main = { isTarget: false, hasStart: false };
const unused = (given: Partial<FuzzOptions>, program = main): string[] =>
  optionsWithoutEffect({ inputs: [], ...given }, program);

test('how a program with a main gets its input has no effect on a target', () => {
  const why = 'the input of a program with LLVMFuzzerTestOneInput is the arguments of that function';
  expect(unused({ input: 'argv' }, target)).toEqual([`\`--input\` has no effect: ${why}`]);
  expect(unused({ arguments: ['-f', '@@.c'] }, target)).toEqual([`\`@@\` has no effect: ${why}`]);
  expect(unused({ arguments: ['-f'] }, target)).toEqual([
    'arguments after `--` have no effect: the program has no LLVMFuzzerInitialize',
  ]);
  expect(unused({ arguments: ['-f'] }, { ...target, hasStart: true })).toEqual([]);
  expect(unused({ input: 'argv', arguments: ['-f'] })).toEqual([]);
});

test('options of a search have no effect where nothing is searched', () => {
  const search: Partial<FuzzOptions> = {
    ...{ mode: 'black', dictionary: 'words', seed: 7, onlyAscii: true, coverage: true },
    ...{ workers: 2, queue: 'postgres://host/base', artifactPrefix: 'a-' },
    ...{ maxRuns: 10, maxLength: 5, corpus: ['a', 'b'], folder: 'out' },
  };
  const named = (given: Partial<FuzzOptions>): string[] =>
    unused({ ...search, ...given }).map(sentence => /^`(\S+)` has no effect with/.exec(sentence)![1]!);
  const always = ['--mode', '--dict', '--seed', '--only-ascii', '--coverage', '--workers', '--queue'];
  expect(named({})).toEqual([]);
  expect(named({ minimize: 'crash' })).toEqual([...always, '--corpus', '--max-len']);
  expect(named({ minimizeCorpus: 'few' })).toEqual([...always, '--max-runs', '-o', '-artifact_prefix']);
  expect(named({ merge: true })).toEqual([...always, '--max-runs', '-o', '-artifact_prefix']);
  expect(unused({ merge: true, seed: 7 })).toEqual(['`--seed` has no effect with `-merge=1`']);
  expect(unused({ run: 'night' })).toEqual(['`--run` has no effect without `--queue`']);
});

test('a default that is given is no choice', () => {
  const { mode, folder, onlyAscii, coverage } = fuzzOptions;
  const usual: Partial<FuzzOptions> = {
    ...{ mode: mode.default, folder: folder.default },
    ...{ onlyAscii: onlyAscii.default, coverage: coverage.default },
  };
  expect(unused({ ...usual, minimize: 'crash' })).toEqual([]);
});

test.each<[Partial<FuzzOptions>, string]>([
  [{ minimize: 'a', minimizeCorpus: 'b' }, '`--minimize` cannot be combined with `--minimize-corpus`'],
  [{ minimize: 'a', merge: true }, '`--minimize` cannot be combined with `-merge=1`'],
  [
    { merge: true, corpus: ['a'] },
    '`-merge=1` adds inputs to the first corpus folder, and no other is given',
  ],
  [{ arguments: ['@@'], input: 'argv' }, '`@@` cannot be combined with `--input argv`'],
])('%o is refused before anything is compiled', async (given, message) => {
  const refused = fuzz({ inputs: ['there-is-no-such-file.c'], folder: root, ...given });
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(message);
});

describe('on the command line', () => {
  const source = join(root, 'target.c');
  writeFileSync(
    source,
    `#include <stddef.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  unsigned word = 0;
  if (size >= 4) memcpy(&word, data, 4);
  static volatile int is_passed;
  if (word == 0xdeadbeef) is_passed = 1;
  return 0;
}
`,
  );
  const bin = join(import.meta.dirname, '../../bin/redzone.js');
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [bin, 'fuzz', '--color=never', '--max-runs=300', ...args], {
      encoding: 'utf8',
      timeout: 120_000,
    });

  test('each is one line, and the search is made', () => {
    const { stderr, status } = run('-o', join(root, 'out'), '-timeout=3', '--input=file', source, '--', '@@');
    const notes = stderr.split('\n').filter(line => line.includes('no effect'));
    expect(notes.map(line => /`\S+`/.exec(line)![0])).toEqual(['`-timeout=3`', '`--input`', '`@@`']);
    expect(status).toBe(0);
  });

  test('with -only_ascii=1 neither comparisons nor the explorer make other inputs', () => {
    const corpusWith = (mode: string, ...flags: string[]): Buffer[] => {
      const corpus = join(root, mode);
      mkdirSync(corpus);
      run(`--mode=${mode}`, '-o', join(root, 'ascii'), ...flags, source, corpus);
      return readdirSync(corpus).map(name => readFileSync(join(corpus, name)));
    };
    const isText = (bytes: Buffer): boolean => /^[\t-\r -~]*$/.test(bytes.toString('latin1'));
    expect(corpusWith('grey').every(isText)).toBe(false);
    expect(corpusWith('white', '-only_ascii=1').every(isText)).toBe(true);
  });
});
