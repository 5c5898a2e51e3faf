/**
 * A forked state keeps its changes to a large object in parts. Compiled code that read such a part
 * before must not continue with the bytes that all states share.
 */
import { expect, test } from 'vitest';
import { explore } from '../../src/index.js';

const text = `#include <assert.h>
#include <klee/klee.h>
static int large[20000];
int main(void) {
  int n, wrong = 0;
  klee_make_symbolic(&n, sizeof n, "n");
  for (int i = 0; i < 20000; i++) large[i] = i;
  if (n == 5) large[3] = 7;
  for (int i = 0; i < 20000; i++) {
    int before = large[i];
    large[i] = before + 1;
    if (large[i] != before + 1) wrong++;
  }
  assert(wrong == 0);
  return 0;
}`;

test('compiled code reads back its writes to a shared object', async () => {
  const report = await explore({ inputs: [{ name: 'large.c', text }] });
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
});

test.each([
  'static char a[1ul << 33]; int main(void) { return a[1]; }',
  'int a[70000][70000]; int main(void) { return a[1][1]; }',
])('global variables that exceed the memory of every engine: %s', async source => {
  await expect(explore({ inputs: [{ name: 'huge.c', text: source }] })).rejects.toThrow(
    /global variables of the program take \d+ bytes/,
  );
});
