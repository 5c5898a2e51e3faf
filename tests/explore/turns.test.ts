/**
 * The end of a time slice depends only on the program: not on what is compiled, and not
 * on the clock.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { linkedProgram } from '../../src/api/explore-program.js';
import { Explorer, type ExplorerLimits } from '../../src/explore/search/explorer.js';
import { explore } from '../../src/index.js';
import { exploreOptions } from '../../src/options/explore-options.js';
import { settingsOf } from '../../src/options/settings.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-turns-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Between its forks it runs longer than a turn, in a loop or in calls without one. */
const text = `#include <klee/klee.h>
  static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  int main(void) {
    unsigned char c[2];
    klee_make_symbolic(c, sizeof c, "c");
    unsigned h = 0;
    for (int i = 0; i < 2; i++) {
      if (c[i] > 9) for (unsigned j = 0; j < 170000; j++) h = h * 31 + j;
      else h += fib(22);
    }
    return c[0] == 7 ? 3 : h & 1;
  }`;

test('compiled and interpreted, time slices end at the same instructions', async () => {
  const run = async (interpretOnly: boolean): Promise<string[]> => {
    const inputs = [{ name: 'test.c', text }];
    await explore({ inputs, search: 'random-state', maxInstructions: 3_500_000, folder, interpretOnly });
    return ['statistics.csv', 'forks.dot'].map(name => readFileSync(join(folder, name), 'utf8'));
  };
  const compiled = await run(false);
  expect(await run(true)).toEqual(compiled);
});

/** `isLate`: the clock interrupts at each of its checks. */
async function whereItStops(limits: ExplorerLimits, isLate: boolean): Promise<unknown> {
  const options = { ...settingsOf(exploreOptions, {}), inputs: [{ name: 'test.c', text }] };
  const { module } = await linkedProgram(options, {});
  const settings = { host: { arguments: ['test'] }, symbolic: {}, limits, interpretOnly: true } as const;
  const explorer = await Explorer.create(module, settings);
  let ms = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (isLate ? ms++ : 0));
  let slices = 1;
  while (!explorer.runFor(0.5)) slices++;
  clock.mockRestore();
  expect(slices > 1).toBe(isLate);
  const { saved, live } = { saved: explorer.save(), live: explorer.live() };
  explorer.dispose();
  expect(live.length).toBeGreaterThan(0);
  return {
    instructions: saved.instructions,
    states: live.map(({ history, instructions }) => [history, instructions]),
  };
}

test.each<ExplorerLimits>([{ instructions: 300_000 }, { work: 6000 }])(
  'a search that the clock interrupts stops at the same instruction: %j',
  async limits => {
    expect(await whereItStops(limits, true)).toEqual(await whereItStops(limits, false));
  },
);

test('a loop of jumps ends its time slices, too', async () => {
  const jumps = `#include <klee/klee.h>
    #include <setjmp.h>
    static jmp_buf back;
    static volatile int rounds;
    int main(void) {
      int n = klee_int("n");
      setjmp(back);
      rounds++;
      if (n != 3) longjmp(back, 1);
      return 0;
    }`;
  const run = (interpretOnly: boolean) =>
    explore({ inputs: [{ name: 'test.c', text: jumps }], maxInstructions: 1_200_000, interpretOnly });
  const { stats } = await run(false);
  expect(stats.paths).toEqual({ completed: 1, error: 0, partial: 1 });
  expect((await run(true)).stats).toMatchObject({ paths: stats.paths, instructions: stats.instructions });
});

test('compiled and interpreted, calls may be nested to the same depth', async () => {
  const sum = (n: number): string => `
    static int sum(int n) { return n == 0 ? 0 : 1 + sum(n - 1); }
    int main(void) { return sum(${n}) != ${n}; }`;
  for (const [depth, codes] of [
    [49_990, []],
    [50_100, ['stack-exhausted']],
  ] as const) {
    const run = async (interpretOnly: boolean): Promise<number | undefined> => {
      const report = await explore({ inputs: [{ name: 'test.c', text: sum(depth) }], interpretOnly });
      expect(report.findings.map(({ code }) => code)).toEqual(codes);
      for (const { stack, omittedFrames } of report.findings)
        expect([stack.length, omittedFrames]).toEqual([16, 50_000 - 16]);
      return report.stats.instructions;
    };
    expect(await run(false)).toBe(await run(true));
  }
});

// Without the limit this would run for a day.
test('compiled code without loops stops when the time is up', async () => {
  const endless = text.replace('fib(22)', 'fib(60)');
  const report = await explore({ inputs: [{ name: 'test.c', text: endless }], maxTimeMs: 300 });
  expect(report.summary).toMatch(/the time is up/);
  expect(report.verdict).toBe('inconclusive');
});
