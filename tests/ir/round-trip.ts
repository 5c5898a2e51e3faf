/** One round trip: what clang wrote is read and written, and is still the same module to LLVM. */
import { expect } from 'vitest';
import { verifyModule } from '../../src/ir/verify.js';
import { writeModule } from '../../src/ir/writer.js';
import { compileToObject, printedByLlvm, read } from './clang.js';

/** Reads, verifies and writes; writing what was written changes nothing. */
export function rewritten(ir: string): string {
  const module = read(ir);
  expect(verifyModule(module)).toEqual([]);
  const written = writeModule(module);
  expect(writeModule(read(written))).toBe(written);
  return written;
}

export async function expectSameModule(ir: string, target?: string): Promise<void> {
  const original = await printedByLlvm(ir, target);
  expect(await printedByLlvm(rewritten(ir), target)).toBe(original);
}

export async function expectSameObject(ir: string): Promise<void> {
  const original = await compileToObject(ir);
  const again = await compileToObject(rewritten(ir));
  expect(original.length).toBeGreaterThan(100);
  expect(Buffer.compare(original, again)).toBe(0);
}
