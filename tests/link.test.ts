/**
 * Programs of several files, linked as IR by us and as objects by wasm-ld: both must compute the
 * same.
 */
import { expect, test } from 'vitest';
import { sharedToolchain } from '../src/api/shared-toolchain.js';
import { buildWasm, linkObjects } from '../src/front/build.js';
import {
  expectMembers,
  type LinkedProgramOptions,
  linkProgram,
  linkSeparately,
  readIr,
} from '../src/front/link-program.js';
import { valueOrThrow } from '../src/front/step-outcome.js';
import type { Module } from '../src/ir/model.js';
import { writeModule } from '../src/ir/writer.js';
import { lowerMemory64 } from '../src/wasm/lower.js';

const toolchain = await sharedToolchain();

function compile(sources: string[]): Promise<string[]> {
  return Promise.all(
    sources.map(async (source, i) => {
      const content = new TextEncoder().encode(source);
      return valueOrThrow(await toolchain.compileToIr({ path: `${'abc'[i]}.c`, content }));
    }),
  );
}

const read = (irs: string[]): Module[] => irs.map((ir, i) => valueOrThrow(readIr(ir, `${'abc'[i]}.c`)));

function run(binary: Uint8Array): unknown {
  const module = new WebAssembly.Module(lowerMemory64(binary) as BufferSource);
  const imports = Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ module, name }) => [module, { [name]: () => 0n }]),
  );
  return (new WebAssembly.Instance(module, imports).exports as { run: () => unknown }).run();
}

const options: LinkedProgramOptions = { roots: ['run'], library: 'plain' };

test.each([
  [
    'static names, common variables, inline functions, structs and strings',
    [
      `struct point { int x, y; };
       static int counter = 3; int shared; extern int table[];
       struct point make(int x); const char *name(void);
       inline int twice(int x) { return 2 * x; }
       int run(void) { struct point p = make(5); shared += 100;
         return counter + p.x * p.y + shared + table[2] + twice(p.x) + name()[1] + "xyz"[0]; }`,
      `struct point { int x, y; };
       static int counter = 40; extern int shared; int table[] = { 1, 2, 3 };
       static const char *text = "abc";
       inline int twice(int x) { return 2 * x; }
       struct point make(int x) { struct point p = { x, counter }; shared += 1000; return p; }
       const char *name(void) { return text; }`,
      'extern inline int twice(int x) { return 2 * x; }',
    ],
  ],
  [
    'weak symbols, function pointers, aliases, constructors',
    [
      `__attribute__((weak)) int choice(void) { return 1; }
       extern int missing(void) __attribute__((weak)); extern int (*const jump[2])(int); int log_;
       int other(void);
       int run(void) { return choice() * 10000 + (missing ? 7 : 0) + jump[0](3) * 10 + jump[1](3) + other(); }`,
      `int choice(void) { return 2; }
       static int f(int x) { return x + 1; } static int g(int x) { return x * x; }
       int (*const jump[2])(int) = { f, g };
       int real(void) { return 500; } int other(void) __attribute__((alias("real")));`,
    ],
  ],
  [
    'functions of the library, called by the program and by each other',
    [
      `#include <string.h>
       #include <stdlib.h>
       static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
       int run(void) {
         char text[64] = "hello"; strcat(text, ", world"); int n[] = { 5, 3, 9, 1 };
         qsort(n, 4, sizeof n[0], compare);
         return (int)strlen(text) * 1000000 + (strstr(text, "wor") - text) * 10000 + n[0] * 1000 + n[3] * 100 + atoi("42"); }`,
    ],
  ],
])('%s', async (_, sources) => {
  const irs = await compile(sources);
  const objects = await Promise.all(irs.map(async ir => valueOrThrow(await toolchain.compileIrToObject(ir))));
  const expected = run(valueOrThrow(await linkObjects(toolchain, objects, { exports: ['run'] })));
  const linked = valueOrThrow(await linkProgram(toolchain, read(irs), options));
  const text = writeModule(linked);
  expect(run(valueOrThrow(await buildWasm(toolchain, text, { exports: ['run'] })))).toBe(expected);
});

