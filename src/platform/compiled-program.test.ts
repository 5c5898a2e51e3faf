/** Optimised code of a program is kept, and is only used if it is whole and of the same binary. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { compileProgram } from './compiled-program.js';

const folder = mkdtempSync(join(tmpdir(), 'redzone-machine-code-'));
const cacheBefore = process.env.REDZONE_CACHE;
beforeEach(() => {
  process.env.REDZONE_CACHE = mkdtempSync(join(folder, 'cache-'));
});
afterAll(() => {
  if (cacheBefore === undefined) delete process.env.REDZONE_CACHE;
  else process.env.REDZONE_CACHE = cacheBefore;
  rmSync(folder, { recursive: true });
});

/** `f(x)` is `x + added`; a hint has it optimised when it is first called. */
const binaryAdding = (added: number): Uint8Array =>
  new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f],
    ...[3, 2, 1, 0],
    ...[7, 5, 1, 1, 0x66, 0, 0],
    ...[0, 19, 16, ...Buffer.from('compilationHints'), 1, 0x28],
    ...[10, 9, 1, 7, 0, 0x20, 0, 0x41, added, 0x6a, 0x0b],
  ]);

function call(module: WebAssembly.Module, argument: number): number {
  const { f } = new WebAssembly.Instance(module).exports;
  return (f as (argument: number) => number)(argument);
}

const filesOfCode = (): string[] =>
  readdirSync(join(process.env.REDZONE_CACHE!, 'machine-code')).map(name =>
    join(process.env.REDZONE_CACHE!, 'machine-code', name),
  );

/** Compiles, runs and keeps. */
async function run(binary: Uint8Array, longestFunction = 7): Promise<boolean> {
  const { module, hasCode, keep } = await compileProgram(binary, longestFunction);
  expect(call(module, 30)).toBe(30 + binary.at(-3)!);
  keep(0);
  return hasCode;
}

test('code is kept by the binary, and written once', async () => {
  expect(await run(binaryAdding(12))).toBe(false);
  const [file] = filesOfCode();
  const code = readFileSync(file!);
  expect(await run(binaryAdding(12))).toBe(true);
  expect(readFileSync(file!).equals(code)).toBe(true);
  expect(await run(binaryAdding(13))).toBe(false);
  expect(filesOfCode().length).toBe(2);
});

test('code that is damaged is replaced', async () => {
  const binary = binaryAdding(14);
  await run(binary);
  const [file] = filesOfCode();
  const code = readFileSync(file!);
  for (const damaged of [code.subarray(0, -1), code.map((byte, i) => (i === 100 ? byte ^ 1 : byte))]) {
    writeFileSync(file!, damaged);
    expect(await run(binary)).toBe(false);
    expect(await run(binary)).toBe(true);
  }
});

test('V8 refuses the code of other flags', async () => {
  const binary = binaryAdding(15);
  await run(binary);
  // Jump threading is off for programs with such functions.
  expect(await run(binary, 100_000)).toBe(false);
  expect(await run(binary, 100_000)).toBe(true);
});
