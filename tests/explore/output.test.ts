/** The folder that `explore` writes, beside the tests themselves. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readKTest } from '../../src/explore/inputs/ktest.js';
import { check, explore } from '../../src/index.js';
import { hasGcc } from '../libc/harness.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-output-'));
afterAll(() => rmSync(root, { recursive: true }));

const text = `#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
static int unused(int x) {
  return x + 1;
}
int main(int argc, char **argv) {
  int n, m = 3;
  klee_make_symbolic(&n, sizeof n, "n");
  char *p = malloc(8);
  int first = argv[1][0];
  if (argc > 5)
    m = unused(argv[1][0]);
  if (n >= 0 && n < 9 && first == 'x') {
    printf("go\\n");
    p[n] = m;
  }
  free(p);
  return 0;
}
`;
const program = join(root, 'program.c');
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

async function run(name: string, old: readonly string[] = []): Promise<string> {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const file of old) writeFileSync(join(folder, file), 'of an earlier run '.repeat(500));
  await explore({
    inputs: [program],
    folder,
    symArgs: { min: 1, max: 1, bytes: 1 },
    seed: 3,
    tests: 'all',
  });
  return folder;
}

let folder: string;
beforeAll(async () => {
  writeFileSync(program, text);
  folder = await run('one');
});

test('two runs write the same bytes, except for times, whatever was in the folder', async () => {
  const again = await run('two', ['000001.ktest', '000001.json', '000001.c', '000123.json', 'queries.smt2']);
  const files = readdirSync(folder).filter(file => file !== 'timing.csv' && file !== 'journal');
  expect(readdirSync(again).filter(file => file !== 'timing.csv' && file !== 'journal')).toEqual(files);
  expect(files).toEqual(expect.arrayContaining(['000001.ktest', 'findings.json', 'statistics.csv']));
  for (const file of files.filter(name => name !== 'findings.json'))
    expect(read(again, file), file).toBe(read(folder, file));
  expect(read(again, 'findings.json').replaceAll(again, folder)).toBe(read(folder, 'findings.json'));
});

test('a folder that cannot be written is an input error', async () => {
  const where = join(program, 'below');
  await expect(explore({ inputs: [program], folder: program })).rejects.toThrow(
    /cannot write to .*: it is a file/,
  );
  await expect(explore({ inputs: [program], folder: where })).rejects.toThrow(/: not a directory/);
});

test('when files can no longer be written, it stops, prints the results so far, and reports it', async () => {
  const full = join(root, 'full');
  // A folder where the second test should be, as good as a full disk.
  mkdirSync(join(full, '000002.ktest'), { recursive: true });
  const source = `#include <klee/klee.h>
    int main(void) {
      char c[64];
      klee_make_symbolic(c, 64, "c");
      int n = 0;
      for (int i = 0; i < 64; i++) if (c[i]) n++;
      return 10 / (n & 128);
    }`;
  const report = await explore({
    inputs: [{ name: 'test.c', text: source }],
    folder: full,
    search: 'dfs',
    tests: 'all',
    maxTimeMs: 240_000,
  });
  expect(report.verdict).toBe('findings');
  expect(report.findings.map(({ code }) => code)).toEqual(['division-by-zero']);
  expect(report.stats.paths?.partial).toBeGreaterThan(0);
  expect(report.summary).toMatch(
    /paths explored; [\d,]+ left; '.*full' is not complete: illegal operation on a directory$/,
  );
  expect(report.next).toBe('when there is space again, the same command with `--resume` continues from here');
  expect(readdirSync(full)).toEqual(['000001.c', '000001.json', '000001.ktest', '000002.ktest', 'journal']);
  // The journal has all tests.
  expect(report.stats.tests).toBe(report.stats.paths.completed + report.stats.paths.error);
});

test('coverage says which lines no path has run', () => {
  const lines = new Map(
    [...read(folder, 'coverage.info').matchAll(/^DA:(\d+),(\d+)$/gm)].map(([, line, count]) => [
      Number(line),
      Number(count),
    ]),
  );
  expect(lines.get(16)).toBe(1);
  expect(lines.get(13)).toBe(0);
  expect(lines.get(5)).toBe(0);
  expect(read(folder, 'coverage.info')).toMatch(/^FNDA:0,unused$/m);
});

test('the tree of forks has a leaf for each path', () => {
  const dot = read(folder, 'forks.dot');
  const tests = readdirSync(folder).filter(file => file.endsWith('.ktest'));
  for (const file of tests) expect(dot).toContain(`"${file.slice(0, 6)}: `);
  expect(dot.match(/shape=ellipse/g)).toHaveLength(tests.length - 1);
  expect(dot).toContain(`${program}:14`);
});

test('statistics include the end of the run', () => {
  const [header, ...rows] = read(folder, 'statistics.csv').trim().split('\n');
  expect(header).toMatch(/^instructions,completed,error,partial,states,/);
  const last = rows.at(-1)!.split(',').map(Number);
  const tests = readdirSync(folder).filter(file => file.endsWith('.ktest'));
  expect(last[1]! + last[2]!).toBe(tests.length);
  expect(last[4]).toBe(0);
});

describe('the test of an error as a C program', () => {
  const snippet = (): string => join(folder, readdirSync(folder).find(file => file.endsWith('.c'))!);

  test('has the error under check', async () => {
    const { findings } = await check({ inputs: [snippet()], dirs: [join(folder, '..')] });
    expect(findings.map(({ code, location }) => `${code}:${location.line}`)).toEqual([
      'heap-buffer-overflow:16',
    ]);
  });

  /**
   * Prints its input, and has the error only if that is right; its names are those that a
   * snippet might use, too.
   */
  const all = `#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int input(void) { return getchar(); }
static void put(char a, char b) { printf("%c%c", a, b); }
int main(int argc, char **argv) {
  char text[3];
  int inputs = __VERIFIER_nondet_int(), more;
  klee_make_symbolic(text, sizeof text, "text");
  klee_make_symbolic(&more, sizeof more, "more");
  FILE *file = fopen("A", "r");
  char *block = malloc(2);
  int is_right = text[2] == 't' && more == -7 && inputs == 5 && input() == 's' && getc(file) == 'f';
  if (is_right && argc == 3 && argv[2][1] == '"') {
    put(text[2], argv[2][1]);
    fflush(stdout);
    block[inputs] = argv[1][0];
  }
  fclose(file), free(block);
  return 0;
}`;

  test.runIf(hasGcc)(
    'has the error when another compiler builds it with the command in its comment',
    async () => {
      const source = join(root, 'all.c');
      writeFileSync(source, all);
      const { findings } = await explore({
        inputs: [source],
        arguments: ['given'],
        folder: join(root, 'all'),
        symArgs: { min: 1, max: 1, bytes: 2 },
        symStdin: 1,
        symFiles: { count: 1, bytes: 1 },
      });
      const test = findings.map(({ test }) => test!.replace('.ktest', '.c')).join();
      const [, build] = /Build and run where the sources are: +cc (.*) && \.\/replay/.exec(
        readFileSync(test, 'utf8'),
      )!;
      const command = `gcc -w -g -fsanitize=address ${build!.replace('THIS_FILE', test)}`;
      execFileSync('sh', ['-c', command], { cwd: root });
      const { stdout, stderr } = spawnSync(join(root, 'replay'), { cwd: root, encoding: 'utf8' });
      expect(stdout).toBe('t"');
      expect(stderr).toMatch(/heap-buffer-overflow/);
    },
  );
});

