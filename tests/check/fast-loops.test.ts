/**
 * Errors that a loop meets after many rounds without one: the golden program of loops, case by
 * case, stopping at the first finding, because only then do loops have a fast copy. And the mode
 * without numbers, which has none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { checkC, places } from './check-c.js';

const path = join(import.meta.dirname, '../golden/loops.c');
const expected = readFileSync(path, 'utf8')
  .split('\n')
  .flatMap((line, i) => [...line.matchAll(/\/\/~ ERROR ([\w-]+)/g)].map(match => `${match[1]}:${i + 1}`));

/**
 * The cases: an affine address, one that depends on data, a partial granule, three kinds of gaps, a
 * constant, a list, counters that wrap around.
 */
test.each([1, 5, 8, 9, 10, 11, 13, 14, 18, 19, 20])(
  'case %i of loops.c is found at its line',
  async number => {
    const report = await check({ inputs: [path], arguments: [String(number)] });
    expect(places(report)).toEqual([expected[number - 1]]);
  },
);

test.each([1, 2, 7, 8])('case %i of loops.c is found by the shadow alone', async number => {
  const report = await check({ inputs: [path], arguments: [String(number)], checks: ['spatial'] });
  expect(places(report)).toEqual([expected[number - 1]]);
});

test('the shadow alone does not detect an access that jumps into a neighbouring object', async () => {
  const report = await check({ inputs: [path], arguments: ['6'], checks: ['spatial'] });
  expect(places(report)).toEqual([]);
});

test('a structure passed by value has the same call in all copies of its block', async () => {
  const report = await checkC(`
    #include <stdbool.h>
    union tree { struct { bool inl : 1; bool seen : 1; } data; const int *heap; };
    __attribute__((noinline)) static bool seen(union tree t) { return t.data.inl ? t.data.seen : *t.heap; }
    static int find(union tree *trees, const int *aliases, int n) {
      for (int i = n - 1; i >= 0; i--) {
        bool is_seen = true;
        if (i > 0) is_seen = aliases[i] != 0 || seen(trees[i]);
        if (is_seen) return i;
      }
      return -1;
    }
    int main(int argc, char **argv) {
      int one = 1, zero = 0, aliases[4] = {0};
      union tree trees[4] = {{.heap = &one}, {.heap = &one}, {.heap = &zero}, {.heap = &zero}};
      return find(trees, aliases, 4) == argc ? 0 : 1;
    }`);
  expect(report).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});
