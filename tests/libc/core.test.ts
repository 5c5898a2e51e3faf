/**
 * The core of the C library against the machine's own: each program of programs/core runs here and
 * must print what is in the `.expected` file beside it. Where gcc is present that file is compared
 * with what gcc and its library print; `REDZONE_BLESS=1` writes it anew from there.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, hasGcc, nativeRun, run, runSource } from './harness.js';

const folder = join(import.meta.dirname, 'programs/core');
const names = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.slice(0, -2));

/** The first compilation of the library takes longer than all programs together. */
const slow = 600_000;

/** A program with its one header put in place, so that it can be compiled from memory. */
function sourceOf(name: string): string {
  const header = readFileSync(join(folder, 'checksum.h'), 'utf8');
  return readFileSync(join(folder, `${name}.c`), 'utf8').replace('#include "checksum.h"', () => header);
}

describe.each(names)('%s', name => {
  const expectedFile = join(folder, `${name}.expected`);

  test.runIf(hasGcc)('gcc prints the expected output', () => {
    const { stdout, status } = nativeRun(sourceOf(name));
    const text = `${stdout}exit ${status}\n`;
    if (process.env.REDZONE_BLESS || !existsSync(expectedFile)) writeFileSync(expectedFile, text);
    expect(text).toBe(readFileSync(expectedFile, 'utf8'));
  });

  test(
    'prints the expected output',
    async () => {
      const program = await build(sourceOf(name), { flags: ['-D_GNU_SOURCE', '-w'] });
      const { stdout, status, reason } = run(program);
      expect(`${stdout}exit ${status}\n${reason}`).toBe(readFileSync(expectedFile, 'utf8'));
    },
    slow,
  );
});

describe('a program that aborts', () => {
  test('reports a failed assertion with its location', async () => {
    const source = '#include <assert.h>\nint main(void) { assert(1 + 1 == 3); }';
    const { status, reason } = await runSource(source);
    expect({ status, reason }).toEqual({
      status: -1,
      reason: "program.c:2: main: Assertion `1 + 1 == 3' failed.",
    });
  });

  test('aborts after its handler of SIGABRT ran', async () => {
    const source = `#include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      static void handler(int signal) { printf("%d", signal == SIGABRT); fflush(stdout); }
      int main(void) { signal(SIGABRT, handler); abort(); }`;
    expect(await runSource(source)).toMatchObject({ status: -1, stdout: '1' });
  });
});