test('on the terminal: text as text, sizes as in the test, nothing of the confirming run', () => {
  const loud = join(root, 'loud.c');
  const source = `#include <klee/klee.h>
    #include <stdio.h>
    #include <stdlib.h>
    int main(void) {
      char s[4];
      unsigned char n;
      klee_make_symbolic(s, sizeof s, "s");
      klee_make_symbolic(&n, sizeof n, "n");
      klee_assume(n > 200 & n < 250);
      char *p = malloc(n);
      puts("what " "the program writes");
      if (s[0] == 'a' && s[1] == 'b' && s[3] == 0) p[230] = 1;
      free(p);
      return 0;
    }`;
  writeFileSync(loud, source);
  const bin = join(import.meta.dirname, '../../bin/redzone.js');
  const out = join(root, 'loud');
  const args = [bin, 'explore', '-O2', loud, '-o', out];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stdout + stderr).not.toContain('what the program writes');
  expect(stdout).toMatch(/reproduce with/);
  expect(stderr).toMatch(/`-O` has no effect/);
  const [, when, size] = /happens when `s` = ("ab.*"), `n` = (\d+)/.exec(stdout)!;
  expect(when).toMatch(/^"ab.*\\x00"$/);
  const distance = 230 - Number(size);
  const bytes = distance === 1 ? '1 byte' : `${distance} bytes`;
  expect(stdout).toContain(
    distance === 0
      ? `write of 1 byte just after the end of a block of ${size} bytes`
      : `write of 1 byte, ${bytes} after the end of a block of ${size} bytes`,
  );
  const [finding] = JSON.parse(read(out, 'findings.json'));
  expect(finding).toMatchObject({ confirmed: true, object: { bytes: Number(size) } });
  const name = finding.test.replace(/.*\/(\d+)\.ktest$/, '$1');
  const [first, second] = JSON.parse(read(out, `${name}.json`)).inputs;
  expect(first).not.toHaveProperty('signed');
  expect(second).toMatchObject({ unsigned: Number(size) });
  expect(read(out, `${name}.c`)).toMatch(/input_0\[\] = .*; \/\* ab/);
});

