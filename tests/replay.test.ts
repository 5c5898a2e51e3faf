/**
 * The monitor confirms the findings of the explorer: each test of an exploration is replayed
 * concretely.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type CheckReport, explore, InputError, type RunEvent, replay } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = {
  name: 'index.c',
  text: `#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
  unsigned char n;
  klee_make_symbolic(&n, sizeof n, "n");
  int *a = calloc(8, sizeof *a), v = 0;
  if (n > 5 && n < 10) v = a[n];
  free(a);
  return v;
}
`,
};

test('the monitor finds on a test the error that the explorer found on its path', async () => {
  const explored = await explore({ inputs: [program], folder, tests: 'all' });
  expect(explored.findings.map(finding => finding.code)).toEqual(['heap-buffer-overflow']);
  const [found] = explored.findings;
  const tests = readdirSync(folder).filter(file => file.endsWith('.ktest'));
  expect(tests.length).toBe(4);
  for (const file of tests) {
    const report = await replay({ inputs: [program], test: join(folder, file) });
    const isError = found!.test?.endsWith(file) ?? false;
    expect(report.verdict, file).toBe(isError ? 'findings' : 'clean');
    if (isError) expect(report.findings[0]!.location).toEqual(found!.location);
  }
});

test('a file that is not a test is an input error', async () => {
  const path = join(folder, 'no.ktest');
  writeFileSync(path, 'hello');
  await expect(replay({ inputs: [program], test: path })).rejects.toThrow(InputError);
  await expect(replay({ inputs: [program], test: `${path}.missing` })).rejects.toThrow('no such file');
});

test('a test of another program is rejected', async () => {
  const run = (text: string): Promise<CheckReport> =>
    replay({ inputs: [{ ...program, text }], test: join(folder, '000001.ktest') });
  await expect(run(program.text.replaceAll('"n"', '"m"'))).rejects.toThrow(
    'the test is not one of this program: the program does not read `n`, which the test contains; ' +
      'the program reads `m`, which the test does not contain: it gets zeros',
  );
  await expect(run(program.text.replace('char n', 'short n'))).rejects.toThrow(
    'the test is not one of this program: `n` has another size in the program than in the test',
  );
  expect(await run('int main(void) { return 0; }')).toMatchObject({
    verdict: 'inconclusive',
    summary: 'the test has no effect: the program reads none of its inputs',
  });
});

test('a run that reads more inputs than its test is reported', async () => {
  const warnings: string[] = [];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'warning') warnings.push(event.diagnostic.message);
  };
  const text = program.text.replace('return v', 'return v + klee_int("more")');
  const test = join(folder, '000001.ktest');
  const report = await replay({ inputs: [{ ...program, text }], test }, { onEvent });
  expect(report.verdict).toBe('clean');
  expect(warnings).toEqual(['the program reads `more`, which the test does not contain: it gets zeros']);
});

test('files and standard input that are not symbolic are those of the exploration', async () => {
  const reader = {
    name: 'reader.c',
    text: `#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  FILE *file = fopen("sizes/a.txt", "r");
  int length, more;
  if (file == NULL || fscanf(file, "%d", &length) != 1 || scanf("%d", &more) != 1) return 1;
  fclose(file);
  char *block = calloc(length + more, 1), i;
  klee_make_symbolic(&i, 1, "i");
  if (i < 0 || i > 12) i = 0;
  block[i] = 1;
  free(block);
  return 0;
}
`,
  };
  const given = { files: { 'sizes/a.txt': '7' }, stdin: '3' };
  const { findings } = await explore({ inputs: [reader], folder, confirm: true, ...given });
  expect(findings).toMatchObject([{ code: 'heap-buffer-overflow', confirmed: true, object: { bytes: 10 } }]);
  expect((findings[0]!.notes ?? []).map(note => note.message)).toContainEqual(
    expect.stringContaining('redzone replay --file sizes/a.txt '),
  );
  const report = await replay({ inputs: [reader], test: findings[0]!.test! });
  expect(report.program).toEqual({ exit: 1, signal: null });
});
