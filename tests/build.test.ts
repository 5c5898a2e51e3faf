/**
 * The steps from C to a running program: clang, wasm-ld, library members on demand, the lowering.
 */
import { expect, test } from 'vitest';
import { sharedToolchain } from '../src/api/shared-toolchain.js';
import { type BuildOptions, buildWasm } from '../src/front/build.js';
import { valueOrThrow } from '../src/front/step-outcome.js';
import { lowerMemory64 } from '../src/wasm/lower.js';
import { objectSymbols } from '../src/wasm/object-symbols.js';

const toolchain = await sharedToolchain();

async function build(
  source: string,
  exports: string[],
  options: BuildOptions = {},
  imports: WebAssembly.Imports = {},
): Promise<Record<string, (...args: unknown[]) => unknown>> {
  const content = new TextEncoder().encode(source);
  const ir = valueOrThrow(await toolchain.compileToIr({ path: 'program.c', content }));
  const binary = valueOrThrow(await buildWasm(toolchain, ir, { exports, ...options }));
  const module = new WebAssembly.Module(lowerMemory64(binary) as BufferSource);
  return new WebAssembly.Instance(module, imports).exports as never;
}

test('128-bit integers and quads link the functions that the code generator calls', async () => {
  const { divide, root } = await build(
    `long divide(long a, long b) { __int128 wide = (__int128)a * a; return (long)(wide / b); }
     double root(double x) { long double q = x; q = q * q + 1.0L / 3.0L; return (double)q; }`,
    ['divide', 'root'],
  );
  expect(divide!(4_000_000_000_000n, 1_000_000_000n)).toBe(16_000_000_000_000_000n);
  expect(root!(1.5)).toBe(1.5 * 1.5 + 1 / 3);
});

test('setjmp and longjmp', async () => {
  const { run } = await build(
    `#include <setjmp.h>
     static jmp_buf place;
     static void deep(int n) { if (n == 0) longjmp(place, 42); deep(n - 1); }
     int run(int n) { volatile int tries = 0; int got = setjmp(place); tries++; if (got == 0) deep(n); return got * 10 + tries; }`,
    ['run'],
  );
  expect(run!(5)).toBe(422);
});

test('memory is exported or imported, and the stack is at its start', async () => {
  const source = 'static int cell = 7; int *where(void) { return &cell; } int read(void) { return cell; }';
  const exported = await build(source, ['where', 'read'], { stackBytes: 1 << 17 });
  expect(exported.memory).toBeInstanceOf(WebAssembly.Memory);
  expect(exported.where!()).toBeGreaterThanOrEqual(1n << 17n);
  const memory = new WebAssembly.Memory({ initial: 32, maximum: 64 });
  const imported = await build(
    source,
    ['read'],
    { memory: 'import', maximumMemoryBytes: 64 << 16 },
    { env: { memory } },
  );
  expect(imported.read!()).toBe(7);
});

test('an undefined symbol that nothing defines is an error', async () => {
  const promise = build('int nowhere(void); int run(void) { return nowhere(); }', ['run']);
  await expect(promise).rejects.toThrow(/undefined symbol: nowhere/);
});

test('an object lists the symbols that it defines and needs', async () => {
  const source = `extern int shared; int table[4]; static int own;
    int other(int); __attribute__((weak)) int perhaps(void);
    __attribute__((import_module("host"), import_name("there"))) int here(void);
    static int hidden(void) { return own++; }
    __int128 run(__int128 a) { return a * (shared + other(table[0]) + here() + hidden() + (perhaps ? perhaps() : 0)); }`;
  const ir = valueOrThrow(
    await toolchain.compileToIr({ path: 'program.c', content: new TextEncoder().encode(source) }),
  );
  const { defined, undefined: wanted } = objectSymbols(valueOrThrow(await toolchain.compileIrToObject(ir)));
  expect([...defined].sort()).toEqual(['run', 'table']);
  expect(wanted.filter(name => !name.startsWith('__stack_')).sort()).toEqual([
    '__multi3',
    'here',
    'other',
    'shared',
  ]);
});
