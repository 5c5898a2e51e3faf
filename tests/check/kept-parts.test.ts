/**
 * Objects of unchanged parts are used again after an edit (record 0263). Whatever was edited, the
 * result must be that of a build without a cache, byte for byte.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkFlags } from '../../src/api/check-flags.js';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { emitModule } from '../../src/emit/emit-module.js';
import { Cache } from '../../src/front/cache.js';
import { readIr } from '../../src/front/link-program.js';
import { valueOrThrow } from '../../src/front/step-outcome.js';
import type { Module } from '../../src/ir/model.js';
import { instrument } from '../../src/monitor/instrument/instrument.js';
import type { PartCache } from '../../src/monitor/instrument/kept-parts.js';
import { contentHash, filesBelow } from '../../src/platform/files.js';
import { Random } from '../../src/support/random.js';

const options = {
  ...{ temporal: true, init: true, keepGoing: false, optimise: true, preAnalysis: true },
  ...{ id: '0123456789abcdef', largestPart: 150 },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redzone-parts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Functions that call each other, mention globals and strings, and are in many parts. */
const worker = (i: number): string => `
static int step${i}(struct item *list, int n) {
  int sum = 0, local[${3 + (i % 5)}];
  for (int k = 0; k < n; k++) {
    local[k % 3] = list[k].value * SCALE + table[(k + ${i}) % 8];
    sum += local[k % 3] + (int)sizeof list[k];
  }
  if (sum > limit) note("sum of step ${i} is large", sum);
  if (sum == ${i}) helper(&list[0]);
  return sum + ${i > 0 ? `step${i - 1}(list, n / 2)` : '0'};
}
`;

const program = `#include <stdlib.h>
#define SCALE 3
struct item { int value; char *name; };
static int table[8] = { 1, 2, 3 };
int limit = 100;
static int notes;
static void note(const char *text, int n) { notes += text[0] + n; }
static void helper(struct item *item) { item->value = 7; }
${Array.from({ length: 16 }, (_, i) => worker(i)).join('')}
static int (*chosen)(struct item *, int) = step7;
int main(int argc, char **argv) {
  struct item list[4] = { { argc, argv[0] } };
  return step15(list, 4) + chosen(list, 2);
}
`;

function emitted(module: Module): Uint8Array {
  const made = emitModule(module);
  if (made.kind !== 'object') throw new Error(made.reason);
  return made.object;
}

/** The objects and the sites, as one hash, and how many parts had to be made. */
async function build(text: string, cache: PartCache) {
  const toolchain = await sharedToolchain();
  const source = { path: 'test.c', content: new TextEncoder().encode(text) };
  const flags = checkFlags({ arithmetic: true, bounds: true }, []);
  const ir = valueOrThrow(await toolchain.compileToIr(source, { flags }));
  const { parts, data, sites } = instrument(valueOrThrow(readIr(ir, 'test.c')), options, cache);
  let made = -1;
  const objects = parts.map(part => {
    if (part.kind === 'kept') return part.object;
    made++;
    const object = emitted(part.module);
    part.keep(object);
    return object;
  });
  return {
    made,
    of: parts.length - 1,
    result: contentHash([...objects, emitted(data), JSON.stringify(sites)]),
  };
}

class MemoryCache implements PartCache {
  readonly #entries = new Map<string, { readonly result: Uint8Array; readonly notes: string }>();
  get = (key: string) => this.#entries.get(key);
  put = (key: string, entry: { readonly result: Uint8Array; readonly notes: string }): void => {
    this.#entries.set(key, entry);
  };
}

/** Builds with the cache and without one, and expects the same. */
async function rebuilt(text: string, cache: PartCache): Promise<{ made: number; of: number }> {
  const { result, ...counts } = await build(text, cache);
  expect((await build(text, new MemoryCache())).result).toBe(result);
  return counts;
}

const inStep = (i: number, statement: string) => (text: string) =>
  text.replace(`  if (sum == ${i})`, `  ${statement}\n  if (sum == ${i})`);

test('an edit of one function makes one part, wherever the lines move', async () => {
  const cache = new MemoryCache();
  const { made, of } = await rebuilt(program, cache);
  expect(made).toBe(of);
  expect(of).toBeGreaterThan(8);
  expect((await rebuilt(program, cache)).made).toBe(0);
  expect((await rebuilt(`\n\n${program}`, cache)).made).toBe(0);
  expect((await rebuilt(inStep(5, 'sum += 77;')(program), cache)).made).toBe(1);
  expect((await rebuilt(inStep(6, 'note("a new string", 1);')(program), cache)).made).toBe(1);
  expect((await rebuilt(inStep(9, 'static int calls; calls++;')(program), cache)).made).toBe(1);
});

test('an edit that changes what other functions rely on makes their parts', async () => {
  const cache = new MemoryCache();
  const { of } = await rebuilt(program, cache);
  const edits: [string | RegExp, string][] = [
    ['SCALE 3', 'SCALE 4'],
    ['struct item { int value;', 'struct item { int value; int more;'],
    ['static int table', 'static const int table'],
    ['static int table', 'extern int table[8]; int table'],
    // Accesses after a call are checked again if the call may free.
    ['item->value = 7;', 'item->value = 7; free(item->name);'],
    ['static void note(const char *text, int n)', 'static void note(const char *text, long n)'],
  ];
  for (const [from, to] of edits) {
    const text = program.replace(from, to);
    expect(text).not.toBe(program);
    expect((await rebuilt(text, cache)).made, to).toBeGreaterThan(of / 2);
  }
});

test('random edits, one after another', async () => {
  const random = new Random(27);
  const cache = new MemoryCache();
  let text = program;
  for (let i = 0; i < 8; i++) {
    const at = random.below(16);
    const edits: ((before: string) => string)[] = [
      inStep(at, `sum ^= ${random.below(100)};`),
      inStep(at, `note("text ${random.below(100)}", sum);`),
      inStep(at, `{ volatile int edited[${1 + random.below(4)}]; edited[0] = sum; }`),
      inStep(at, 'helper(&list[n - 1]);'),
      before => before.replace(worker(at), `\n${worker(at)}`),
      before => before.replace('int limit', `int limit${i}[${1 + random.below(9)}]; int limit`),
      before =>
        before.replace('static int (*chosen)', `int extra${i}(int *p) { return *p; }\nstatic int (*chosen)`),
      before => before.replace(/= step\d+;/, `= step${at};`),
      before => before.replace(`static int step${at}(`, `int step${at}(`),
    ];
    text = edits[random.below(edits.length)]!(text);
    await rebuilt(text, cache);
  }
});

test('damaged objects are made again', async () => {
  const cache = new Cache(folder);
  const { made } = await rebuilt(program, cache);
  expect((await rebuilt(program, new Cache(folder))).made).toBe(0);
  const files = filesBelow(folder);
  expect(files.length).toBe(made);
  for (const [i, name] of files.entries()) writeFileSync(join(folder, name), 'x'.repeat(i * 100));
  expect((await rebuilt(program, new Cache(folder))).made).toBe(made);
});
