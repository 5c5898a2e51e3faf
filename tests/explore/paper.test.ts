/**
 * The listings of the KDALLOC paper, and the driver of the study of malloc (heap-metadata, section
 * 2.3.1).
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';

const source = (text: string, options: Partial<ExploreOptions> = {}): Promise<ExploreReport> =>
  explore({ inputs: [{ name: 'listing.c', text }], ...options });

test('listing 1: the freed copy is printed, after another one was made', async () => {
  const text = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char *mallocfree() {
  char *s = strdup("A");
  free(s);
  char *t = strdup("B");
  return s;
}
int main(void) {
  char *s = mallocfree();
  puts(s);
  return 0;
}`;
  for (const quarantine of [undefined, 8, 1]) {
    const { findings } = await source(text, quarantine === undefined ? {} : { quarantine });
    expect(findings).toMatchObject([{ code: 'use-after-free', location: { line: 12 } }]);
    const [object] = findings.map(finding => finding.object);
    expect(object?.allocated?.map(({ line }) => line)).toEqual(expect.arrayContaining([5, 11]));
    expect(object?.freed?.[0]).toMatchObject({ line: 6, function: 'mallocfree' });
  }
});

const listing3 = (loop: string): string => `
  #include <klee/klee.h>
  #include <stdlib.h>
  static void *klee_symbolic_ptr(void) {
    void *p;
    klee_make_symbolic(&p, sizeof p, "p");
    return p;
  }
  int main(void) {
    void *x = malloc(1), *p = klee_symbolic_ptr();
    ${loop}
  }`;

test('listing 3: the summary does not claim that an infinite loop was explored', async () => {
  const report = await source(listing3('while (1) { if (x == p) free(x); x = malloc(1); }'), {
    maxInstructions: 4000,
    search: 'bfs',
  });
  expect(report.verdict).toBe('inconclusive');
  expect(report.summary).toMatch(/the limit of 4000 instructions was reached/);
  expect(report.findings).toEqual([]);
});

test('listing 3: a leak on one path does not prevent another path from reusing the address', async () => {
  const loop = `
    for (int i = 0; i < 4; i++) {
      void *old = x;
      if (x == p) free(x);
      x = malloc(1);
      if (old == p) klee_assert(x == old);
      else klee_assert(x != old);
    }
    exit(0);`;
  const options = { checks: ['spatial', 'temporal'], search: 'bfs' } as const;
  const reused = await source(listing3(loop), { ...options, quarantine: 0 });
  // Freed in round 1, 2, 3 or 4, and again in all rounds after it; or never.
  expect(reused.stats.paths).toEqual({ completed: 5, error: 0, partial: 0 });
  const kept = await source(listing3(loop), options);
  expect(kept.findings.map(({ code }) => code)).toEqual(['assertion-failure']);
});

test('a BIBOP allocator has no null dereference on any sizes, four rounds', async () => {
  const report = await explore({
    inputs: [join(import.meta.dirname, 'programs/bibop.c')],
    clangFlags: ['-DROUNDS=4'],
  });
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 121 paths explored');
});
