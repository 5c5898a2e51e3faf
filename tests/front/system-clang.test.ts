/**
 * `--clang PATH`: a clang of the machine instead of the embedded one. This machine may have none,
 * so a script replaces it, with the same arguments, input and output.
 * `system-clang.long.test.ts` has a real one.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check, compileToIr, explore, InputError } from '../../src/index.js';

const standIn = join(import.meta.dirname, 'embedded-clang.mjs');
const folder = mkdtempSync(join(tmpdir(), 'redzone-clang-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An executable file of a few lines of shell. */
function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

test('a program that it compiles is checked like any other', async () => {
  mkdirSync(join(folder, 'include'));
  writeFileSync(join(folder, 'include/size.h'), '#define SIZE 3\n');
  writeFileSync(join(folder, 'beside.h'), '#define INDEX 3\n');
  const name = join(folder, 'a.c');
  const text = `#include "beside.h"
#include <size.h>
#include <stdlib.h>
int main(void) {
  int *p = malloc(SIZE * sizeof *p);
  p[INDEX] = VALUE;
  return 0;
}
`;
  const clangFlags = [`-I${join(folder, 'include')}`, '-DVALUE=1'];
  const { findings } = await check({ inputs: [{ name, text }], clangFlags, clang: standIn });
  expect(findings).toMatchObject([
    { code: 'heap-buffer-overflow', location: { file: name, line: 6, column: 12, function: 'main' } },
  ]);
});

test('its messages are printed unchanged', async () => {
  const clang = script('complains', 'echo "a.c:1:5: error: this clang likes nothing" >&2; exit 1');
  const checked = check({ inputs: [{ name: 'a.c', text: 'int x;' }], clang });
  await expect(checked).rejects.toBeInstanceOf(InputError);
  await expect(checked).rejects.toMatchObject({
    diagnostics: [{ verbatim: 'a.c:1:5: error: this clang likes nothing' }],
  });
});

test('a clang that is too old is refused with the versions that are not', async () => {
  const clang = script('old', 'echo "Debian clang version 15.0.6"');
  const checked = check({ inputs: [{ name: 'a.c', text: 'int x;' }], clang });
  await expect(checked).rejects.toMatchObject({
    diagnostics: [{ message: `'${clang}' is clang 15.0.6; --clang needs clang 16 or newer` }],
  });
});

test('the data layout of versions before 20, without integers of 128 bits, is linked by both engines', async () => {
  const clang = script('nineteen', `'${standIn}' "$@" | sed 's/-i128:128//'`);
  const text = `#include <stdlib.h>
struct wide { char first; __int128 second; };
int main(void) {
  struct wide *all = calloc(2, sizeof *all);
  all[1].second = (__int128)1 << 100;
  int shift = (int)(all[1].second >> 96) + all[1].first;
  free(all);
  return shift;
}
`;
  for (const engine of [check, explore]) {
    const { verdict } = await engine({
      inputs: [{ name: 'wide.c', text }],
      clang,
      checks: ['spatial', 'temporal'],
    });
    expect(verdict).toBe('clean');
  }
});

test('a clang that writes no IR is recognised by the first line that is not IR', async () => {
  const clang = script('chatters', 'echo hello');
  const checked = check({ inputs: [{ name: 'a.c', text: 'int x;' }], clang });
  await expect(checked).rejects.toMatchObject({
    diagnostics: [
      {
        message: `'${clang}' writes what Redzone cannot read: in the IR of a.c:1:1: error: expected a definition, found 'hello'`,
      },
    ],
  });
});

test('files under a computed name, or found through its environment, are never taken from the cache', async () => {
  const compiler = script(
    'computing',
    `test -n "$CPATH" && echo "error: CPATH is set" >&2 && exit 1
case "$*" in *--version*) echo 1;; *) echo x >> ${folder}/runs; echo "define i32 @main() { ret i32 0 }";; esac`,
  );
  const name = join(folder, 'computed.c');
  const text = '#define TEXT(x) #x\n#include TEXT(value.h)\nint main(void) { return VALUE; }\n';
  process.env.CPATH = folder;
  const options = { inputs: [{ name, text }], clang: compiler };
  for (let i = 0; i < 2; i++) await compileToIr(options);
  delete process.env.CPATH;
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('x\nx\n');
});
