/**
 * A program that was built before is run without reading its IR, and only if nothing has changed
 * that could be seen in it. Whether it was built shows in the events: `compiling` is the first step
 * of a build.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sharedToolchain } from '../../src/api/shared-toolchain.js';
import { type CheckOptions, check, explore } from '../../src/index.js';
import { cacheFolder, filesBelow } from '../../src/platform/files.js';

let home: string;
const cacheBefore = process.env.REDZONE_CACHE;
/** What clang has made is stored here: see below. */
const sharedCache = cacheFolder();

beforeAll(async () => {
  // The tool chain keeps the cache that it was made with, so the library is known; kept programs go
  // to a new one.
  await sharedToolchain();
  home = mkdtempSync(join(tmpdir(), 'redzone-kept-'));
  process.env.REDZONE_CACHE = join(home, 'cache');
});

afterAll(() => {
  if (cacheBefore === undefined) delete process.env.REDZONE_CACHE;
  else process.env.REDZONE_CACHE = cacheBefore;
  rmSync(home, { recursive: true });
});

/** Writes files into a folder of their own. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(home, 'program-'));
  for (const [name, text] of Object.entries(files)) write(folder, name, text);
  return folder;
}

function write(folder: string, name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** The output, and whether the program was built for it. */
async function checked(folder: string, options: Partial<CheckOptions> = {}) {
  let isBuilt = false;
  const warnings: unknown[] = [];
  const { clangFlags = [], ...rest } = options;
  const {
    stats: _,
    runProcessorMs: __,
    ...report
  } = await check(
    { inputs: [join(folder, 'a.c')], clangFlags: [`-I${folder}/include`, ...clangFlags], ...rest },
    {
      onEvent: event => {
        if (event.kind === 'phase' && event.text.startsWith('compiling')) isBuilt = true;
        if (event.kind === 'warning') warnings.push(event.diagnostic);
      },
    },
  );
  return { isBuilt, seen: JSON.stringify({ report, warnings }, null, 1) };
}

const overflow = {
  'a.c': `#include "size.h"
    int table[SIZE];
    int main(void) { int unused; int last = 4; table[last] = 1; return table[0]; }`,
  'include/size.h': '#define SIZE 4',
};

test('the second run builds nothing, and prints the same bytes', async () => {
  const folder = folderWith(overflow);
  const options = { clangFlags: ['-Wunused-variable'] };
  const first = await checked(folder, options);
  expect(first.seen).toContain('global-buffer-overflow');
  expect(first.seen).toContain("unused variable 'unused'");
  expect(first.isBuilt).toBe(true);
  expect(await checked(folder, options)).toEqual({ ...first, isBuilt: false });
});

/** The workers that run programs may be older than this test, and so know the shared cache only. */
const savedCode = () =>
  [cacheFolder(), sharedCache].flatMap(folder =>
    filesBelow(join(folder, 'machine-code')).map(file => join(folder, file)),
  );

test('a program without checks is built once for each kind of malloc', async () => {
  const folder = folderWith({ 'a.c': 'int main(void) { return 3; }' });
  const first = await checked(folder, { noChecks: true });
  const instrumented = await checked(folder);
  const bridged = await checked(folder, { noChecks: true, malloc: 'sri' });
  expect([first, instrumented, bridged].map(({ isBuilt }) => isBuilt)).toEqual([true, true, true]);
  const second = await checked(folder, { noChecks: true });
  expect(second).toEqual({ ...first, isBuilt: false });
  expect(await checked(folder, { noChecks: true, malloc: 'sri' })).toEqual({ ...bridged, isBuilt: false });
});

test('a run with the machine code of an earlier one reports the same', async () => {
  // No other run has had this program.
  const folder = folderWith({
    'a.c': `static unsigned mix(unsigned x) { x ^= x << 13; x ^= x >> 17; return x ^ (x << 5); }
    int main(void) {
      unsigned x = ${Date.now() % 1e9}u, table[64];
      for (int i = 0; i < 200000000; i++) table[i % 64] = x = mix(x);
      return table[64 + x % 2];
    }`,
  });
  const savedBefore = new Set(savedCode());
  const first = await checked(folder);
  expect(first.seen).toContain('stack-buffer-overflow');
  // It is saved after the report, if the run took long enough; so may be that of the test above. A
  // full folder then loses its oldest files.
  await vi.waitFor(() => expect(savedCode().some(file => !savedBefore.has(file))).toBe(true), 20_000);
  expect(await checked(folder)).toEqual({ ...first, isBuilt: false });
});

