/** Programs under test in a concrete run: where their inputs come from, and how they end. */
import { describe, expect, test } from 'vitest';
import { runSource } from './harness.js';

const bytes = (...values: number[]) => Uint8Array.from(values);

describe('klee.h', () => {
  const source = `#include <klee/klee.h>
    #include <stdio.h>
    int main(void) {
      int x; short y[2];
      klee_make_symbolic(&x, sizeof x, "x");
      klee_make_symbolic(y, sizeof y, "y");
      printf("%d %d %d %d\\n", x, y[0], y[1], klee_int("x"));
      klee_assume(x < 100);
      printf("%d %u\\n", klee_range(5, 6, "r"), klee_is_symbolic(x));
      klee_assert(x != 7);
      klee_silent_exit(3);
    }`;

  test('inputs come from the test by name and order, and are zero otherwise', async () => {
    const inputs = [
      { name: 'y', bytes: bytes(1, 0, 2) },
      { name: 'x', bytes: bytes(9, 0, 0, 0) },
      { name: 'x', bytes: bytes(0, 1, 0, 0) },
    ];
    expect(await runSource(source, { inputs })).toMatchObject({ stdout: '9 1 2 256\n5 0\n', status: 3 });
    expect(await runSource(source)).toMatchObject({ stdout: '0 0 0 0\n5 0\n', status: 3 });
  });

  test('a run outside the assumptions ends silently', async () => {
    const inputs = [{ name: 'x', bytes: bytes(0, 1, 0, 0) }];
    expect(await runSource(source, { inputs })).toMatchObject({ stdout: '', stderr: '', status: 0 });
  });

  test('a failed assertion is reported with its location', async () => {
    const inputs = [{ name: 'x', bytes: bytes(7, 0, 0, 0) }];
    const { status, reason } = await runSource(source, { inputs });
    expect(status).toBe(-1);
    expect(reason).toMatch(/program\.c:10: ASSERTION FAIL: x != 7/);
  });
});

test('the names of SV-COMP', async () => {
  const source = `#include <stdio.h>
    extern int __VERIFIER_nondet_int(void);
    extern unsigned char __VERIFIER_nondet_uchar(void);
    extern _Bool __VERIFIER_nondet_bool(void);
    extern void __VERIFIER_assume(int);
    extern void reach_error(void);
    int main(void) {
      int n = __VERIFIER_nondet_int();
      __VERIFIER_assume(n >= 0 && n < 10);
      printf("%d %d %d", n, __VERIFIER_nondet_uchar(), __VERIFIER_nondet_bool());
      fflush(stdout);
      if (n == 4) reach_error();
    }`;
  const inputs = [
    { name: 'int', bytes: bytes(4, 0, 0, 0) },
    { name: 'uchar', bytes: bytes(200) },
    { name: 'bool', bytes: bytes(3) },
  ];
  const { stdout, reason } = await runSource(source, { inputs });
  expect([stdout, reason]).toEqual(['4 200 1', 'reach_error was called']);
  expect(await runSource(source)).toMatchObject({ stdout: '0 0 0', status: 0 });
});

describe('LLVMFuzzerTestOneInput', () => {
  const source = `#include <stdint.h>
    #include <stdio.h>
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
      printf("%zu:", size);
      for (size_t i = 0; i < size; i++) printf(" %02x", data[i]);
      printf("\\n");
      return 0;
    }`;

  test('gets standard input', async () => {
    expect(await runSource(source, { stdin: 'abc' })).toMatchObject({ stdout: '3: 61 62 63\n', status: 0 });
    expect(await runSource(source)).toMatchObject({ stdout: '0:\n', status: 0 });
  });

  test('gets each file that is named', async () => {
    const options = { files: { '/one': 'x', '/two': '' }, arguments: ['/one', '/two'] };
    expect(await runSource(source, options)).toMatchObject({ stdout: '1: 78\n0:\n', status: 0 });
  });

  test('is initialised first, if the program defines an initialiser', async () => {
    const initialised = `${source}\nint LLVMFuzzerInitialize(int *argc, char ***argv) { puts((*argv)[0]); return 0; }`;
    expect(await runSource(initialised)).toMatchObject({ stdout: 'program\n0:\n', status: 0 });
  });
});

test('redzone.h', async () => {
  const source = `#include <redzone.h>
    int main(void) {
      char c;
      redzone_symbolic(&c, 1, "c");
      redzone_assume(c < 100);
      if (c == 'x' - 50) redzone_fail("found it");
      return redzone_is_symbolic(c) + c;
    }`;
  expect(await runSource(source, { inputs: [{ name: 'c', bytes: bytes(101) }] })).toMatchObject({
    status: 0,
  });
  expect(await runSource(source, { inputs: [{ name: 'c', bytes: bytes(99) }] })).toMatchObject({
    status: 99,
  });
  const { reason } = await runSource(source, { inputs: [{ name: 'c', bytes: bytes(70) }] });
  expect(reason).toBe('found it');
});
