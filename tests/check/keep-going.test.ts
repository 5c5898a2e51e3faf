/** `--keep-going`: every cause is reported once, invalid stores change nothing, and the program runs to its end. */
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

test('what cannot be gone over ends the run all the same', async () => {
  const report = await checkC(
    `int main(int argc, char **argv) {
      if (argc > 100) return 0;
      __builtin_unreachable();
    }`,
    { keepGoing: true },
  );
  expect(places(report)).toEqual(['unreachable-reached:3']);
});
