/** The C programs that the tests of the IR compile, and the embedded clang, called directly. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '@yowasp/clang';
import { expect } from 'vitest';
import type { Module } from '../../src/ir/model.js';
import { readModule } from '../../src/ir/reader.js';

export function program(name: string): string {
  return readFileSync(join(import.meta.dirname, 'programs', name), 'latin1');
}

/** Runs clang on one file and returns what it writes to stdout; throws what it writes to stderr. */
async function clang(args: readonly string[], name: string, content: string): Promise<Buffer> {
  const out: Uint8Array[] = [];
  let errors = '';
  try {
    await commands.clang(
      [...args, '-w', '-o', '-', name],
      { [name]: Buffer.from(content, 'latin1') },
      {
        fetchProgress: () => {},
        stdout: bytes => {
          if (bytes !== null) out.push(bytes.slice());
        },
        stderr: bytes => {
          if (bytes !== null) errors += Buffer.from(bytes).toString();
        },
      },
    );
  } catch (failure) {
    throw new Error(`clang ${args.join(' ')}: ${errors || failure}`);
  }
  return Buffer.concat(out);
}

export const wasm64 = 'wasm64-unknown-unknown';
export const wasm32 = 'wasm32-unknown-unknown';

/** The input of the analyses: not optimised, with lifetime markers and debug information. */
export const analysisFlags: readonly string[] = ['-O1', '-Xclang', '-disable-llvm-passes', '-g'];

export async function compileToIr(
  source: string,
  flags: readonly string[],
  target: string = wasm64,
): Promise<string> {
  const args = [`--target=${target}`, ...flags, '-S', '-emit-llvm'];
  return (await clang(args, 'program.c', source)).toString('latin1');
}

export function compileToObject(
  ir: string,
  flags: readonly string[] = ['-O0'],
  target: string = wasm64,
): Promise<Buffer> {
  return clang([`--target=${target}`, ...flags, '-c'], 'program.ll', ir);
}

/** The functions of a module of numbers alone, compiled for wasm32 and linked. */
export async function runnable(
  ir: string,
  names: readonly string[],
): Promise<Record<string, (...numbers: number[]) => number>> {
  const object = await compileToObject(ir, ['-O0'], wasm32);
  const files = await commands['wasm-ld'](
    ['--no-entry', ...names.map(name => `--export=${name}`), 'program.o', '-o', 'program.wasm'],
    { 'program.o': object },
    { fetchProgress: () => {} },
  );
  const binary = files?.['program.wasm'];
  if (!(binary instanceof Uint8Array)) expect.fail('wasm-ld made no binary');
  const { instance } = await WebAssembly.instantiate(new Uint8Array(binary));
  return instance.exports as Record<string, (...numbers: number[]) => number>;
}

/**
 * The module as LLVM itself prints it: two texts that give one printed module are the same to LLVM.
 */
export async function printedByLlvm(ir: string, target: string = wasm64): Promise<string> {
  const flags = [`--target=${target}`, '-O0', '-Xclang', '-disable-llvm-passes', '-S', '-emit-llvm'];
  return (await clang(flags, 'program.ll', ir)).toString('latin1');
}

export function read(text: string): Module {
  const result = readModule(text, 'program.ll');
  if (result.kind === 'error') expect.fail(JSON.stringify(result.error));
  return result.module;
}
