import { test } from 'vitest';
import { compileToIr, program } from './clang.js';
import { expectSameModule, expectSameObject } from './round-trip.js';

const levels = ['-O0', '-O1', '-O2', '-O3', '-Os', '-Oz'];
const matrix = levels.flatMap(level => [[level], [level, '-g']]);

test.each(matrix.map(flags => [flags.join(' '), flags] as const))(
  'what was read and written again is the same module and gives the same object file: %s',
  async (_, flags) => {
    const ir = await compileToIr(program('features.c'), flags);
    await expectSameModule(ir);
    await expectSameObject(ir);
  },
);
