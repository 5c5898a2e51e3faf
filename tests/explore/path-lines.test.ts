/** The lines that each path has executed. */
import { expect, test } from 'vitest';
import { explore } from '../../src/index.js';

const text = `#include <stdio.h>
#include <stdlib.h>
#include <klee/klee.h>

static int twice(int x) {
  return 2 * x;
}

static int pick(const unsigned char *b) {
  int n = 0;
  if (b[0] == 'R') {
    n = twice(3);
    if (b[1] == 'Z') {
      int *p = malloc(4);
      *p = n;
      free(p);
      n += *p;
      n++;
    }
  } else {
    for (int i = 0; i < 2; i++)
      if (b[i] > 200)
        n += i;
  }
  return n;
}

int main(void) {
  unsigned char b[2];
  klee_make_symbolic(b, sizeof b, "b");
  int n = pick(b);
  if (n == 6)
    exit(1);
  printf("%d\\n", n);
  return 0;
}
`;

test.each([false, true])(
  'a path has its own lines, up to where it ends (interpreted: %s)',
  async interpretOnly => {
    const { details } = await explore({ inputs: [{ name: 'pick.c', text }], details: true, interpretOnly });
    const lines = Object.fromEntries(
      details!.paths.map(({ inputs, lines: found }) => [inputs, found?.flatMap(([, numbers]) => numbers)]),
    );
    expect(details!.paths[0]!.lines?.map(([file]) => file)).toEqual(['pick.c']);
    // The error is in line 17; `exit` does not return to line 34.
    expect(lines['`b` = "RZ"']).toEqual([6, 10, 11, 12, 13, 14, 15, 16, 17, 29, 30, 31]);
    expect(lines['`b` = "R\\x00"']).toEqual([6, 10, 11, 12, 13, 20, 25, 26, 29, 30, 31, 32, 33]);
    const loop = [10, 11, 21, 22, 25, 26, 29, 30, 31, 32, 34, 35, 36];
    expect(lines['`b` = {0, 0}']).toEqual(loop);
    expect(lines['`b` = {0, 201}']).toEqual([...loop, 23].sort((a, b) => a - b));
    expect(details!.paths).toHaveLength(6);
    // Paths with the same lines share a list.
    expect(new Set(details!.paths.map(path => path.lines)).size).toBe(4);
  },
);

test.each([
  ['once, so that it has not returned', 'last(n)', [3, 7, 8, 9]],
  ['twice, so that it may have', 'last(1) + last(n)', [3, 4, 7, 8, 9]],
])('a function fails in its last block: it is called %s', async (_, what, expected) => {
  const failing = `#include <klee/klee.h>
static int last(int n) {
  int r = 10 / n;
  return r; }

int main(void) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  return ${what};
}
`;
  const { details } = await explore({ inputs: [{ name: 'last.c', text: failing }], details: true });
  const error = details!.paths.find(({ isError }) => isError);
  expect(error?.lines).toEqual([['last.c', expected]]);
});
