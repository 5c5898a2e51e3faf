/** Explorations that are killed, and what they come to in the end. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Findings, solver queries, assumptions, and enough paths that a kill comes in their middle. */
export const killedProgram = `#include <klee/klee.h>
#include <stdlib.h>
static int kind(int x, int y) {
  if (x * y == 1001) return 1;
  return x > y ? 2 : 3;
}
int main(void) {
  int a, b;
  char s[5];
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_make_symbolic(s, sizeof s, "s");
  klee_assume(a > 0 & a < 4000 & b > 0 & b < 4000);
  int n = 0;
  for (int i = 0; i < 5; i++) n += s[i] == 'x' ? 1 : s[i] == 'y' ? 2 : 0;
  char *p = malloc(8);
  if (kind(a, b) == 1) p[n] = 1;
  if (n == 10 && kind(a + 1, b) == 1) abort();
  free(p);
  return n;
}
`;

/** What has to be the same, however often a run was killed. */
export interface End {
  readonly verdict: string;
  readonly summary: string;
  readonly findings: readonly string[];
  readonly paths: object;
  readonly tests: number;
  readonly coverage: string;
}

const bin = join(import.meta.dirname, '../../bin/redzone.js');

export interface Killed {
  readonly end: End | undefined;
  readonly stderr: string;
  readonly status: number | null;
}

/**
 * Explores in a process of its own. With `killAfterBytes`, it is killed as soon as the journal has
 * so many bytes.
 */
export async function exploreApart(
  program: string,
  folder: string,
  more: readonly string[],
  killAfterBytes: number = Number.POSITIVE_INFINITY,
): Promise<Killed> {
  const args = [bin, 'explore', program, '-o', folder, '--json', '--max-fail', '100', ...more];
  const child = spawn(process.execPath, args);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', data => {
    stdout += data;
  });
  child.stderr.on('data', data => {
    stderr += data;
  });
  const look = setInterval(() => {
    if (sizeOf(join(folder, 'journal')) >= killAfterBytes) child.kill('SIGKILL');
  }, 1);
  const status = await new Promise<number | null>(resolve => child.on('close', resolve));
  clearInterval(look);
  return { end: stdout === '' ? undefined : endOf(stdout, folder), stderr, status };
}

function sizeOf(file: string): number {
  try {
    return readFileSync(file).length;
  } catch {
    return 0;
  }
}

function endOf(stdout: string, folder: string): End | undefined {
  const { verdict, summary, findings, stats } = JSON.parse(stdout);
  if (verdict === undefined) return undefined;
  const places = findings.map(
    (f: { code: string; location: { line: number } }) => `${f.code}:${f.location.line}`,
  );
  return {
    verdict,
    summary,
    findings: places.sort(),
    paths: stats.paths,
    tests: stats.tests,
    coverage: readFileSync(join(folder, 'coverage.info'), 'utf8'),
  };
}

export function testFiles(folder: string): string[] {
  return readdirSync(folder).filter(name => name.endsWith('.ktest'));
}
