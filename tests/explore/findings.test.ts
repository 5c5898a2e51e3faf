/**
 * Each kind of error that `explore` reports, on an input that it has to find, at the line where it
 * happens. All are functions of one program, which a symbolic number chooses between.
 */
import { expect, test } from 'vitest';
import { check, explore } from '../../src/index.js';

/** A function body in which `n` is symbolic; the error is in the line marked with HERE. */
const errors: readonly (readonly [code: string, body: string])[] = [
  ['heap-buffer-overflow', 'char *p = malloc(8);\n if (n > 0 && n < 20) p[n] = 1; // HERE'],
  ['heap-buffer-overflow', 'int *p = malloc(8);\n if (n == 5) return p[-1]; // HERE'],
  ['stack-buffer-overflow', 'int a[4] = {0};\n if (n >= 0 && n <= 4) return a[n]; // HERE'],
  ['global-buffer-overflow', 'static int t[3];\n if (n == 77) t[n] = 1; // HERE'],
  ['global-buffer-overflow', 'static char t[32]; if (n == 78)\n t[9u + 2147483643u] = 1; // HERE'],
  ['use-after-free', 'char *p = malloc(1); *p = 1; if (n == 3) free(p);\n return *p; // HERE'],
  ['use-after-free', 'char *p = malloc(9); free(p); char *q = malloc(9);\n p[0] = 1; // HERE\n return q[0];'],
  ['use-after-scope', 'if (n) { char c = 1; kept = &c; }\n if (n) return *kept; // HERE'],
  ['use-after-return', 'if (n) store();\n if (n) return *kept; // HERE'],
  ['double-free', 'char *p = malloc(4); free(p);\n if (n == 1) free(p); // HERE'],
  ['invalid-free', 'char *p = malloc(4);\n free(p + (n == 2)); // HERE'],
  ['null-dereference', 'char *p = n == 4 ? 0 : malloc(1);\n if (p != 0 || n == 4) *p = 1; // HERE'],
  ['wild-pointer', 'if (n == 1)\n return *(char *)0x12345678; // HERE'],
  ['division-by-zero', 'return 100 / (n ^ 7); // HERE'],
  ['signed-overflow', 'if (n > 0)\n return (n + 1) & 1; // HERE'],
  ['shift-out-of-bounds', 'if (n >= 0)\n return 1u << n & 1; // HERE'],
  ['write-to-constant', 'char *t = (char *)"abc"; if (n == 9)\n t[0] = 1; // HERE'],
  ['assertion-failure', 'klee_assert(n != 12345); // HERE'],
  ['abort', 'if (n == 0x1234567) abort(); // HERE'],
  ['heap-buffer-overflow', 'char *p = malloc(3);\n if (n == 6) strcpy(p, "abc"); // HERE'],
  ['null-dereference', 'int (*f)(int) = n == 8 ? 0 : abs;\n return f(1); // HERE'],
  ['uninitialized-read', 'int a[4]; a[n & 1] = 1; if (n == 11)\n if (a[2]) return 1; // HERE'],
  [
    'heap-buffer-overflow',
    'char *p = calloc(9, 1), *q = calloc(9, 1); far = p + (q - p);\n return n == 3 ? *far : 0; // HERE',
  ],
  ['shift-out-of-bounds', 'if (n < 0)\n return n << 2; // HERE'],
  ['bad-format-string', 'char t[20]; if (n == 5)\n sprintf(t, n == 5 ? "%d %d" : "", n); // HERE'],
  ['out-of-memory', 'if (n == 6)\n return *(char *)malloc(1ul << 39); // HERE'],
  [
    'use-after-scope',
    'int *last = 0; for (int i = 0; i < 3; i++) { int x = i; if (n == 7 && last)\n return *last; // HERE\n last = &x; }',
  ],
  ['signed-overflow', 'if (n == 1)\n return INT_MAX + 1; // HERE'],
  ['signed-overflow', 'if (n == 2)\n return -INT_MIN; // HERE'],
  ['signed-overflow', 'if (n == 3)\n return INT_MIN / -1; // HERE'],
  ['division-by-zero', 'const int none = 0; if (n == 4)\n return 5 / none; // HERE'],
  ['shift-out-of-bounds', 'if (n == 5)\n return 1 << 40; // HERE'],
  ['shift-out-of-bounds', 'if (n == 6)\n return 1 >> -1; // HERE'],
  ['float-cast-overflow', 'if (n == 7)\n return (int)1e20; // HERE'],
  ['unreachable-reached', 'if (n == 8)\n __builtin_unreachable(); // HERE'],
  ['overlapping-copy', 'char t[9] = "abcdefg"; if (n == 4)\n memcpy(t + 1, t, 4); // HERE\n return t[3];'],
];

