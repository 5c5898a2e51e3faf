import { expect, test } from 'vitest';
import { writeModule } from '../../src/ir/writer.js';
import { analysisFlags, compileToIr, printedByLlvm, program, read } from './clang.js';
import { expectSameModule, expectSameObject } from './round-trip.js';

test('every construct is the same to LLVM after reading and writing', async () => {
  await expectSameModule(program('every-construct.ll'));
});

test('what was read and written again gives the same object file', async () => {
  await expectSameObject(await compileToIr(program('features.c'), analysisFlags));
});

test('optimised code is the same to LLVM after reading and writing', async () => {
  await expectSameModule(await compileToIr(program('features.c'), ['-O2', '-g']));
});

test('metadata that was decoded is written as it was', async () => {
  const ir = await compileToIr(program('features.c'), analysisFlags);
  const module = read(ir);
  let decoded = 0;
  for (const nodes of module.namedMetadata.values()) {
    for (const node of nodes[0]?.space?.nodes.values() ?? []) if (node.body.kind !== undefined) decoded++;
  }
  expect(decoded).toBeGreaterThan(500);
  expect(await printedByLlvm(writeModule(module))).toBe(await printedByLlvm(ir));
});

test('so is code for another target, with types that WebAssembly lacks', async () => {
  const ir = await compileToIr(program('features.c'), ['-O1'], 'x86_64-linux-gnu');
  expect(ir).toMatch(/half|bfloat/);
  await expectSameModule(ir, 'x86_64-linux-gnu');
});
