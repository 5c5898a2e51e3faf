import { expect, test } from 'vitest';
import { analysisFlags, compileToIr, program } from './clang.js';
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

test('so is code for another target, with types that WebAssembly lacks', async () => {
  const ir = await compileToIr(program('features.c'), ['-O1'], 'x86_64-linux-gnu');
  expect(ir).toMatch(/half|bfloat/);
  await expectSameModule(ir, 'x86_64-linux-gnu');
});