const text = `
  #include <klee/klee.h>
  #include <limits.h>
  #include <stdio.h>
  #include <stdlib.h>
  #include <string.h>
  static char *kept, *volatile far;
  static void store(void) { char c = 1; kept = &c; }
  ${errors.map(([, body], i) => `static int error${i}(int n) { (void)store; ${body}\n return 0; }`).join('\n')}
  int main(void) {
    int n, which;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(&which, sizeof which, "which");
    switch (which) {
      ${errors.map((_, i) => `case ${i}: return error${i}(n);`).join('\n')}
    }
    return 0;
  }`;

test('every error is found, and nothing else', async () => {
  const marked = text.split('\n').flatMap((line, i) => (line.includes('HERE') ? [i + 1] : []));
  const expected = errors.map(([code], i) => `${code}:${marked[i]}`);
  const checks = ['spatial', 'temporal', 'init', 'undefined'] as const;
  const report = await explore({ inputs: [{ name: 'errors.c', text }], checks });
  const found = report.findings.map(({ code, location }) => `${code}:${location.line}`);
  expect(found.sort()).toEqual(expected.sort());
  for (const { code, object, stack, notes } of report.findings) {
    expect(stack.at(-1)?.function).toBe('main');
    expect(notes?.at(-1)?.message).toMatch(/^happens when `n` = -?\d+, `which` = \d+$/);
    if (code === 'use-after-free' || code === 'double-free') {
      expect(object?.allocated?.at(-1)?.function).toBe('main');
      expect(object?.freed?.at(-1)?.function).toBe('main');
    }
  }
});

test('one location can have several errors, and many paths may lead to one error', async () => {
  const { findings } = await explore({
    inputs: [
      {
        name: 'places.c',
        text: `#include <klee/klee.h>
#include <string.h>
#include <stdlib.h>
int main(void) {
  unsigned char n, from[8] = {0}, to[4], sum = 0;
  klee_make_symbolic(&n, 1, "n");
  memcpy(to, from + (n & 7), n >> 5);
  char *words[2] = {strdup("some"), malloc(3)};
  for (int i = 0; i < n % 4; i++) words[n % 2][n % 8] = 1;
  free(words[0]), free(words[1]);
  return 0;
}`,
      },
    ],
  });
  const told = findings.map(({ location, access, object }) => {
    const site = object?.allocated?.find(({ file }) => file === 'places.c')?.line;
    return `${location.line}: ${access?.kind} ${object?.name ?? object?.bytes} of line ${site}`;
  });
  expect(told.sort()).toEqual([
    '7: read from of line 5',
    '7: write to of line 5',
    '9: write 3 of line 8',
    '9: write 5 of line 8',
  ]);
});

