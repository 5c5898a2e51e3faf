/** The checks that options of `check` turn off, and the text of its findings. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatDiagnostic } from '../../src/findings/diagnostic.js';
import type { RunEvent } from '../../src/index.js';
import { checkC, places } from './check-c.js';

const two = `#include <stdlib.h>
  static int first(int *p) { return p[4]; } // redzone:ignore heap-buffer-overflow
  int main(void) {
    int *p = calloc(4, sizeof *p);
    int got = first(p);
    p[5] = got;
    free(p);
    return 0;
  }`;

test('a comment suppresses at its line, and the first finding after it ends the run', async () => {
  const report = await checkC(two);
  expect(places(report)).toEqual(['heap-buffer-overflow:6']);
  expect(report.summary).toBe('1 finding suppressed');
});

test('a comment in a header suppresses too, and the store is dropped', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redzone-header-'));
  const header = join(folder, 'bad.h');
  const badly = 'static void badly(char *p) { p[16] = 1; }';
  writeFileSync(header, `${badly} // redzone:ignore heap-buffer-overflow: known\n`);
  const text = `#include <stdlib.h>
    #include "${header}"
    int main(void) {
      char *p = malloc(16), *q = calloc(1, 1);
      int harmed = (badly(p), *q);
      free(p), free(q); // redzone:ignore
      return harmed;
    }`;
  const warnings: string[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.kind === 'warning') warnings.push(formatDiagnostic(event.diagnostic));
  };
  const report = await checkC(text, { dirs: [folder] }, { onEvent });
  rmSync(folder, { recursive: true });
  expect(report).toMatchObject({ verdict: 'clean', summary: '1 finding suppressed', program: { exit: 0 } });
  // Arguments and environment are blocks too, but none of the program's.
  expect(report.stats.allocations).toBe(2);
  expect(warnings).toEqual([`test.c:6:25: warning: 'redzone:ignore' without a code suppresses nothing`]);
});

test('a rule suppresses by function', async () => {
  const report = await checkC(two, { suppressions: '# known\nheap-buffer-overflow:main\n' });
  expect(places(report)).toEqual([]);
  expect(report.verdict).toBe('clean');
  expect(report.program).toEqual({ exit: 0, signal: null });
});

test('an invalid rule is an input error', async () => {
  await expect(checkC(two, { suppressions: 'buffer-overflow' })).rejects.toThrow(/not a code of a finding/);
});

const undefinedParts = `#include <stdlib.h>
  int main(int argc, char **argv) {
    int unset, *p = malloc(16);
    p[0] = 1;
    if (argc > 10) unset = 1;
    int seen = unset > 0 ? 1 : 2;
    seen += 0x7fffffff;
    return p[1] > seen;
  }`;

test('disabled checks find nothing', async () => {
  const all = await checkC(undefinedParts, { keepGoing: true });
  expect(places(all)).toEqual([
    ...['uninitialized-read:6', 'signed-overflow:7', 'uninitialized-read:8', 'memory-leak:3'],
  ]);
  const none = await checkC(undefinedParts, { checks: ['spatial', 'temporal'] });
  expect(none.verdict).toBe('clean');
});

test('an undefined value is named with its object', async () => {
  const { findings } = await checkC(undefinedParts, { keepGoing: true });
  const undefinedOnes = findings.filter(({ code }) => code === 'uninitialized-read');
  expect(
    undefinedOnes.map(({ message, object }) => ({
      message,
      kind: object?.kind,
      at: object?.allocated?.[0]?.line,
    })),
  ).toEqual([
    { message: 'use of `unset`, which was never written', kind: 'stack', at: 3 },
    {
      message: 'use of 4 bytes at offset 4 of a block of 16 bytes that were never written',
      kind: 'heap',
      at: 3,
    },
  ]);
});

test('no stack contains the start-up code', async () => {
  const { findings } = await checkC(`#include <string.h>
    int main(int argc, char **argv) {
      char small[2];
      strcpy(small, "large");
      return 0;
    }`);
  expect(findings[0]?.stack.map(frame => frame.function)).toEqual(['copy', 'strcpy', 'main']);
  expect(findings[0]?.location).toMatchObject({ line: 4, function: 'main' });
});

test('without checks, the program behaves in the same way', async () => {
  const text = `static char large[30 << 20];
    int main(void) {
      int sum = 0, all[3] = {1, 2, 3};
      for (int i = 0; i < 3; i++) sum += all[i] + large[i << 20];
      return sum;
    }`;
  expect(await checkC(text, { noChecks: true })).toMatchObject({ findings: [], program: { exit: 6 } });
});

test.each([
  [{ noChecks: true, checks: ['leaks'] }, '--checks has no effect with --no-checks'],
  [{ noChecks: true, taint: ['stdin'] }, '--taint has no effect with --no-checks'],
  [{ noChecks: true, budget: { stack: 100 } }, '--budget has no effect with --no-checks'],
  [{ noChecks: true, onlyAcsl: true }, '--only-acsl has no effect with --no-checks'],
  [{ noChecks: true, store: 'trie' }, '--store has no effect with --no-checks'],
  [{ store: 'shadow', storeLimitBytes: 64 }, '--store-limit has no effect with --store shadow'],
  [{ detectLoops: true, watchesLoops: false }, '--detect-loops has no effect with --no-detect-loops'],
  [{ target: 'tool' }, '--target has no effect without -p'],
  [{ onlyAcsl: true, acsl: 'off' }, '--only-acsl has nothing to check with --acsl=off'],
] as const)('%j is refused', async (options, message) => {
  await expect(checkC('int main(void) { return 0; }', options)).rejects.toThrow(message);
});

test('options with their default values are accepted beside others', async () => {
  const options = { noChecks: true, onlyAcsl: false, initGlobals: false, store: 'hybrid' } as const;
  expect(await checkC('int main(void) { return 0; }', options)).toMatchObject({ verdict: 'clean' });
});

test('a run with globals that do not fit into memory is inconclusive', async () => {
  const report = await checkC('static char huge[2000000000]; int main(void) { return huge[1]; }');
  expect(report).toMatchObject({
    verdict: 'inconclusive',
    findings: [],
    summary: expect.stringMatching(
      /^the global variables of the program take 2\d{9} bytes; under `check` .* heap$/,
    ),
  });
  expect(report.program).toBeUndefined();
});

test('a compiled program is rejected as input', async () => {
  await expect(checkC('\x7fELF\0\0')).rejects.toThrow(/is not text/);
});
