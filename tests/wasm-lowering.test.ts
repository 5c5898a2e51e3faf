/**
 * The lowering on what clang makes of C: against a 32-bit build of the same source, and against
 * Binaryen's lowering of the same binary where Binaryen is installed (it is not a dependency: `npm
 * install --no-save binaryen`).
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedToolchain } from '../src/api/shared-toolchain.js';
import { valueOrThrow } from '../src/front/step-outcome.js';
import { inlineCalls } from '../src/wasm/inline-calls.js';
import { lowerMemory64 } from '../src/wasm/lower.js';

const programs: Record<string, string> = {
  arrays: `static int table[1000]; static char text[5000]; static double numbers[16];
    long run(long n) { long sum = 0;
      for (long i = 0; i < n; i++) { table[i % 1000] += i; text[i % 5000] = i; numbers[i & 15] += i; sum += table[i % 999]; }
      __builtin_memcpy(text + n % 100, table, n % 1000); __builtin_memset(text + n % 200, 7, n % 64);
      __builtin_memmove(text + 3, text, n % 4000);
      for (int i = 0; i < 5000; i++) sum = sum * 31 + text[i];
      return sum + (long)numbers[3]; }`,
  'function pointers': `static long add(long a, long b) { return a + b; } static long sub(long a, long b) { return a - b; }
    static long mul(long a, long b) { return a * b; } static long (*volatile ops[])(long, long) = { add, sub, mul };
    long run(long n) { long v = 1; for (long i = 0; i < n; i++) v = ops[i % 3](v, i); return v; }`,
  'stack, structs and variadics': `#include <stdarg.h>
    struct big { long a[20]; }; static struct big make(long x) { struct big b; for (int i = 0; i < 20; i++) b.a[i] = x * i; return b; }
    static long total(int n, ...) { va_list l; va_start(l, n); long s = 0; while (n--) s += va_arg(l, long); va_end(l); return s; }
    static long deep(long n, struct big b) { return n ? deep(n - 1, make(b.a[3] + n)) + b.a[19] : total(4, b.a[0], b.a[1], b.a[2], b.a[3]); }
    long run(long n) { return deep(n % 50, make(n)); }`,
  'memory.size and grow': `long run(long n) { long before = __builtin_wasm_memory_size(0), old = __builtin_wasm_memory_grow(0, 1);
      char *end = (char *)(old << 16); end[100] = 5; return before * 1000 + old * 10 + end[100]; }`,
};

/**
 * From a native run (gcc, x86-64) of the same sources; the last has no native form and is counted
 * by hand.
 */
const expected: Record<string, bigint[]> = {
  arrays: [0n, 4300351661915082439n, -9106644703388777862n, 8553937801580188674n],
  'function pointers': [1n, 1n, 1n, -4428278906763853904n],
  'stack, structs and variadics': [0n, 43n, 347131n, 7184363476952918625n],
  'memory.size and grow': [1015n, 2025n, 3035n, 4045n],
};

const toolchain = await sharedToolchain();
const binaries = new Map<string, Uint8Array>();

beforeAll(async () => {
  const names = Object.keys(programs);
  const irs = await Promise.all(
    names.map(async name => {
      const content = new TextEncoder().encode(programs[name]);
      return valueOrThrow(await toolchain.compileToIr({ path: 'program.c', content }, { flags: ['-w'] }));
    }),
  );
  const objects = await toolchain.compileIrToObjects(irs);
  for (const [i, name] of names.entries()) {
    const flags = ['--no-entry', '--export=run', '--export-table', '--stack-first'];
    binaries.set(name, valueOrThrow(await toolchain.linkWasm([valueOrThrow(objects[i]!)], { flags })));
  }
});

function run(binary: Uint8Array): { results: bigint[]; memory: Uint8Array } {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(binary as BufferSource));
  const { run, memory } = instance.exports as { run: (n: bigint) => bigint; memory: WebAssembly.Memory };
  const results = [0n, 1n, 7n, 12_345n].map(n => run(n));
  return { results, memory: new Uint8Array(memory.buffer).slice() };
}

interface Binaryen {
  readBinary(bytes: Uint8Array): {
    setFeatures(features: number): void;
    runPasses(passes: string[]): void;
    emitBinary(): Uint8Array;
    dispose(): void;
  };
  Features: { All: number; Memory64: number };
}

async function binaryenLowering(binary: Uint8Array): Promise<Uint8Array | undefined> {
  const name = 'binaryen';
  const imported: { default: Binaryen } | undefined = await import(name).catch(() => undefined);
  if (imported === undefined) return undefined;
  const binaryen = imported.default;
  const module = binaryen.readBinary(binary);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(['memory64-lowering', 'table64-lowering']);
  const lowered = module.emitBinary();
  module.dispose();
  return lowered;
}

describe.each(Object.keys(programs))('%s', name => {
  test('computes the same as natively', () => {
    const { results } = run(lowerMemory64(binaries.get(name)!));
    expect(results).toEqual(expected[name]);
  });

  test('computes the same with small functions inlined', () => {
    const lowered = lowerMemory64(binaries.get(name)!);
    const inlined = inlineCalls(lowered, () => false);
    expect(run(inlined).results).toEqual(expected[name]);
    expect(Buffer.compare(run(inlined).memory, run(lowered).memory)).toBe(0);
  });

  test('computes the same as with Binaryen, if that is installed', async () => {
    const lowered = await binaryenLowering(binaries.get(name)!);
    if (lowered === undefined) return;
    const theirs = run(lowered);
    const ours = run(lowerMemory64(binaries.get(name)!));
    expect(ours.results).toEqual(theirs.results);
    expect(Buffer.compare(ours.memory, theirs.memory)).toBe(0);
  });
});
