/**
 * `--keep-going`: every cause is reported once, invalid stores change nothing, and the program runs
 * to its end.
 */
import { expect, test } from 'vitest';
import { checkC, expectedPlaces, places } from './check-c.js';

test('reports every finding of a run and suppresses the invalid stores', async () => {
  const text = `
    #include <assert.h>
    #include <limits.h>
    #include <stdlib.h>
    #include <string.h>
    static int same(int value) { return value; }
    int zero, table[4], neighbour = 7;
    int main(void) {
      int *p = malloc(32), *q = malloc(32);
      int unset, other;
      char small[4], little[4] = {0};
      q[0] = 42;
      for (int i = 0; i < 40; i++) p[i] = i;             // => heap-buffer-overflow
      assert(q[0] == 42);
      memset(p, 1, 400);                                 // => heap-buffer-overflow
      assert(q[0] == 42 && p[0] == 0x01010101);
      memcpy(small, "abcdefgh", 8);                      // => stack-buffer-overflow
      strcpy(small, "abcdefgh");                         // => stack-buffer-overflow
      memcpy(small, little, 5);                          // => stack-buffer-overflow // => stack-buffer-overflow
      table[zero + 5]++;                                 // => global-buffer-overflow
      for (int i = 0; i < 8; i++) table[i] = i;          // => global-buffer-overflow
      assert(neighbour == 7);
      if (unset) zero = 0;                               // => uninitialized-read
      if (unset) zero = 0;
      zero = same(other);                                // => uninitialized-read
      zero = same(other) - same(other);
      int quotient = 3 / zero;                           // => division-by-zero
      quotient += INT_MIN / (zero - 1);                  // => signed-overflow
      int big = INT_MAX;
      big += 1;                                          // => signed-overflow
      *(volatile int *)0 = 1;                            // => null-dereference
      free(p);
      free(p);                                           // => double-free
      p[0] = 1;                                          // => use-after-free
      free(q + 1);                                       // => invalid-free
      *(char *)"constant" = 'x';                         // => write-to-constant
      free(q);
      return 3;
    }`;
  const report = await checkC(text, { keepGoing: true });
  expect(places(report)).toEqual(expectedPlaces(text));
  expect(report.program).toEqual({ exit: 3, signal: null });
  expect(report.verdict).toBe('findings');
});

test('an error that cannot be suppressed ends the run', async () => {
  const report = await checkC(
    `int main(int argc, char **argv) {
      if (argc > 100) return 0;
      __builtin_unreachable();
    }`,
    { keepGoing: true },
  );
  expect(places(report)).toEqual(['unreachable-reached:3']);
});

test('repeated errors are counted, and other errors at the same location are still found', async () => {
  const report = await checkC(
    `#include <stdlib.h>
    static int at(int *p, int i) {
      return p[i];                                  // read by all
    }
    int main(void) {
      int *a = malloc(16), *b = malloc(16), local[4] = {0}, sum = 0;
      for (int i = 0; i < 4; i++) a[i] = b[i] = i;
      for (int i = 0; i < 1000000; i++) sum += at(a, 4 + (i & 1));
      for (int i = 0; i < 1000; i++) { char *c = malloc(8); sum += c[8]; free(c); }
      sum += at(local, 5) + at(0, 0) + at((int *)0x20000000, 0);
      free(a);
      sum += at(a, 0) + at(b, 4);
      for (int i = 0; i < 1000; i++) sum += 0x7fffffff + i % 2;
      free(b);
      return sum & 0;
    }`,
    { keepGoing: true, checks: ['spatial', 'temporal', 'init', 'undefined'] },
  );
  const expected = ['heap-buffer-overflow:3', 'heap-buffer-overflow:9', 'stack-buffer-overflow:3'];
  expected.push('null-dereference:3', 'wild-pointer:3', 'use-after-free:3', 'heap-buffer-overflow:3');
  expect(places(report).filter(place => !place.startsWith('signed-overflow'))).toEqual(expected);
  expect(report.summary).toMatch(/^the same errors occurred 10\d{5} times more/);
});
