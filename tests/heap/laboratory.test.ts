/** `redzone heap trace`, `replay` and `map` on a program of our own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { check, type MallocName, mallocNames, readTrace } from '../../src/index.js';
import type { Trace } from '../../src/malloc/heap-trace-format.js';
import { redzone } from '../cli/memory-io.js';

const program = `#include <errno.h>
#include <stdlib.h>
#include <string.h>
static char *copy(const char *text) { return strcpy(malloc(strlen(text) + 1), text); }
int main(void) {
  char *words[100];
  for (int i = 0; i < 100; i++) words[i] = copy("a word");
  words[0] = realloc(words[0], 1000);
  int *numbers = calloc(25, sizeof(int));
  void *page = aligned_alloc(4096, 4096);
  for (int i = 0; i < 100; i++) free(words[i]);
  free(page);
  int sum = numbers[24];
  free(numbers);
  void *volatile none = calloc((size_t)-1, 8);
  return none || errno != ENOMEM ? 1 : sum;
}
`;
let folder: string;
const file = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redzone-heap-'));
  writeFileSync(file('words.c'), program);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** How often each call was made, in the order of `TraceCall`. */
function countsIn({ calls }: Trace): number[] {
  return [0, 1, 2, 3, 4].map(call => calls.filter(other => other === call).length);
}

