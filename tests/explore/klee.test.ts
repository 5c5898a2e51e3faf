/**
 * Functions of `klee.h` beyond inputs and assumptions: each is honoured, or named as what has no
 * effect or is not supported.
 */
import { expect, test } from 'vitest';
import { check, type ExploreOptions, type ExploreReport, explore, type RunEvent } from '../../src/index.js';

const program = (body: string): { inputs: { name: string; text: string }[] } => ({
  inputs: [
    {
      name: 'test.c',
      text: `#include <assert.h>
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  int n = klee_int("n");
  ${body}
  return 0;
}`,
    },
  ],
});

const source = (
  body: string,
  options: Partial<ExploreOptions> = {},
  notes: string[] = [],
): Promise<ExploreReport> =>
  explore(
    { ...program(body), ...options },
    {
      onEvent: (event: RunEvent) => {
        if (event.kind === 'warning') notes.push(event.diagnostic.message);
      },
    },
  );

test('without forking one side of a branch is taken, which is reported', async () => {
  const body = 'int m = 0; if (n > 5) m++; if (n > 7) m++;';
  expect((await source(body)).summary).toBe('all 3 paths explored');
  const report = await source(
    `klee_set_forking(0); ${body} klee_set_forking(1); if (n == 3) return 1; if (n == 30) return 2;`,
  );
  expect(report.stats.paths).toMatchObject({ partial: 0 });
  expect(report.stats.paths?.completed).toBeLessThan(4);
  expect(report.summary).toContain('a branch where forking is switched off was concretized');
  expect(report).toMatchObject({ verdict: 'inconclusive', chosen: [{ location: { line: 6 } }] });
});

test('floats get a single value', async () => {
  const report = await source(`float f; double d;
    klee_make_symbolic(&f, sizeof f, "f");
    klee_make_symbolic(&d, sizeof d, "d");
    klee_assume(f > 2.5f & f < 2.75f & d > 100 & d < 200);
    float g = klee_get_valuef(f);
    double e = klee_get_valued(d);
    unsigned bits;
    __builtin_memcpy(&bits, &g, sizeof bits);
    assert(!klee_is_symbolic(bits) && g > 2.5f && g < 2.75f && e > 100 && e < 200);
    if (f < 2.6f) return 1;`);
  expect(report.findings).toEqual([]);
  expect(report.summary).toBe('all 2 paths explored');
});

test.each(['klee_define_fixed_object((void *)0x1000, 8)', 'klee_alias_function("abs", "labs")'])(
  '%s is reported as unsupported, by name, in both engines',
  async call => {
    const body = `if (n == 7) ${call}; if (n == 8) return 1;`;
    const report = await source(body);
    const name = call.slice(0, call.indexOf('('));
    expect(report.findings).toMatchObject([
      { code: 'unsupported', message: expect.stringContaining(name), location: { line: 6 } },
    ]);
    expect(report.stats.paths).toEqual({ completed: 2, error: 0, partial: 1 });
    expect(await check(program(`n = 7; ${body}`))).toMatchObject({
      findings: [{ code: 'unsupported', message: expect.stringContaining(name), location: { line: 6 } }],
    });
  },
);

test('functions without effect are named, once and only if they are called', async () => {
  const notes: string[] = [];
  const report = await source(
    'klee_open_merge(); if (n == 1) n = 2; klee_close_merge(); klee_mark_global(&n); klee_print_expr("n", n); klee_stack_trace();',
    {},
    notes,
  );
  expect(report.verdict).toBe('clean');
  expect(notes).toEqual([
    '`klee_open_merge` has no effect on `explore`: paths are not merged',
    '`klee_close_merge` has no effect on `explore`: paths are not merged',
    '`klee_mark_global` has no effect on `explore`: an object ends where C says',
    '`klee_print_expr` has no effect on `explore`: terms are not printed',
    '`klee_stack_trace` has no effect on `explore`: findings have stacks',
  ]);
  const quiet: string[] = [];
  await source('if (n == 1) return 1;', {}, quiet);
  expect(quiet).toEqual([]);
});

test('--max-fail stops after that many findings, and more can be found later', async () => {
  const body =
    'char *p = malloc(4); if (n >= 4 && n < 8) p[n] = 1; if (n == 1) abort(); if (n == 2) free(p); free(p);';
  const all = await source(body);
  expect(all.findings).toHaveLength(3);
  const report = await source(body, { maxFail: 2 });
  expect(report).toMatchObject({ verdict: 'findings' });
  expect(report.findings).toHaveLength(2);
  expect(report.summary).toMatch(/left; the limit of 2 findings was reached$/);
  expect((await source(body, { maxFail: 4 })).summary).toBe(all.summary);
});
