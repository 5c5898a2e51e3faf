/** Explorations that are divided early, into small tasks, and what they write. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExploreOptions, type ExploreReport, explore, type RunControl } from '../../src/index.js';

/** Divided after the first paths, into tasks of a few paths each. */
export const divided = { firstWork: 3000, taskWork: 20_000 };

/** All files without their times, and without the journal, whose checkpoints have times. */
export function filesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter(name => name !== 'timing.csv' && name !== 'journal');
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(join(folder, name), 'latin1')]));
}

export interface DividedRun {
  readonly report: ExploreReport;
  readonly files: object;
  readonly folder: string;
}

export interface DividedRuns {
  readonly root: string;
  readonly run: (options: ExploreOptions, control?: RunControl) => Promise<DividedRun>;
  readonly remove: () => void;
}

/** Runs in folders that are removed by `remove`. */
export function dividedRuns(): DividedRuns {
  const root = mkdtempSync(join(tmpdir(), 'redzone-divided-'));
  let folders = 0;
  const run = async (options: ExploreOptions, control?: RunControl): Promise<DividedRun> => {
    const folder = options.folder ?? join(root, String(folders++));
    const report = await explore({ ...divided, ...options, folder }, control);
    // Findings name their tests by the folder.
    const text = JSON.stringify(filesOf(folder)).replaceAll(folder, 'FOLDER');
    return { report, files: JSON.parse(text) as object, folder };
  };
  return { root, run, remove: (): void => rmSync(root, { recursive: true }) };
}

/** Solver queries, three kinds of findings, and a few hundred paths. */
export const letters = {
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
};