test('every change causes a rebuild: a header, one found before it, a flag, an option', async () => {
  const folder = folderWith(overflow);
  await checked(folder);
  write(folder, 'include/size.h', '#define SIZE 5');
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('clean') });
  write(folder, 'include/size.h', '#define SIZE 4');
  expect(await checked(folder)).toMatchObject({ isBuilt: false, seen: expect.stringContaining('overflow') });
  write(folder, 'size.h', '#define SIZE 6');
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('clean') });
  expect((await checked(folder, { clangFlags: ['-DOTHER'] })).isBuilt).toBe(true);
  expect((await checked(folder, { keepGoing: true })).isBuilt).toBe(true);
  expect((await checked(folder)).isBuilt).toBe(false);
});

test('one IR of a source serves runs that continue, suppress, or explore', async () => {
  const begun = Date.now() - 1000;
  const name = `shared${process.pid}`;
  const folder = folderWith({
    'a.c': `int ${name}(int n) { return n + 1; } int main(void) { return ${name}(-1); }`,
  });
  await checked(folder);
  await checked(folder, { keepGoing: true });
  await checked(folder, { suppressions: 'memory-leak:nothing\n' });
  await explore({ inputs: [join(folder, 'a.c')], clangFlags: [`-I${folder}/include`] });
  const entries = filesBelow(sharedCache)
    .map(path => join(sharedCache, path))
    .filter(path => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= begun)
    .map(path => readFileSync(path, 'latin1'));
  const irOf = entries.filter(text => text.includes('; ModuleID') && text.includes(`@${name}(`));
  expect(irOf).toHaveLength(1);
});

test('a program is not cached by its inputs when clang has read an unforeseen file', async () => {
  const folder = folderWith({
    'a.c': `#define TEXT_(x) #x
      #define TEXT(x) TEXT_(x)
      #include TEXT(value.h)
      int main(void) { return VALUE; }`,
    'value.h': '#define VALUE 1',
  });
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('"exit": 1') });
  write(folder, 'value.h', '#define VALUE 2');
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('"exit": 2') });
});

test('a program that includes files under computed names is built each time, and finds those that a condition names', async () => {
  const folder = folderWith({
    'a.c': `#ifndef __has_include
      #define __has_include(x) 0
      #endif
      #define HAS(name) __has_include(name)
      #if HAS("value.h")
      #include "value.h"
      #else
      #define VALUE 3
      #endif
      int main(void) { return VALUE; }`,
  });
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('"exit": 3') });
  write(folder, 'value.h', '#define VALUE 4');
  expect(await checked(folder)).toMatchObject({ isBuilt: true, seen: expect.stringContaining('"exit": 4') });
  expect((await checked(folder)).isBuilt).toBe(true);
});

test('entries that are damaged, truncated or missing are built again', async () => {
  const folder = folderWith({ 'a.c': 'int main(void) { int a[2] = {0}; int i = 2; return a[i]; }' });
  rmSync(process.env.REDZONE_CACHE!, { recursive: true, force: true });
  const first = await checked(folder);
  const entries = readdirSync(process.env.REDZONE_CACHE!, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name));
  expect(entries).toHaveLength(2);
  for (const entry of entries) {
    const whole = readFileSync(entry);
    const wrong = Buffer.from(whole);
    wrong[whole.length - 1]! ^= 1;
    for (const harm of [
      () => writeFileSync(entry, wrong),
      () => writeFileSync(entry, whole.subarray(0, whole.length / 2)),
      () => rmSync(entry),
    ]) {
      harm();
      expect(await checked(folder)).toEqual(first);
      expect(readFileSync(entry)).toEqual(whole);
      expect(await checked(folder)).toEqual({ ...first, isBuilt: false });
    }
  }
});

test('concurrent builds of a program do not interfere', async () => {
  const folder = folderWith({ 'a.c': 'int main(void) { int a[3] = {0}; int i = 3; return a[i]; }' });
  const [one, other] = await Promise.all([checked(folder), checked(folder)]);
  expect(one).toEqual(other);
  expect(await checked(folder)).toEqual({ ...one, isBuilt: false });
});

test('a suppressing comment in a header takes effect, in the second run too', async () => {
  const folder = folderWith({
    'a.c': '#include "get.h"\nint main(void) { int unused; return get(4) & 0; }',
    'get.h':
      'static int table[4];\nstatic int get(int i) { return table[i]; } // redzone:ignore global-buffer-overflow\n',
  });
  const options = { clangFlags: ['-Wunused-variable'] };
  const first = await checked(folder, options);
  expect(first.seen).toContain('1 finding suppressed');
  expect(first.seen.match(/unused variable 'unused'/g)).toHaveLength(2);
  expect(await checked(folder, options)).toEqual({ ...first, isBuilt: false });
});
