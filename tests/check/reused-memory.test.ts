/** Freed memory serves later blocks of any size and alignment (`runtime/monitor/heap.c`). */
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { checkC, places } from './check-c.js';

const maxMemoryBytes = 64 << 20;

/** Six times the memory, although no more than 7 KB is live. */
const oneLongerThanTheOther = `
  #include <stdlib.h>
  int main(void) {
    char *last = NULL, *first = malloc(100);
    free(first);
    for (size_t i = 1; i < 14000; i++) {
      char *longer = malloc(4 * i);
      if (longer == NULL) return 1;
      longer[4 * i - 1] = 1;
      free(last);
      last = longer;
    }
    free(last);
    return FIRST;
  }`;

test('of a text that becomes longer and longer', async () => {
  const text = oneLongerThanTheOther.replace('FIRST', '0');
  expect(await checkC(text, { maxMemoryBytes })).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});

test('and a stale pointer to it is still explained', async () => {
  const report = await checkC(oneLongerThanTheOther.replace('FIRST', 'first[0]'), { maxMemoryBytes });
  expect(places(report)).toEqual(['use-after-free:14']);
  expect(report.findings[0]!.message).toContain('freed block of 100 bytes');
});

test('of aligned blocks', async () => {
  const text = `
    #include <stdlib.h>
    int main(void) {
      for (int i = 0; i < 200; i++) {
        char *aligned = aligned_alloc(4096, 1 << 20);
        if (aligned == NULL) return 1;
        aligned[i] = 1;
        free(aligned);
      }
      return 0;
    }`;
  expect(await checkC(text, { maxMemoryBytes })).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});

test.each(['shadow', 'hybrid'] as const)('of blocks of all sizes, with the store %s', async store => {
  const inputs = [`${import.meta.dirname}/all-sizes.c`];
  const report = await check({ inputs, store, maxMemoryBytes, stdio: 'events' });
  expect(report).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
});