test('a finding for an uninitialized value names its uninitialized bytes, and the line of its use', async () => {
  const { findings } = await explore({
    checks: ['init'],
    inputs: [
      {
        name: 'origins.c',
        text: `#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
struct pair { float x; int set; };
static struct pair make(int n) {
  struct pair made;
  made.set = n;
  if (n > 99) made.x = 1;
  return made;
}
static float global;
static double totals[4];
int main(void) {
  unsigned char n, k;
  klee_make_symbolic(&n, 1, "n");
  klee_make_symbolic(&k, 1, "k");
  double list[4];
  list[0] = list[1] = list[2] = 1;
  switch (n) {
    case 1: { // some of the bytes were written, which ones depends on the input
      char text[16];
      if (k > 15) return 0;
      memset(text, 1, k), text[k / 2] = 2;
      return text[3] == 2;
    }
    case 2: { // copied to a global variable
      struct pair pair = make(n);
      global = pair.x;
      if (global > 1) return 1;
      return 2;
    }
    case 3: // computed with
      memcpy(totals, list, sizeof totals);
      return totals[2] + totals[3] > 1;
    case 4: { // moved to another place, from a block that was copied to
      short *from = malloc(8), *to = malloc(8);
      from[0] = 1;
      memcpy(to, from, 8);
      to = realloc(to, 80);
      from[3] = 1;
      k = to[3] ? 2 : 3;
      free(from), free(to);
      return k;
    }
    case 5: { // grown
      short *grown = realloc(malloc(4), 8);
      k = grown[1] ? 2 : 3;
      free(grown);
      return k;
    }
    case 6: { // bytes in the middle
      union { struct { char a; short b; char c; } in; unsigned long all; } both;
      both.in.a = 1, both.in.c = 2;
      return (both.all & 0xffff00) > 5;
    }
  }
  return 0;
}`,
      },
    ],
  });
  const told = findings.map(({ location, message, object }) => {
    const site = object?.allocated?.[0]?.line;
    return `${location.line}: ${message.replace(/^use of | that w.*$/g, '')}, of line ${site}`;
  });
  expect(told.sort()).toEqual([
    '24: 1 byte at offset 3 of `text` of 16 bytes, of line 21',
    '29: 4 bytes at offset 0 of `pair` of 8 bytes, of line 27',
    '34: 8 bytes at offset 24 of `list` of 32 bytes, of line 17',
    '41: 2 bytes at offset 6 of a block of 8 bytes, of line 36',
    '47: 2 bytes at offset 2 of a block of 8 bytes, of line 46',
    '54: 8 bytes at offset 0 of `both` of 8 bytes, of which bytes 1 to 3 were never written, of line 52',
  ]);
});

test('blocks that the library allocates before main have names, as under `check`', async () => {
  const ofArguments = 'int main(int count, char **given) { return given[1][9] + count; }';
  const ofTarget =
    'int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long n) { return data[n] & 0; }';
  const named = async (text: string): Promise<unknown> => {
    const inputs = [{ name: 'blocks.c', text }];
    const given = { inputs, arguments: text === ofTarget ? [] : ['q'] };
    const reports = [await explore(given), await check({ ...given, stdin: '' })];
    return reports.map(({ findings }) =>
      findings.map(({ object }) => [object?.name, object?.allocated ?? []]),
    );
  };
  const start = [['the arguments or environment of the program', []]];
  expect(await named(ofArguments)).toEqual([start, start]);
  const input = [['the input', []]];
  expect(await named(ofTarget)).toEqual([input, input]);
});

test('a long computation is an error only if it reads uninitialized bytes on the test', async () => {
  const program = (index: string): string => `#include <klee/klee.h>
int main(void) {
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, "i");
  klee_make_symbolic(&j, sizeof j, "j");
  if (i > 9 || j > 9 || i + j > 1) return 0;
  unsigned char b[8];
  b[0] = 1;
  b[1] = 2;
  unsigned x = b[${index}];
  for (int round = 0; round < 2000; round++) x = (x ^ i) * 3;
  return x == 5;
}`;
  const codes = async (index: string): Promise<unknown> => {
    const { verdict, findings } = await explore({ inputs: [{ name: 'long.c', text: program(index) }] });
    return [verdict, findings.map(({ code }) => code)];
  };
  // The solver is not asked about terms of this height.
  expect(await codes('i + j')).toEqual(['inconclusive', []]);
  expect(await codes('2 + i + j')).toEqual(['findings', ['uninitialized-read']]);
});
