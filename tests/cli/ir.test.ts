import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redzone } from './memory-io.js';

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redzone-ir-'));
  writeFileSync(at('one.c'), '#include "one.h"\nint one(void) { return ONE; }\n');
  writeFileSync(at('one.h'), '#ifndef ONE\n#define ONE 1\n#endif\n');
  writeFileSync(at('bad.c'), 'int bad(void) { return 1 }\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('redzone ir', () => {
  test('prints the IR of a file, its headers found beside it', async () => {
    const { exitCode, stdout, stderr } = await redzone(['ir', at('one.c')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('target triple = "wasm64-unknown-unknown"');
    expect(stdout).toContain('@one()');
  });

  test('shows the checks of the monitor', async () => {
    const { exitCode, stdout } = await redzone(['ir', '--instrumented', '-o', '-', '-'], {
      stdin: 'static int table[4]; int at(int i) { return table[i]; }',
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('call void @__rz_load_strict');
    expect(stdout).toMatch(/^@table\S* = (hidden )?global \{ \[4 x i32\]/m);
  });

  test('reads C from stdin, with the flags of clang', async () => {
    const stdin = '#include <one.h>\nint two(void) { return ONE + TWO; }\n';
    const { exitCode, stdout } = await redzone(['ir', '-I', folder, '-DTWO=2', '-O1', '-'], { stdin });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('ret i32 3');
  });

  test('links several files, C and IR, into one module', async () => {
    writeFileSync(
      at('main.c'),
      'int one(void);\nstatic int zero;\nint main(void) { return one() + zero; }\n',
    );
    writeFileSync(at('other.c'), 'static int zero = 7;\nint seven(void) { return zero; }\n');
    await redzone(['ir', at('one.c'), '-o', at('one.ll')]);
    const { exitCode, stdout, stderr } = await redzone(['ir', at('main.c'), at('other.c'), at('one.ll')]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    for (const name of ['main', 'seven', 'one'])
      expect(stdout).toMatch(new RegExp(`^define .*@${name}\\(`, 'm'));
    expect(stdout).not.toMatch(/^declare .*@one/m);
    expect(stdout.match(/^@zero\S* = internal global/gm)).toHaveLength(2);
  });

  test('says which definitions clash', async () => {
    writeFileSync(at('again.c'), 'int one(void) { return 11; }\n');
    const { exitCode, stderr } = await redzone(['ir', at('one.c'), at('again.c')]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/error: .*'one'/);
    expect(stderr).toContain('again.c');
  });

  test('points at what is wrong in IR', async () => {
    writeFileSync(at('bad.ll'), 'define i32 @f() {\n  ret i33 wrong\n}\n');
    const { exitCode, stderr } = await redzone(['ir', at('bad.ll')]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: .+\n --> .*bad\.ll:2:\d+\n {2}\|\n2 \| {3}ret i33 wrong\n {2}\| +\^/);
  });

  test('writes IR that is unchanged after reading it again', async () => {
    const { stdout: once } = await redzone(['ir', at('one.c')]);
    writeFileSync(at('again.ll'), once);
    const { stdout: twice } = await redzone(['ir', at('again.ll')]);
    expect(twice.split('\n').slice(1)).toEqual(once.split('\n').slice(1));
  });

  test('writes to a file', async () => {
    const { exitCode, stdout } = await redzone(['ir', at('one.c'), '-o', at('one.ll')]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(readFileSync(at('one.ll'), 'utf8')).toContain('@one()');
    const failed = await redzone(['ir', at('one.c'), '-o', join(folder, 'none', 'one.ll')]);
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toContain('error: cannot write');
  });

  test('prints the messages of clang unchanged, and exits with 2', async () => {
    const { exitCode, stdout, stderr } = await redzone(['ir', at('bad.c')]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(
      "bad.c:1:25: error: expected ';' after return statement\n    1 | int bad(void) { return 1 }\n",
    );
  });

  test.each([
    [['ir'], 'no file given'],
    [['ir', 'no-such-file.ll'], "no such file: 'no-such-file.ll'"],
    [['ir', 'no-such-file.c'], "no such file: 'no-such-file.c'"],
    [['ir', 'docs'], "'docs' is a folder: name the files in it"],
    [['ir', '-frobnicate', 'a.c'], "unknown compiler flag '-frobnicate'"],
  ])('%j exits 2', async (args, message) => {
    const { exitCode, stderr } = await redzone(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
