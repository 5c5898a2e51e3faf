/**
 * Labels under `check`: where they travel, where they come from, rules, and programs without them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type CheckOptions, check, compileToIr } from '../../src/index.js';
import { parseFlowRules } from '../../src/labels/flow-rules.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string, options: Partial<CheckOptions>) {
  let output = '';
  const warnings: string[] = [];
  const report = await check(
    { inputs: [{ name: 'a.c', text }], folders: [folder], environment: { SIZE: '12' }, ...options },
    {
      onEvent: event => {
        if (event.kind === 'output') output += new TextDecoder().decode(event.bytes);
        if (event.kind === 'warning') warnings.push(`${event.diagnostic.message}; ${event.diagnostic.help}`);
      },
    },
  );
  return { output, warnings, messages: report.findings.map(({ code, message }) => `${code}: ${message}`) };
}

test('labels propagate through memory, calls, structs, variadics and the C library, and nowhere else', async () => {
  const text = readFileSync(join(import.meta.dirname, 'label-flows.c'), 'utf8');
  const { output, messages } = await run(text, { keepGoing: true });
  expect(output).toBe('x,y\n');
  expect(messages).toEqual([]);
});

test('a name that looks like a misspelt input is named in a warning', async () => {
  const text = 'int main(void) { return 0; }';
  const { warnings } = await run(text, { taint: ['file', 'stdin', 'cookie'], secret: ['arg'] });
  expect(warnings).toEqual([
    "'file' is no input: only data that the program labels with this name is tracked; did you mean 'files'?",
    "'arg' is no input: only data that the program labels with this name is tracked; did you mean 'args'?",
  ]);
});

test('a function that only the rules have is named in a warning, also when the program is known', async () => {
  const text = 'int read_input(void) { return 1; }\nint main(void) { return read_input() - 1; }';
  const taintRules = 'source read_inputs return\nsource read_input return\nsink nowhere 1';
  const expected = [
    "the program calls no function 'read_inputs', which the rules of --taint-rules name; did you mean 'read_input'?",
    "the program calls no function 'nowhere', which the rules of --taint-rules name; undefined",
  ];
  for (let time = 0; time < 2; time++) expect((await run(text, { taintRules })).warnings).toEqual(expected);
});

/** Only without `--keep-going` do loops have fast copies, which follow no labels. */
test.each(['quick', 'optimised'] as const)('labels in loops, %s code', async speed => {
  const text = readFileSync(join(import.meta.dirname, 'label-loops.c'), 'utf8');
  const { output, messages } = await run(text, { speed });
  expect(messages).toEqual([]);
  expect(output).toBe('0 failures, 89\n');
});

test('a labelled bound is a sink in loops with a fast copy, and a plain one is not', async () => {
  const text = `
int main(int argc, char **argv) {
  int a[300];
  for (int i = 0; i < 300; i++) a[i] = argc;
  int n = argv[1][0] & 7;
  for (int i = 0; i < n; i++) a[i] = i;
  return a[0] == 77;
}`;
  const options = { arguments: ['g'], sinks: ['loop'] as const };
  expect((await run(text, { ...options, taint: ['args'] })).messages).toEqual([
    'tainted-sink: the number of iterations of a loop is computed from byte 0 of argument 1',
  ]);
  expect((await run(text, { ...options, taint: ['stdin'] })).messages).toEqual([]);
});

/** Only without `--keep-going` do such locals become values. */
test('labels propagate through locals that are written as a whole and read in parts', async () => {
  const text = `
#include <assert.h>
#include <redzone.h>
#include <stdio.h>
#include <string.h>
union both { float f; unsigned u; unsigned char c[4]; };
struct pair { short low, high; };
static unsigned bits(float f) { union both b; b.f = f; return b.u; }
static int byte(unsigned u) { union both b = {.u = u}; return b.c[1]; }
static int one(void) { const union both b = {.u = 1}; return b.c[0]; }
static int high(const void *from) { struct pair p; memcpy(&p, from, 4); return p.high; }
static int is_labelled(int value) { return redzone_has_label(&value, sizeof value, "in") != 0; }
int main(void) {
  float f = 2;
  unsigned u = 0x10203, plain = 5;
  redzone_label(&f, sizeof f, "in");
  redzone_label(&u, sizeof u, "in");
  printf("%d%d%d", is_labelled((int)bits(f)), is_labelled(byte(u)), is_labelled(high(&u)));
  printf(" %d%d%d\\n", is_labelled(one()), is_labelled(byte(plain)), is_labelled(high(&plain)));
  return 0;
}`;
  for (const keepGoing of [false, true])
    for (const speed of ['quick', 'optimised'] as const)
      expect(await run(text, { keepGoing, speed })).toMatchObject({ output: '111 000\n', messages: [] });
});