test('Ctrl-C while tests are written keeps whole files, the finding and the summary', async () => {
  const endless = join(root, 'endless.c');
  const source = `#include <klee/klee.h>
    int main(void) {
      char c[32], small[4];
      klee_make_symbolic(c, sizeof c, "c");
      int count = 0;
      for (int i = 0; i < 32; i++) if (c[i] > 5) count++;
      small[count % 5] = 1;
      return count;
    }`;
  writeFileSync(endless, source);
  const interrupted = join(root, 'interrupted');
  const bin = join(import.meta.dirname, '../../bin/redzone.js');
  const child = spawn(process.execPath, [bin, 'explore', '--tests', 'all', endless, '-o', interrupted]);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', data => {
    stdout += data;
  });
  child.stderr.on('data', data => {
    stderr += data;
  });
  // As many as make the worker write them.
  const look = setInterval(() => {
    if (!existsSync(join(interrupted, '000300.json'))) return;
    child.kill('SIGINT');
    clearInterval(look);
  }, 5);
  const status = await new Promise(resolve => child.on('close', resolve));
  expect(stderr).toContain('interrupted: stopping');
  expect(stdout).toContain('error[stack-buffer-overflow]');
  expect(stdout).toMatch(/^note: paths were abandoned at .*:\d+ in `\w+`/m);
  const paths = Number(
    /([\d,]+) paths explored; [\d,]+ left; interrupted/.exec(stdout)![1]!.replaceAll(',', ''),
  );
  expect(status).toBe(1);
  const files = readdirSync(interrupted);
  const numbers = (extension: string) =>
    files
      .filter(file => /^\d+\./.test(file) && file.endsWith(extension))
      .map(file => Number.parseInt(file, 10));
  const all = Array.from({ length: paths }, (_, i) => i + 1);
  expect(numbers('.ktest')).toEqual(all);
  expect(numbers('.json')).toEqual(all);
  for (const file of files.filter(name => name.endsWith('.json'))) JSON.parse(read(interrupted, file));
  for (const file of files.filter(name => name.endsWith('.ktest'))) {
    expect(readKTest(readFileSync(join(interrupted, file)))).toMatchObject({
      kind: 'test',
      test: { objects: [{ name: 'c', bytes: { length: 32 } }] },
    });
  }
  expect(files).toEqual(
    expect.arrayContaining(['findings.json', 'coverage.info', 'forks.dot', 'statistics.csv']),
  );
});
