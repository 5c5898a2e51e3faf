/**
 * Copies of what was copied, at places and of lengths that two inputs choose. Z3 takes ten seconds
 * to confirm what counting has excluded.
 */
import { expect, test } from 'vitest';
import { explore } from '../../src/index.js';

test('a copy of what was copied, both by two inputs', async () => {
  const text = `
    #include <klee/klee.h>
    #include <string.h>
    int main(void) {
      unsigned char n, s, a[40], b[40], old[40];
      klee_make_symbolic(&n, 1, "n");
      klee_make_symbolic(&s, 1, "s");
      klee_assume(n < 19 & s < 19);
      for (unsigned i = 0; i < 40; i++) a[i] = old[i] = 7 * i, b[i] = 100 + i;
      memmove(a + s, b + n, 1 + s);
      memmove(a + 18 - n, a + s, 1 + n);
      klee_assert(a[18 - n] == b[n]);
      unsigned char last = n <= s ? b[2 * n] : old[s + n];
      klee_assert(a[18] == last);
      return a[0] == a[20];
    }`;
  const report = await explore({ inputs: [{ name: 'test.c', text }] });
  expect(report.findings).toEqual([]);
  expect(report.summary).toMatch(/^all \d+ paths explored$/);
});
