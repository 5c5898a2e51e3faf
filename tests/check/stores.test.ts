/** Whichever store holds the facts about blocks, the verdicts are the same. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { checkC, expectedPlaces, places } from './check-c.js';

const golden = join(import.meta.dirname, '../golden');

describe.each(['shadow', 'trie'] as const)('--store %s', store => {
  // The long test runs all golden programs.
  test.each(['heap-bounds', 'stale-heap'])('%s', async name => {
    const options = { inputs: [join(golden, `${name}.c`)], keepGoing: true };
    const { findings } = await check(options);
    expect(findings.length).toBeGreaterThan(3);
    expect((await check({ ...options, store })).findings).toEqual(findings);
    expect((await check({ inputs: [join(golden, `${name}.fixed.c`)], store })).findings).toEqual([]);
  });
});

test('the hybrid store keeps blocks above its limit in the trie, and fills their tags on use', async () => {
  const text = `
    #include <stdlib.h>
    #include <string.h>
    int main(void) {
      char *large = malloc(1000), *small = malloc(10);
      memset(large, 1, 500);
      for (int i = 500; i < 900; i++) large[i] = large[i - 1];
      small[0] = large[999];
      if (large[950]) return 1; // => uninitialized-read
      large[1000] = 1;          // => heap-buffer-overflow
      free(large);
      large[3] = 1;             // => use-after-free
      free(small);
      return 0;
    }`;
  const report = await checkC(text, { storeLimitBytes: 100, keepGoing: true });
  expect(places(report)).toEqual(expectedPlaces(text));
});
