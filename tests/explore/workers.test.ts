/** `explore --workers`: the folder is the same to the byte, however many threads there are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExploreOptions, type ExploreReport, explore } from '../../src/index.js';
import { endOf } from './journal-harness.js';

const root = mkdtempSync(join(tmpdir(), 'redzone-workers-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Divided after the first paths, into tasks of a few paths each. */
const divided = { firstWork: 3000, taskWork: 20_000 };

/** All files but what the clock said, and the journal, whose checkpoints have times. */
function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter(name => name !== 'timing.csv' && name !== 'journal');
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(join(folder, name), 'latin1')]));
}

let folders = 0;

async function run(options: ExploreOptions): Promise<{ report: ExploreReport; files: object }> {
  const folder = join(root, String(folders++));
  const report = await explore({ ...divided, ...options, folder });
  const files = filesOf(folder);
  // Findings name their tests by the folder.
  const text = JSON.stringify(files).replaceAll(folder, 'FOLDER');
  return { report, files: JSON.parse(text) as object };
}

const inputs = [
  {
    name: 'letters.c',
    text: `#include <klee/klee.h>
#include <stdlib.h>
static int next(int state, char letter) {
  switch (letter) {
  case 'a': return state + 1;
  case 'b': return state * 2;
  case 'c': return state > 3 ? 0 : 5;
  default: return state;
  }
}
int main(void) {
  unsigned a, b;
  char s[4];
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(s, sizeof s, "s");
  int state = 1;
  for (int i = 0; i < 4; i++) state = next(state, s[i]);
  char *p = malloc(8);
  if (state == 9 && a + b > 77 && a < b) p[state] = 1;
  if (state == 16 && a > b) abort();
  if (state != 20) free(p);
  return state;
}
`,
  },
];

describe('one, two and three workers', () => {
  test('find the same as a single search, in files that are the same to the byte', async () => {
    const single = await run({ inputs });
    const one = await run({ inputs, workers: 1 });
    expect(endOf(one.report)).toEqual(endOf(single.report));
    expect(one.report.summary).toMatch(/^all \d+ paths explored/);
    expect(one.report.stats.instructions).toBe(single.report.stats.instructions);
    const three = await run({ inputs, workers: 3 });
    expect(three.files).toEqual(one.files);
    expect(endOf(three.report)).toEqual(endOf(one.report));
  });

  test('stop at the very path', async () => {
    const one = await run({ inputs, workers: 1, maxPaths: 150 });
    const two = await run({ inputs, workers: 2, maxPaths: 150 });
    expect(two.files).toEqual(one.files);
    expect(one.report.verdict).not.toBe('clean');
    expect(one.report.summary).toContain('the limit of 150 paths was reached');
    const { completed, error } = one.report.stats.paths;
    expect(completed + error).toBe(150);
  });
});

test.each<[Partial<ExploreOptions>, string]>([
  [{ search: 'bfs' }, '`--search bfs` is not for `--workers`'],
  [{ replayTree: 'somewhere' }, '`--replay-tree` is not for `--workers`'],
  [{ allocator: 'global' }, '`--allocator global` is not for `--workers`'],
])('what a single search alone can do is refused: %j', async (options, message) => {
  const folder = join(root, 'refused');
  await expect(explore({ inputs, folder, workers: 2, ...options })).rejects.toThrow(message);
});
