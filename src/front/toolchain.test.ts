import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cache } from './cache.js';
import { type Outcome, valueOrThrow } from './step-outcome.js';
import { type CompileOptions, Toolchain } from './toolchain.js';

let toolchain: Toolchain;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redzone-front-'));
  toolchain = new Toolchain({ cache: new Cache(join(folder, 'cache')) });
});

afterAll(async () => {
  await toolchain.close();
  rmSync(folder, { recursive: true });
});

/** Writes the files below a folder of their own and compiles the first of them there. */
function compile(files: Record<string, string>, options: CompileOptions = {}): Promise<Outcome<string>> {
  const here = mkdtempSync(join(folder, 'case-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(here, path)), { recursive: true });
    writeFileSync(join(here, path), text);
  }
  return toolchain.compileToIr({ path: Object.keys(files)[0]! }, { folder: here, ...options });
}

test('sources can include and embed files beside them, in the working folder and in granted folders, and no others', async () => {
  const outside = mkdtempSync(join(folder, 'outside-'));
  writeFileSync(join(outside, 'x.h'), 'enum { x = 3 };\n');
  const files = {
    'a.c': `#include "${outside}/x.h"\nint y = x;`,
    'b.c': `#include "link.h"\nint y = x;`,
    'c.c': `const char y[] = {\n#embed "${outside}/x.h"\n};`,
  };
  const here = mkdtempSync(join(folder, 'inside-'));
  symlinkSync(join(outside, 'x.h'), join(here, 'link.h'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(here, name), text);
    const refused = await toolchain.compileToIr({ path: name }, { folder: here });
    expect(refused.ok ? '' : refused.diagnostics[0]?.verbatim).toMatch(
      /file not found.*lies outside the folders/s,
    );
    for (const options of [{ granted: [outside] }, { flags: ['-I', outside] }])
      expect((await toolchain.compileToIr({ path: name }, { folder: here, ...options })).ok).toBe(true);
  }
});

test('headers are found beside, above and below the source, in -I folders and in the runtime', async () => {
  const ir = valueOrThrow(
    await compile(
      {
        'src/a.c': `#include <limits.h>
          #include "../x.h"
          #include "deep/y.h"
          #include <z.h>
          #include NAMED
          #if __has_include("deep/none.h") || !__has_include("deep/y.h")
          #error wrong
          #endif
          long answer = X + Y + Z + N + ALWAYS + (LONG_MAX > INT_MAX);`,
        'x.h': '#define X 1',
        'src/x.h': '#error the wrong x.h',
        'src/deep/y.h': '#include "../../x.h"\n#define Y (X * 10)',
        'include/z.h': '#define Z 100',
        'include/named.h': '#define N 1000',
        'always.h': '#define ALWAYS 10000',
      },
      { flags: ['-Iinclude', '-DNAMED=<named.h>', '-include', 'always.h'] },
    ),
  );
  expect(ir).toContain('@answer = hidden global i64 11112');
  expect(ir).toContain('source_filename = "src/a.c"');
  expect(ir).toMatch(/DIFile\(filename: "src\/a.c", directory: "\."\)/);
});

test('the order of -D and -U counts, -std is obeyed, and the default system is a Unix', async () => {
  const text = `int value = VALUE; long version = __STDC_VERSION__; int optimised = OPT;
    #if !__unix__ || defined __unix || defined unix
    #error
    #endif`;
  const source = { 'a.c': text };
  const ir = valueOrThrow(
    await compile(source, {
      flags: ['-DVALUE=1', '-U', 'VALUE', '-D', 'VALUE=2', '-std=c11', '-DOPT=3', '-O2', '-U__unix'],
    }),
  );
  expect(ir).toContain('@value = hidden global i32 2');
  expect(ir).toContain('@version = hidden global i64 201112');
});

test('unoptimised IR has lifetime markers, and -O runs the passes on request', async () => {
  const source = {
    'a.c': 'void use(int *); int f(void) { int a = 1; { int b = 2; use(&b); } return a + 1; }',
  };
  const plain = valueOrThrow(await compile(source));
  expect(plain).toContain('llvm.lifetime.start');
  expect(plain).toMatch(/%a = alloca i32/);
  const optimised = valueOrThrow(await compile(source, { flags: ['-O2'], optimise: true }));
  expect(optimised).not.toMatch(/%a = alloca i32/);
});

test("clang's errors are printed unchanged", async () => {
  const outcome = await compile({
    'src/a.c': '#include "b.h"\nint f(void) { return missing; }\n',
    'src/b.h': 'int g(;\n',
  });
  expect(outcome).toMatchObject({
    ok: false,
    diagnostics: [{ severity: 'error', location: { file: 'src/b.h', line: 1 } }],
  });
  const text = outcome.ok ? '' : outcome.diagnostics[0]!.verbatim!;
  expect(text.split('\n').slice(0, 4)).toEqual([
    'In file included from src/a.c:1:',
    'src/b.h:1:7: error: expected parameter declarator',
    '    1 | int g(;',
    '      |       ^',
  ]);
  expect(text).toContain("src/a.c:2:22: error: use of undeclared identifier 'missing'");
  expect(text).toMatch(/\d errors generated\.$/);
});

test('warnings are printed and are not fatal', async () => {
  const outcome = await compile({ 'a.c': 'int f(void) { return 1 / 0; }' });
  expect(outcome).toMatchObject({
    ok: true,
    warnings: [{ severity: 'warning', message: expect.stringContaining('division by zero') }],
  });
});

test('standard input, a missing file and an unknown flag', async () => {
  const content = new TextEncoder().encode('int x = y;');
  const stdin = await toolchain.compileToIr({ path: '-', content });
  expect(stdin).toMatchObject({
    ok: false,
    diagnostics: [{ location: { file: '<stdin>', line: 1, column: 9 } }],
  });
  expect(await toolchain.compileToIr({ path: 'absent.c' }, { folder })).toMatchObject({
    ok: false,
    diagnostics: [{ message: "no such file: 'absent.c'" }],
  });
  expect(await compile({ 'a.c': '' }, { flags: ['--wrong'] })).toMatchObject({
    ok: false,
    diagnostics: [{ message: "unknown compiler flag '--wrong'" }],
  });
  expect(await compile({ 'a.c': '' }, { flags: ['-lm', '-lz'] })).toMatchObject({
    ok: false,
    diagnostics: [{ message: "'-lz' is not part of the C library" }],
  });
  const usual = '-c -lm -lpthread -MD -MP -march=native -mavx2 -fPIC -ffast-math -fvisibility=hidden -g3 -O3';
  expect(await compile({ 'a.c': '' }, { flags: usual.split(' ') })).toMatchObject({ ok: true });
});

test('IR becomes an object and a wasm64 binary', async () => {
  const ir = valueOrThrow(await compile({ 'a.c': 'int twice(int x) { return 2 * x; }' }));
  const object = valueOrThrow(await toolchain.compileIrToObject(ir));
  const binary = valueOrThrow(
    await toolchain.linkWasm([object], { flags: ['--no-entry', '--export=twice'] }),
  );
  expect(WebAssembly.validate(object as BufferSource)).toBe(false);
  expect([...binary.subarray(0, 4)]).toEqual([0, 0x61, 0x73, 0x6d]);
  const undefinedSymbol = valueOrThrow(
    await compile({ 'b.c': 'int away(void); int here(void) { return away(); }' }),
  );
  const failed = await toolchain.linkWasm(
    [valueOrThrow(await toolchain.compileIrToObject(undefinedSymbol))],
    {
      flags: ['--no-entry', '--export=here'],
    },
  );
  expect(failed).toMatchObject({ ok: false, diagnostics: [{ message: expect.stringContaining('away') }] });
  expect(await toolchain.compileIrToObject('this is not IR')).toMatchObject({ ok: false });
});

test('a header that only a macro names is found at the second attempt', async () => {
  const source = `#define TEXT(x) #x
    #define NAME(x) TEXT(parts/x.h)
    #include NAME(odd)
    int value = ODD;`;
  const ir = valueOrThrow(
    await compile({
      'src/a.c': source,
      'src/parts/odd.h': '#include "even.h"',
      'src/parts/even.h': '#define ODD 3',
    }),
  );
  expect(ir).toContain('@value = hidden global i32 3');
});

test('an unchanged program is compiled once, whichever folder it is in; a changed header counts', async () => {
  const files = {
    'a.c': '#include "h.h"\nint value = VALUE; int f(void) { return 1 / 0; }',
    'h.h': '#define VALUE 5',
  };
  const first = await compile(files);
  // An aborted call never reaches the compiler.
  const second = await compile(files, { signal: AbortSignal.abort() });
  expect(second).toEqual(first);
  expect(second).toMatchObject({ ok: true, warnings: [{ severity: 'warning' }] });
  const changed = valueOrThrow(await compile({ ...files, 'h.h': '#define VALUE 6' }));
  expect(changed).toContain('@value = hidden global i32 6');
  const shadowed = await compile(
    {
      'a.c': '#include <h.h>\nint value = VALUE;',
      'one/h.h': '#define VALUE 7',
      'two/h.h': '#define VALUE 8',
    },
    { flags: ['-Ione', '-Itwo'] },
  );
  expect(valueOrThrow(shadowed)).toContain('@value = hidden global i32 7');
});

test('members of the runtime are compiled together', async () => {
  const paths = ['/redzone/libc/string/strlen.c', '/redzone/libc/string/strchr.c'];
  const [strlen, strchr] = await toolchain.compileRuntime(paths, { flags: ['-I/redzone/libc/internal'] });
  expect(valueOrThrow(strlen!)).toMatch(/define .*@strlen\(/);
  expect(valueOrThrow(strchr!)).toMatch(/define .*@strchr\(/);
});

test('a missing system clang is an input error', async () => {
  const other = new Toolchain({ cache: undefined, clang: '/nowhere/clang' });
  const outcome = await other.compileToIr({ path: 'a.c', content: new Uint8Array(0) });
  expect(outcome).toMatchObject({
    ok: false,
    diagnostics: [{ message: expect.stringContaining("cannot run '/nowhere/clang'") }],
  });
});

test('an abort stops the compiler, and the next call starts a new one', async () => {
  const controller = new AbortController();
  const long = `#define A(x) x x x x x x x x x x\nint f(int x) { A(A(A(A(x += x * 3;)))) return x; }`;
  const aborted = compile({ 'a.c': long }, { signal: controller.signal });
  const queued = compile({ 'b.c': 'int b;' });
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(aborted).rejects.toThrow('enough');
  expect(valueOrThrow(await queued)).toContain('@b =');
});