test('trace records each call with its location, replay and map read it', async () => {
  const traced = await redzone(['heap', 'trace', '-o', file('words.trace'), file('words.c')]);
  expect(traced.stderr).toBe('');
  expect(traced.stdout).toMatch(/nothing found; the program exited with status 0\n\d+ calls from \d+ places/);
  const trace = readTrace(readFileSync(file('words.trace')), 'words.trace');
  expect(countsIn(trace)).toEqual([100, 1, 1, 1, 102]);
  expect(trace.siteNames.filter(name => !name.includes('words.c'))).toEqual([]);
  expect(trace.siteNames.filter(name => name.startsWith('copy '))).toEqual([
    expect.stringMatching(/^copy .*words\.c:4:\d+ < main .*words\.c:7:\d+$/),
  ]);

  const replayed = await redzone([
    'heap',
    'replay',
    file('words.trace'),
    '--malloc',
    'ptmalloc2,sri',
    '--rounds',
    '1',
  ]);
  expect(replayed.stdout).toMatch(/^ptmalloc2: .*\n +workload|^ptmalloc2: .*\nworkload/);
  expect(replayed.stdout).toMatch(
    /\nagainst ptmalloc2 +mean +worst\nptmalloc2 +\+0 % +\+0 %\nsri +[-+]\d+ % +[-+]\d+ %\n$/,
  );

  const compared = ['heap', 'compare', file('words.trace'), '--malloc', 'ptmalloc2,sri', '--rounds', '1'];
  expect(await redzone([...compared, '--json', '-o', file('words.json')])).toMatchObject({ stdout: '' });
  const json = JSON.parse(readFileSync(file('words.json'), 'utf8'));
  expect(json).toMatchObject({ schema: 1, command: 'heap', verdict: 'clean' });
  expect(json.measurements.map((found: { malloc: string }) => found.malloc)).toEqual(['ptmalloc2', 'sri']);
  expect(json.measurements[1]).toMatchObject({ calls: trace.calls.length, failures: 0 });
  expect(json.measurements[1].metadataBytesApart).toBeGreaterThan(0);
  expect(json.meanOverheadPercent.ptmalloc2).toBe(0);

  const map = ['heap', 'map', file('words.trace'), '--malloc', 'sri', '-o', file('sri.svg')];
  expect(JSON.parse((await redzone([...map, '--json'])).stdout)).toMatchObject({ map: file('sri.svg') });
  const mapped = await redzone(map);
  expect(mapped).toEqual({
    exitCode: 0,
    stdout: `the heap of sri, written to ${file('sri.svg')}\n`,
    stderr: '',
  });
  expect(readFileSync(file('sri.svg'), 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
});

test('a file that is not a trace is rejected', async () => {
  const withEvents = (events: number): Promise<{ exitCode: number; stderr: string }> => {
    const header = { format: 'redzone heap trace', version: 1, name: '', events, sites: [] };
    writeFileSync(file('odd.trace'), `${JSON.stringify(header)}\n`);
    return redzone(['heap', 'replay', file('odd.trace')]);
  };
  expect((await withEvents(-5)).stderr).toContain('it does not begin like a heap trace');
  expect((await withEvents(2 ** 50)).stderr).toContain('it is too short for');
  expect(await withEvents(0)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('has no calls') });
  const { exitCode, stderr } = await redzone(['heap', 'replay', file('words.c')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is not a heap trace');
  expect((await redzone(['heap', 'replay', 'nothing'])).stderr).toContain('neither a file nor a workload');
  expect((await redzone(['heap', 'map'])).exitCode).toBe(2);
  expect((await redzone(['heap', 'compare', '--rounds', '0'])).stderr).toContain('--rounds needs at least 1');
});

const stale = `#include <stdlib.h>
int main(void) {
  int *first = malloc(40), *second = malloc(40);
  free(first);
  int *third = malloc(40);
  third[0] = second[0] = 1;
  return first[0];
}
`;

/**
 * One with inline metadata, one with separate metadata, and a randomized one; the long tests have
 * all allocators.
 */
const samples: readonly MallocName[] = ['ptmalloc2', 'sri', 'bibop'];

test.each(samples)('check has the same findings on the blocks of %s', async malloc => {
  const clean = await check({ inputs: [{ name: 'words.c', text: program }], malloc });
  expect(clean).toMatchObject({ verdict: 'clean', program: { exit: 0 } });
  const found = await check({ inputs: [{ name: 'stale.c', text: stale }], malloc, quarantineBytes: 0 });
  expect(found.findings.map(({ code, location }) => `${code}:${location.line}`)[0]).toBe('use-after-free:7');
});

test('a pointer beyond all memory is neither a block nor NULL', async () => {
  const text = '#include <stdlib.h>\nint main(void) { free((void *)(1ul << 40)); }\n';
  const { summary } = await check({ inputs: [{ name: 'wild.c', text }], noChecks: true, malloc: 'sri' });
  expect(summary).toBe('sri detected an invalid free');
});

/** Blocks that are never used: an optimizer that knows malloc removes all of this. */
const unseen = `#include <stdlib.h>
#include <string.h>
int main(void) {
  for (int i = 0; i < 100; i++) free(malloc(24));
  free(calloc(3, 4));
  free(realloc(realloc(NULL, 10), 20));
  free(aligned_alloc(64, 64));
  free(strdup("text"));
  free(memset(malloc(50), 0, 50));
  if (malloc(1) == NULL) return 1;
  void *(*volatile make)(size_t) = malloc;
  free(make(2));
  return 0;
}
`;

test.each(['-O0', '-O2', '-O3'])('raw: every call of the source is executed, with %s', async level => {
  const traces: Trace[] = [];
  const onTrace = (bytes: Uint8Array): void => void traces.push(readTrace(bytes, 'unseen'));
  const inputs = [{ name: 'unseen.c', text: unseen }];
  await check({ inputs, noChecks: true, malloc: 'dlmalloc', clangFlags: [level], onTrace });
  expect(traces.map(countsIn)).toEqual([[104, 1, 2, 1, 106]]);
});

const twice = '#include <stdlib.h>\nint main(void) { char *block = malloc(24); free(block); free(block); }\n';

/** dlmalloc checks nothing. */
test.each(mallocNames.filter(name => name !== 'dlmalloc'))('raw: %s reports a double free', async malloc => {
  const { summary } = await check({ inputs: [{ name: 'twice.c', text: twice }], noChecks: true, malloc });
  expect(summary).toBe(`${malloc} detected a double free`);
});

const remains = `#include <stdlib.h>
int main(void) {
  int *first = malloc(64);
  first[8] = 42;
  free(first);
  int *second = malloc(64), seen = second[8];
  second[9] = 7;
  free(second);
  return seen + second[9];
}
`;

test('raw: data that was stored before a free is still readable after it', async () => {
  const inputs = [{ name: 'remains.c', text: remains }];
  expect(await check({ inputs, noChecks: true, malloc: 'ptmalloc2' })).toMatchObject({
    program: { exit: 49 },
  });
});
