/** Explorations that are killed and resumed, and their final results. */
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExploreOptions, ExploreReport } from '../../src/index.js';

/** Findings, solver queries and assumptions on `3 ** letters` paths and more. */
export function killedProgram(letters: number): string {
  return `#include <klee/klee.h>
#include <stdlib.h>
static int kind(int x, int y) {
  if (x * y == 1001) return 1;
  return x > y ? 2 : 3;
}
int main(void) {
  int a, b;
  char s[${letters}];
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(a > 0 & a < 4000 & b > 0 & b < 4000);
  int n = 0;
  for (int i = 0; i < ${letters}; i++) n += s[i] == 'x' ? 1 : s[i] == 'y' ? 2 : 0;
  char *p = malloc(${letters});
  if (kind(a, b) == 1) p[n] = 1;
  if (n == ${2 * letters} && kind(a + 1, b) == 1) abort();
  free(p);
  return n;
}
`;
}

/** The results that must not depend on how often a run was killed. */
export function endOf({ verdict, summary, findings, stats }: ExploreReport): object {
  const places = findings.map(({ code, location }) => `${code}:${location.line}`).sort();
  return { verdict, summary, places, paths: stats.paths, tests: stats.tests };
}

/** The same, with the number of queries, which paths have even if an answer is already known. */
export function endAndQueriesOf(report: ExploreReport): object {
  return { ...endOf(report), queries: report.stats.queries };
}

const library = join(import.meta.dirname, '../../dist/bundle/index.js');

/**
 * Explores in a separate process, which is killed as soon as the journal has this many bytes.
 * Returns whether it was.
 */
export async function exploreAndKill(options: ExploreOptions, journalBytes: number): Promise<boolean> {
  const script = `import { explore } from ${JSON.stringify(library)};
    await explore(${JSON.stringify(options)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const journal = join(options.folder!, 'journal');
  const look = setInterval(() => {
    const bytes = statSync(journal, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes >= journalBytes) child.kill('SIGKILL');
  }, 1);
  const signal = await new Promise(resolve => child.on('close', (_, by) => resolve(by)));
  clearInterval(look);
  return signal === 'SIGKILL';
}
