/** Black-box mode, dictionaries, lengths, the progress line, and Ctrl-C with `--json`. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type FuzzOptions, type FuzzReport, fuzz, type RunEvent } from '../../src/index.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-fuzz-black-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

const source = `#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int number;
  if (size >= 4 && (memcpy(&number, data, 4), number == INT_MAX)) abort();   // a boundary value
  if (size == LONG && data[0] == 'a') return *(volatile char *)0;            // the longest input
  if (size >= 6 && memcmp(data, "hollow", 6) == 0) return data[size];        // a word
  return 0;
}
`;
const longest = 300;
const inputs = [{ name: 'black.c', text: source }];
const clangFlags = [`-DLONG=${longest}`];

async function run(options: Partial<FuzzOptions>, events: RunEvent[] = []): Promise<FuzzReport> {
  const folder = join(root, String(folders++));
  return fuzz({ inputs, clangFlags, folder, ...options }, { onEvent: event => events.push(event) });
}

const codes = ({ findings }: FuzzReport): string[] => findings.map(({ code }) => code).sort();

describe('black', () => {
  const options = { mode: 'black', maxRuns: 20_000, maxLength: longest } as const;

  test('finds boundary values and long inputs, and words only with the dictionary', async () => {
    const dictionary = join(root, 'words.dict');
    writeFileSync(dictionary, '# tokens\nkw@2="hollow"\n"\\x00\\xff"\n');
    const without = await run(options);
    expect(codes(without)).toEqual(['abort', 'null-dereference']);
    const { black, grey, white } = without.stats.boxes!;
    expect(black.findings).toBe(2);
    // The first inputs are fixed ones.
    expect(black.runs).toBeGreaterThan(19_990);
    expect([grey.runs, white.runs]).toEqual([0, 0]);
    const withWords = await run({ ...options, dictionary });
    expect(codes(withWords)).toEqual(['abort', 'heap-buffer-overflow', 'null-dereference']);
  });

  test('makes the same inputs with two workers', async () => {
    const few = { ...options, maxRuns: 3000, seed: 3 };
    const [one, two] = [await run(few), await run({ ...few, workers: 2 })];
    expect(two.findings.map(({ notes }) => notes)).toEqual(one.findings.map(({ notes }) => notes));
    expect(two.stats.edges).toBe(one.stats.edges);
  });
});

test('no input is longer than --max-len, not even one that is given', async () => {
  const corpus = join(root, 'long');
  mkdirSync(corpus);
  writeFileSync(join(corpus, 'input'), 'a'.repeat(longest));
  const options = { corpus: [corpus], mode: 'grey', maxRuns: 3000 } as const;
  expect(codes(await run({ ...options, maxLength: longest - 1 }))).not.toContain('null-dereference');
  expect(codes(await run({ ...options, maxLength: longest }))).toContain('null-dereference');
});

test('the progress line has runs, speed, edges, inputs, findings, and who found the last edge', async () => {
  const events: RunEvent[] = [];
  await run({ mode: 'grey', maxRuns: 3000 }, events);
  const lines = events.flatMap(event => (event.kind === 'progress' ? [event.text] : []));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines)
    expect(line).toMatch(
      /^[\d,]+ runs?, [\d,]+\/s, \d+ edges?, \d+ inputs?, \d findings?, last new \d+ s ago \((given|grey)\)$/,
    );
  expect(lines.at(-1)).toMatch(/, 3 findings, last new \d+ s ago \(grey\)$/);
});

test('Ctrl-C keeps corpus and findings, and --json is one document', async () => {
  const [file, folder] = [join(root, 'black.c'), join(root, 'stopped')];
  writeFileSync(file, source);
  const bin = join(import.meta.dirname, '../../bin/redzone.js');
  const args = ['fuzz', '--json', '--mode=grey', '-o', folder, ...clangFlags, file];
  const child = spawn(process.execPath, [bin, ...args]);
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  const isFound = (): boolean =>
    existsSync(folder) && readdirSync(folder).some(name => name.startsWith('crash-'));
  while (!isFound() && child.exitCode === null) await new Promise(resolve => setTimeout(resolve, 50));
  child.kill('SIGINT');
  const code = await new Promise(resolve => child.on('close', resolve));
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as FuzzReport;
  expect(report).toMatchObject({ schema: 1, command: 'fuzz', verdict: 'findings' });
  const { runs, runsPerSecond, edges, corpus } = report.stats;
  for (const count of [runs, runsPerSecond, edges]) expect(count).toBeGreaterThan(0);
  expect(readdirSync(join(folder, 'corpus'))).toHaveLength(corpus!);
  for (const { input, test: replayed } of report.findings) {
    expect(readFileSync(input!).length).toBeGreaterThan(0);
    expect(existsSync(replayed!)).toBe(true);
  }
}, 120_000);
