/** Labels under `explore`: the same sinks with the same words as under `check`, on all paths. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExploreOptions, explore } from '../../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-labels-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(text: string, options: Partial<ExploreOptions> = {}) {
  let output = '';
  const report = await explore(
    { inputs: [{ name: 'a.c', text }], confirm: false, ...options },
    {
      onEvent: event => {
        if (event.kind === 'output') output += new TextDecoder().decode(event.bytes);
      },
    },
  );
  const messages = report.findings.map(({ code, message }) => `${code}: ${message}`);
  return { report, output, messages: [...new Set(messages)] };
}

test('labels propagate through memory, calls, structs, variadics and the C library, and nowhere else', async () => {
  const text = readFileSync(join(import.meta.dirname, '../check/label-flows.c'), 'utf8');
  const { output, messages } = await run(text, { clangFlags: ['-DEXPLORED'] });
  expect(output).toBe('x,y\n');
  expect(messages).toEqual([]);
});

describe('sources', () => {
  const program = `
#include <fcntl.h>
#include <redzone.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char n[2];
  redzone_symbolic(n, sizeof n, "n");
  free(malloc((size_t)(n[1] & 1) + 1));
  if (argc > 1) free(malloc((size_t)(argv[1][0] & 7)));
  free(malloc((size_t)atoi(getenv("SIZE"))));
  char line[8] = "";
  if (read(0, line, 4) == 4) free(malloc((size_t)(line[2] & 7)));
  int fd = open("A", O_RDONLY);
  lseek(fd, 1, SEEK_SET);
  char bytes[4] = "";
  if (read(fd, bytes, 2) == 2) free(malloc((size_t)(bytes[1] & 7)));
  close(fd);
  return 0;
}`;
  const given = { environment: { SIZE: '12' }, files: { A: 'abcd' } };

  const sources = [
    ['n', 'byte 1 of the input `n`'],
    ['args', 'byte 0 of argument 1'],
    ['env', 'bytes 0 to 1 of the environment variable `SIZE`'],
    ['stdin', 'byte 2 of standard input'],
    ['files', 'byte 2 of `A`'],
  ] as const;

  test.each(sources)('%s, of known bytes', async (name, bytes) => {
    const options = { ...given, arguments: ['12'], stdin: '1234', taint: [name] };
    expect((await run(program, options)).messages).toEqual([
      `tainted-sink: a size is computed from ${bytes}`,
    ]);
  });

  test('all, of symbolic bytes', async () => {
    const { messages, report } = await run(program, {
      ...{ environment: given.environment, taint: sources.map(([name]) => name) },
      ...{ symArgs: { min: 0, max: 1, bytes: 2 }, symStdin: 4, symFiles: { count: 1, bytes: 4 } },
    });
    expect(messages.sort()).toEqual(
      sources.map(([, bytes]) => `tainted-sink: a size is computed from ${bytes}`).sort(),
    );
    expect(report.verdict).toBe('findings');
  });

  test('only the chosen sinks are checked', async () => {
    expect(
      (await run(program, { ...given, symStdin: 4, taint: ['stdin'], sinks: ['loop'] })).messages,
    ).toEqual([]);
  });
});

test('a path continues after a sink, and a value that comparisons have fixed has no label', async () => {
  const program = `
#include <redzone.h>
int main(void) {
  unsigned char b[4], t[256] = {0};
  redzone_symbolic(b, sizeof b, "b");
  int v = t[b[0]];
  for (int i = 0; i < (b[1] & 3); i++) v++;
  if (b[2]) v += 100 / b[2];
  v += t[b[3] - b[3]];
  return v > 1000 ? *(volatile int *)0 : 0;
}`;
  const { messages } = await run(program, { taint: ['b'] });
  expect(messages).toEqual([
    'tainted-sink: an address is computed from byte 0 of the input `b`',
    'tainted-sink: the number of iterations of a loop is computed from byte 1 of the input `b`',
    'tainted-sink: a divisor is computed from byte 2 of the input `b`',
  ]);
});

test('functions of the program are sources, sinks and sanitizers', async () => {
  const program = `
int get(char *to, int n) { for (int i = 0; i < n; i++) to[i] = 1; return n / 2; }
int number(void) { return 3; }
double real(void) { return 0.5; }
int checked(int n) { return n; }
void clean(char *to, int n) { (void)to, (void)n; }
void put(int n) { (void)n; }
int main(void) {
  char bytes[8];
  get(bytes, 8);
  put(bytes[1]);
  put(bytes[4]);
  clean(bytes, 2);
  put(bytes[1]);
  put(number());
  put(checked(number()));
  put((int)real());
  return 0;
}`;
  const taintRules =
    'source get *1:return\nsource number return\nsource real return\nsanitizer checked return\nsanitizer clean *1:2\nsink put 1';
  const { report, messages } = await run(program, { taintRules });
  expect(messages).toEqual([
    'tainted-sink: an argument of a sink is computed from data from `get`',
    'tainted-sink: an argument of a sink is computed from data from `number`',
    'tainted-sink: an argument of a sink is computed from data from `real`',
  ]);
  expect(report.findings.map(({ location }) => location.line)).toEqual([11, 15, 17]);
});

test('branches and addresses that depend on secrets are found, also in the C library', async () => {
  const program = `
#include <redzone.h>
#include <string.h>
static int equal(const unsigned char *a, const unsigned char *b) {
  unsigned char d = 0;
  for (int i = 0; i < 4; i++) d |= a[i] ^ b[i];
  return d;
}
int main(void) {
  unsigned char key[4] = {1, 2, 3, 4}, guess[4], table[256] = {0};
  redzone_symbolic(guess, sizeof guess, "guess");
  redzone_secret(key, sizeof key);
  volatile int v = equal(key, guess);
  v = memcmp(key, guess, 4);
  v = table[key[0]];
  if (key[1] == 2) v = 0;
  return 0;
}`;
  const { messages } = await run(program);
  expect(messages).toEqual([
    'secret-dependent-branch: a branch in `memcmp` depends on bytes 0 to 3 of a secret',
    'secret-dependent-index: an address depends on byte 0 of a secret',
    'secret-dependent-branch: a branch depends on byte 1 of a secret',
  ]);
});

test('a finding is confirmed by a run with labels, which shows the flow', async () => {
  const program = `
#include <redzone.h>
#include <stdlib.h>
int main(void) {
  unsigned char b = 0;
  redzone_symbolic(&b, 1, "b");
  unsigned twice = b * 2;
  free(malloc(twice));
  free(malloc(b));
  return 0;
}`;
  const { report } = await run(program, { confirm: true, folder, taint: ['b'] });
  expect(report.findings).toMatchObject([
    { confirmed: true, location: { line: 8 } },
    { confirmed: true, location: { line: 9 } },
  ]);
  expect(report.findings[0]!.notes?.map(({ message, location }) => [message, location?.line])).toContainEqual(
    ['assigned here', 7],
  );
});