test('weak references find definitions of the program and of the library, and may miss', async () => {
  const irs = await compile([
    `#define WEAK __attribute__((weak))
     unsigned long strlen(const char *) WEAK; int hook(void) WEAK; int missing(void) WEAK;
     int run(void) { return (strlen ? 1 : 0) + (hook ? hook() : 0) + (missing ? 100 : 0); }`,
    // Only `hook` needs this member.
    '#include <stdlib.h>\nint hook(void) { return atoi("40"); }',
  ]);
  const linked = valueOrThrow(await linkProgram(toolchain, read(irs), options));
  const text = writeModule(linked);
  expect(run(valueOrThrow(await buildWasm(toolchain, text, { exports: ['run'] })))).toBe(41);
  const { program, members } = valueOrThrow(await linkSeparately(toolchain, read(irs), options));
  const weak = program.functions.filter(({ linkage }) => linkage === 'extern_weak');
  expect(weak.map(({ name }) => name)).toEqual(['missing']);
  expect(members).toContain('libc/string/strlen.c');
});

test('members that were read before the program make no difference, needed or not', async () => {
  const irs = await compile([
    '#include <string.h>\n#include <stdlib.h>\nint run(void) { return atoi("42") + (int)strlen("x"); }',
  ]);
  const link = async (more: LinkedProgramOptions) =>
    writeModule(valueOrThrow(await linkProgram(toolchain, read(irs), { ...options, ...more })));
  const members = await expectMembers(toolchain, ['strlen', 'qsort', 'undefined_function'], options);
  expect(await link({ members })).toBe(await link({}));
});

test('an undefined symbol is reported with its user, the line, and a suggestion', async () => {
  const irs = await compile(['int stren(const char *);\n\nint run(void) {\n  return stren("x");\n}']);
  expect(await linkProgram(toolchain, read(irs), options)).toEqual({
    ok: false,
    diagnostics: [
      {
        severity: 'error',
        message: "undefined symbol 'stren', used by 'run' in 'a.c'",
        location: { file: 'a.c', line: 4, column: 10, function: 'run' },
        help: "did you mean 'strlen'?",
      },
    ],
  });
});

test('a duplicate symbol names both files and lines', async () => {
  const header = '# 7 "f.h"\n';
  const irs = await compile(['int x;\nint f(void) { return 1; }', `${header}int f(void) { return 2; }`]);
  expect(await linkProgram(toolchain, read(irs), { library: 'none' })).toMatchObject({
    diagnostics: [
      {
        message: "'f' is defined in 'b.c' and in 'a.c'",
        location: { file: 'f.h', line: 7, function: 'f' },
        notes: [{ location: { file: 'a.c', line: 2 } }],
      },
    ],
  });
});

test('a program without main is refused with a message', async () => {
  const irs = await compile(['int f(void) { return 1; }']);
  expect(await linkProgram(toolchain, read(irs), { roots: ['__rz_start'] })).toMatchObject({
    diagnostics: [{ message: "the program has neither 'main' nor 'LLVMFuzzerTestOneInput'" }],
  });
});

test('only symbols that the program reaches must be defined, as a variable or as a function', async () => {
  const source = (
    main: string,
  ) => `extern int missing; int *p = &missing; int gone(void); int idle(void) { return gone(); }
    int main(void) { return ${main}; }`;
  const link = async (main: string) =>
    linkSeparately(toolchain, read(await compile([source(main)])), { roots: ['main'], library: 'none' });
  const { program } = valueOrThrow(await link('0'));
  expect([...program.variables, ...program.functions].map(({ name }) => name)).toEqual(['main']);
  expect(await link('*p + idle()')).toMatchObject({
    diagnostics: [
      { message: "undefined symbol 'gone', used by 'idle' in 'a.c'", location: { line: 1, column: 80 } },
      { message: "undefined symbol 'missing', used by 'p' in 'a.c'", location: { line: 1, function: 'p' } },
    ],
  });
});
