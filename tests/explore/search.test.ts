/** The order of the search, and its limits. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linkedProgram } from '../../src/api/explore-program.js';
import { Explorer } from '../../src/explore/search/explorer.js';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { exploreOptions } from '../../src/options/explore-options.js';
import { settingsOf } from '../../src/options/settings.js';

/** A loop that forks at every byte, followed by a chain of tests that leads to an error. */
const chain = `
  #include <klee/klee.h>
  #include <stdlib.h>
  static int deep(const unsigned char *s) {
    if (s[0] == 'd') if (s[1] == 'e') if (s[2] == 'e') if (s[3] == 'p') abort();
    return 0;
  }
  int main(void) {
    unsigned char s[40];
    klee_make_symbolic(s, sizeof s, "s");
    int n = 0;
    for (int i = 4; i < 40; i++) if (s[i] & 1) n++; else n--;
    return deep(s) + n;
  }`;

const run = (options: Partial<ExploreOptions>): Promise<ExploreReport> =>
  explore({ inputs: [{ name: 'test.c', text: chain }], ...options });

test('the coverage search runs uncovered code first', async () => {
  const limits = { maxInstructions: 60_000 };
  const guided = await run({ search: 'coverage', ...limits });
  expect(guided.findings.map(({ code }) => code)).toEqual(['abort']);
  const blind = await run({ search: 'bfs', ...limits });
  expect(blind.findings).toEqual([]);
});

test('a path that never ends does not starve the others', async () => {
  const text = `
    #include <klee/klee.h>
    #include <stdlib.h>
    int main(void) {
      int n = klee_int("n");
      if (n > 3) for (unsigned i = 0;; i++) ;
      if (n == 1) abort();
      return 0;
    }`;
  const report = await explore({
    inputs: [{ name: 'test.c', text }],
    maxInstructions: 3_000_000,
  });
  expect(report.findings.map(({ code }) => code)).toEqual(['abort']);
  expect(report.stats.paths).toEqual({ completed: 1, error: 1, partial: 1 });
  expect(report.left).toMatchObject([{ location: { line: 6, function: 'main' }, paths: 1 }]);
});

test('limits hold without a listener for events', async () => {
  const inputs = [{ name: 'test.c', text: chain }];
  const { module } = await linkedProgram({ ...settingsOf(exploreOptions, {}), inputs }, {});
  const settings = {
    host: { arguments: ['test'] },
    symbolic: {},
    limits: { paths: 3 },
    solver: { backend: 'cadical' },
  } as const;
  const silent = await Explorer.create(module, settings, {});
  const { stopped, paths } = silent.run();
  silent.dispose();
  expect(stopped).toBe('the limit of 3 paths was reached');
  let heard = 0;
  const onPath = (): void => void heard++;
  const again = await linkedProgram({ ...settingsOf(exploreOptions, {}), inputs }, {});
  const heeded = await Explorer.create(again.module, settings, { onPath });
  expect(heeded.run()).toMatchObject({ stopped, paths });
  heeded.dispose();
  expect(heard).toBe(3);
});

test.each([
  [{ maxInstructions: 2000 }, /the limit of 2000 instructions was reached/],
  [{ maxPaths: 3 }, /the limit of 3 paths was reached/],
  [{ maxPaths: 1 }, /the limit of 1 path was reached/],
  [{ maxStates: 20, search: 'bfs' }, /the limit of 20 states was reached/],
  [{ maxDepth: 5 }, /the limit of 5 forks on one path was reached/],
  [{ maxMemoryBytes: 1 }, /the limit of memory was reached/],
] as const)('%j is named when it was reached', async (limit, summary) => {
  const inputs = [join(import.meta.dirname, 'programs/bubble-sort.c')];
  const report = await explore({ inputs, clangFlags: ['-DCOUNT=7'], maxTimeMs: 240_000, ...limit });
  expect(report.summary).toMatch(summary);
  expect(report.verdict).toBe('inconclusive');
  expect(report.stats.paths?.partial).toBeGreaterThan(0);
});

test('the time limit is named when it is reached, in every phase', async () => {
  const inputs = [join(import.meta.dirname, 'programs/bubble-sort.c')];
  const report = await explore({ inputs, clangFlags: ['-DCOUNT=7'], maxTimeMs: 200 });
  expect(report.summary).toMatch(/the time is up|stopped after 0.2 s while \w+/);
  expect(report.verdict).toBe('inconclusive');
});

test('a limit of lookups of terms stops an exploration, after the same paths each time', async () => {
  const text = `#include <klee/klee.h>
int main(void) {
  unsigned char bytes[8], sum = 0;
  klee_make_symbolic(bytes, sizeof bytes, "bytes");
  for (int at = 0; at < 8; at++) if ((unsigned char)(bytes[at] + sum) > 100) sum += bytes[at] * 3;
  return sum;
}
`;
  const inputs = [{ name: 'sums.c', text }];
  const explored = async (lookups: number) => {
    const { module } = await linkedProgram({ ...settingsOf(exploreOptions, {}), inputs }, {});
    const settings = { host: { arguments: ['test'] }, symbolic: {}, limits: { lookups, paths: 20 } };
    const explorer = await Explorer.create(module, settings, {});
    const { stopped, paths } = explorer.run();
    const { terms } = explorer.machine;
    explorer.dispose();
    return { stopped, completed: paths.completed, lookups: terms.lookups };
  };
  const all = await explored(Number.POSITIVE_INFINITY);
  expect(all).toMatchObject({ stopped: 'the limit of 20 paths was reached', completed: 20 });
  const part = await explored(Math.floor(all.lookups / 2));
  expect(part.stopped).toBe('the work is done');
  expect(part.completed).toBeLessThan(20);
  expect(part.lookups).toBeGreaterThanOrEqual(Math.floor(all.lookups / 2));
  expect(await explored(Math.floor(all.lookups / 2))).toEqual(part);
});
