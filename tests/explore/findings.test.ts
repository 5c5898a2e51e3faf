/**
 * Each kind of error that `explore` reports, on an input that it has to find, at the line where it happens. All are functions
 * of one program, which a symbolic number chooses between.
 */
import { expect, test } from 'vitest';
import { explore } from '../../src/index.js';

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
  ['out-of-memory', 'if (n == 6)\n return malloc(1ul << 39) == 0; // HERE'],
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

test('one place can have several errors, and many paths may lead to one', async () => {
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
