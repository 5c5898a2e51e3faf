/** A run that ends abnormally has a finding with a stack, and never crashes Redzone. */
import { describe, expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

describe('calls and arguments', () => {
  test('through a null pointer', async () => {
    const report = await checkC(`int (*f)(int);
      int main(void) {
        return f(3);
      }`);
    expect(places(report)).toEqual(['null-dereference:3']);
  });

  test('of an address that is not a function', async () => {
    const report = await checkC(`int data[4];
      int main(void) {
        int (*f)(int) = (int (*)(int))(void *)data;
        return f(3);
      }`);
    expect(places(report)).toEqual(['wild-pointer:4']);
  });

  test.each(['int (*f)(int)', 'int (*volatile f)(int)'])(
    'of a function of another type: %s',
    async declaration => {
      const report = await checkC(`double half(double x) { return x / 2; }
      int main(void) {
        ${declaration};
        f = (int (*)(int))half;
        return f(3);
      }`);
      expect(places(report)).toEqual(['wild-pointer:5']);
    },
  );

  test('beyond the variadic arguments', async () => {
    const report = await checkC(`#include <stdarg.h>
      static int sum(int n, ...) {
        va_list list;
        int total = 0;
        va_start(list, n);
        for (int i = 0; i < n; i++) total += va_arg(list, int);
        va_end(list);
        return total;
      }
      int main(void) {
        int right = sum(3, 1, 2, 3);
        return right + sum(3, 1, 2);
      }`);
    expect(places(report)).toEqual(['stack-buffer-overflow:6']);
    expect(report.findings[0]?.message).toContain('past the variadic arguments of the call (16 bytes)');
  });
});

describe('the stack', () => {
  test('of calls is exhausted', async () => {
    const report = await checkC(`unsigned odd(unsigned n);
      unsigned even(unsigned n) { return n == 0 ? 1 : odd(n - 1) + 1; }
      unsigned odd(unsigned n) { return n == 0 ? 0 : even(n - 1) + 1; }
      int main(void) { return (int)even(0xffffffffu); }`);
    expect(report.findings.map(({ code }) => code)).toEqual(['stack-exhausted']);
    const { stack } = report.findings[0]!;
    expect(stack.length).toBeLessThan(20);
    expect(stack.at(-1)?.function).toBe('main');
  });

  test('of locals is exhausted', async () => {
    const report = await checkC(`int deep(int n) {
        char block[4096];
        block[n & 4095] = 1;
        return n < 0 ? block[0] : 1 + deep(n + 1);
      }
      int main(void) { return deep(0); }`);
    expect(report.findings.map(({ code }) => code)).toEqual(['stack-exhausted']);
  });
});

test('a variable-length array that no stack can hold', async () => {
  const report = await checkC(`static int last(long n) {
      char a[n];
      a[n - 1] = 1;
      return a[n - 1];
    }
    int main(void) { return last(5L << 30); }`);
  expect(places(report)).toEqual(['stack-exhausted:2']);
});

test('a range that no memory can hold', async () => {
  const text = `#include <string.h>
    int main(void) {
      char a[16];
      memset(a, 0, (size_t)-1);            // => stack-buffer-overflow
      memcpy(a + 8, a, (size_t)1 << 33);   // => stack-buffer-overflow
      return a[0];
    }`;
  const report = await checkC(text, { keepGoing: true });
  expect([...new Set(places(report))]).toEqual(expectedPlaces(text));
  expect(report.program?.exit).toBe(0);
});

test('a failed assertion is quoted', async () => {
  const report = await checkC('#include <assert.h>\nint main(int argc, char **argv) { assert(argc == 9); }');
  expect(places(report)).toEqual(['assertion-failure:2']);
  expect(report.findings[0]?.message).toBe('assertion `argc == 9` failed');
  expect(report.program).toEqual({ exit: null, signal: 'SIGABRT' });
});

test('a trap is reported where it stands', async () => {
  const report = await checkC(`#include <stdlib.h>
    int main(int argc, char **argv) {
      free(malloc(4));
      if (argc > 0) __builtin_trap();
      return 0;
    }`);
  expect(places(report)).toEqual(['abort:4']);
});

describe('limits', () => {
  const grows = `#include <stdlib.h>
    #include <string.h>
    int main(void) {
      if (malloc((size_t)1 << 60) || calloc((size_t)1 << 60, 16)) return 1;
      for (;;) memset(malloc(1 << 20), 1, 1 << 20);
    }`;

  test('of memory', async () => {
    const report = await checkC(grows, { maxMemoryBytes: 64 << 20 });
    expect(places(report)).toEqual(['out-of-memory:5']);
    expect(report.verdict).toBe('inconclusive');
    expect(report.summary).toContain('67108864 bytes');
  });

  test('not of a block that takes nearly all memory, whose bounds are checked', async () => {
    const report = await checkC(
      `#include <stdlib.h>
      int main(void) {
        size_t bytes = 1000 << 20;
        char *block = malloc(bytes);
        block[0] = block[bytes - 1] = 1;
        block[bytes] = 2;
        free(block);
        return block[bytes / 2];
      }`,
      { keepGoing: true },
    );
    expect(places(report)).toEqual(['heap-buffer-overflow:6', 'use-after-free:8']);
  });

  test('of all memory that a run can have, though the machine may have more', async () => {
    const report = await checkC(`#include <stdlib.h>
      int main(void) { char *p = malloc(2000000000); p[1999999999] = 1; free(p); return 0; }`);
    expect(places(report)).toEqual(['out-of-memory:2']);
    expect(report.verdict).toBe('inconclusive');
    expect(report.summary).toContain('the program needs more than 1073741824 bytes of memory');
  });

  const handles = `#include <stdlib.h>
    #include <sys/mman.h>
    static void *p, *blocks[4];
    int main(int argc, char **argv) {
      p = malloc(16);
      switch (argv[1][0]) {
        case 'm': return malloc(3000000000u) != NULL;
        case 'c': return calloc(3000000, 1000) != NULL;
        case 'r': return realloc(p, 3000000000u) != NULL;
        case 'a': return posix_memalign(&p, 64, 3000000000u) == 0;
        case 'f': return mmap(0, 3000000000u, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
        default: for (int i = 0; i < 4; i++) if (!(blocks[i] = malloc(300 << 20))) return 0; return 1;
      }
    }`;

  test.each(['malloc', 'calloc', 'realloc', 'aligned', 'from mmap', 'several blocks'])(
    'of memory that the program handles: %s',
    async way => {
      const report = await checkC(handles, { arguments: [way] });
      expect(report).toMatchObject({ verdict: 'inconclusive', findings: [], program: { exit: 0 } });
      expect(report.summary).toMatch(/^a request of \d+ bytes failed for lack of memory/);
    },
  );

  test('of memory that the user has chosen is a test of how the program handles it', async () => {
    const text = '#include <stdlib.h>\nint main(void) { return malloc(80 << 20) ? 1 : 2; }';
    const report = await checkC(text, { maxMemoryBytes: 64 << 20 });
    expect(report).toMatchObject({ verdict: 'clean', program: { exit: 2 } });
    expect(report.summary).toContain('failed for lack of memory');
  });

  test('of time, with the findings so far', async () => {
    const text = 'int a[4]; int main(void) { for (unsigned i = 0;; i++) a[i % 8] = 1; }';
    const within = (maxTimeMs: number) => checkC(text, { maxTimeMs, keepGoing: true });
    let report = await within(1500);
    // On a busy machine V8 may have taken longer than that to compile the program.
    if (report.findings.length === 0) report = await within(20_000);
    expect(places(report)).toEqual(['global-buffer-overflow:1']);
    expect(report.verdict).toBe('inconclusive');
  });
});

test('computed gotos behave as natively, through tables of labels and label differences', async () => {
  const report = await checkC(`
    static int run(const unsigned char *code, int x) {
      static const void *const table[] = {&&add, &&twice, &&stop};
      goto *table[*code];
    add: x += 1; goto *table[*++code];
    twice: x *= 2; goto *table[*++code];
    stop: return x;
    }
    static int differ(int which) {
      static const int offsets[] = {&&one - &&one, &&two - &&one};
      goto *(&&one + offsets[which]);
    one: return 10;
    two: return 20;
    }
    int main(void) {
      void *local[2] = {&&first, &&second};
      goto *local[1];
    first: return 99;
    second: return run((const unsigned char[]){0, 1, 1, 0, 2}, 3) + differ(0) + differ(1);
    }`);
  expect(report).toMatchObject({ findings: [], program: { exit: 47 } });
});