describe('sources', () => {
  const program = `
#include <fcntl.h>
#include <redzone.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  int n = 0;
  redzone_symbolic(&n, sizeof n, "n");
  free(malloc((size_t)n + 1));
  if (argc > 1) free(malloc((size_t)atoi(argv[1])));
  free(malloc((size_t)atoi(getenv("SIZE"))));
  char line[8] = "";
  scanf("%*s %7s", line);
  free(malloc((size_t)atoi(line)));
  int fd = open("data", O_RDONLY);
  lseek(fd, 4, SEEK_SET);
  char bytes[4] = "";
  if (read(fd, bytes, 2) == 2) free(malloc((size_t)bytes[1]));
  close(fd);
  return 0;
}`;
  const given = { keepGoing: true, arguments: ['ab12'.slice(2)], stdin: 'word 34\n' };
  writeFileSync(join(folder, 'data'), 'abcdefgh');

  test.each([
    ['n', 'bytes 0 to 3 of the input `n`'],
    ['args', 'bytes 0 to 1 of argument 1'],
    ['env', 'bytes 0 to 1 of the environment variable `SIZE`'],
    ['stdin', 'bytes 5 to 6 of standard input'],
    ['files', 'byte 5 of `data`'],
  ])('%s', async (name, bytes) => {
    const { messages } = await run(program, { ...given, taint: [name] });
    expect(messages).toEqual([`tainted-sink: a size is computed from ${bytes}`]);
  });

  test('only the chosen sinks are checked', async () => {
    expect((await run(program, { ...given, taint: ['args'], sinks: ['loop'] })).messages).toEqual([]);
  });
});

test('branches, addresses and sizes that depend on a secret input are found, and reading it is none', async () => {
  const program = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  static unsigned char key[8192], copy[300], table[256], different;
  if (fread(key, 1, sizeof key, stdin) != sizeof key) return 1;
  for (size_t i = 0; i < sizeof key; i++) different |= key[i] ^ 'a';
  volatile int v = (1 & ((different - 1u) >> 8)) * 5;
  memcpy(copy, key, argc);
  memcpy(copy, table, key[1]);
  free(malloc(1u + key[2]));
  v = table[key[3]] + table[argv[1][0] & 15];
  switch (key[4]) { case 'b': return 2; }
  char line[8], *text = NULL;
  size_t capacity = 0;
  fgets(line, sizeof line, stdin);
  getline(&text, &capacity, stdin);
  free(text);
  return 0;
}`;
  const given = { keepGoing: true, arguments: ['g'], stdin: 'a'.repeat(8192) };
  const secrets = [
    'secret-dependent-branch: the size of a call depends on byte 1 of standard input, which is secret',
    'secret-dependent-branch: the size of a call depends on byte 2 of standard input, which is secret',
    'secret-dependent-index: an address depends on byte 3 of standard input, which is secret',
    'secret-dependent-branch: a branch depends on byte 4 of standard input, which is secret',
  ];
  expect((await run(program, { ...given, secret: ['stdin'] })).messages).toEqual(secrets);
  const { messages } = await run(program, { ...given, secret: ['stdin'], taint: ['args'], sinks: ['index'] });
  expect(messages).toEqual(
    secrets.toSpliced(3, 0, 'tainted-sink: an address is computed from byte 0 of argument 1'),
  );
});

test('functions of the program are sources, sinks and sanitizers', async () => {
  const program = `
int get(char *to, int n) { for (int i = 0; i < n; i++) to[i] = 1; return n / 2; }
int number(void) { return 3; }
int checked(int n) { return n; }
void put(int n) { (void)n; }
int main(void) {
  char bytes[8];
  get(bytes, 8);
  put(bytes[1]);
  put(bytes[3]);
  put(bytes[4]);
  put(number());
  put(checked(number()));
  return 0;
}`;
  const taintRules =
    'source get *1:return\nsource number return # a comment\nsanitizer checked return\nsink put 1';
  expect((await run(program, { keepGoing: true, taintRules })).messages).toEqual([
    'tainted-sink: an argument of a sink is computed from data from `get`',
    'tainted-sink: an argument of a sink is computed from data from `get`',
    'tainted-sink: an argument of a sink is computed from data from `number`',
  ]);
});

test.each([
  ['sauce f return', "'sauce' is not a role"],
  ['source', 'source has no function'],
  ['source f 1', 'the memory that an argument points to (*1)'],
  ['sink f return', 'a sink is an argument'],
  ['sink f *0', "'*0' is not a location"],
  ['sink f 1 thing', "'thing' is not a kind of sink"],
  ['sanitizer f *1 more', "'more' is one word too many"],
])('the rule %j is rejected', (line, message) => {
  expect(parseFlowRules(line).problems).toMatchObject([{ line: 1 }]);
  expect(parseFlowRules(line).problems[0]!.message).toContain(message);
});

test('code without labels is not instrumented for them', async () => {
  const text = readFileSync(join(import.meta.dirname, '../golden/taint.c'), 'utf8');
  const { text: ir } = await compileToIr({ inputs: [{ name: 'taint.c', text }], instrumented: true });
  expect(ir).toContain('__rz_depth');
  expect(ir).not.toMatch(/__rz_label|alias\.scope|noalias !/);
});
