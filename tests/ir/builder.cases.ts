import { expect, test } from 'vitest';
import {
  Builder,
  getOrDeclareFunction,
  makeBlock,
  makeFunction,
  makeModule,
  makeVariable,
} from '../../src/ir/builder.js';
import { integerConstant, zeroOf } from '../../src/ir/constants.js';
import { arrayType, functionType, i32, i64 } from '../../src/ir/types.js';
import { verifyModule } from '../../src/ir/verify.js';
import { writeModule } from '../../src/ir/writer.js';
import { runnable, wasm32 } from './clang.js';

test('a module made by hand runs', async () => {
  const module = makeModule('made.ll');
  module.triple = wasm32;
  const number = (value: number) => integerConstant(i32, value);
  const table = makeVariable('table', arrayType(i32, 8), zeroOf(arrayType(i32, 8)));
  module.variables.push(table);
  const target = makeFunction('fibonacci', functionType(i32, [i32]));
  module.functions.push(target);
  expect(getOrDeclareFunction(module, 'fibonacci', target.functionType)).toBe(target);
  const [n] = target.arguments;
  // Two blocks and a value share a name on purpose: names are hints.
  const [entry, loop, done] = [makeBlock('x'), makeBlock('x'), makeBlock()];
  target.blocks = [entry, loop, done];

  const b = new Builder(entry.instructions);
  b.br(loop);
  b.into = loop.instructions;
  const i = b.phi(i32, [[number(0), entry]], 'x');
  const first = b.phi(i32, [[number(0), entry]]);
  const second = b.phi(i32, [[number(1), entry]]);
  const slot = b.gep(i32, table, [b.cast('zext', b.binary('urem', i, number(8)), i64)], 'slot');
  b.store(first, slot, { align: 4 });
  const next = b.binary('add', i, number(1));
  const sum = b.binary('add', first, second);
  for (const [phi, value] of [
    [i, next],
    [first, second],
    [second, sum],
  ] as const) {
    phi.values.push(value);
    phi.blocks.push(loop);
  }
  b.condBr(b.icmp('eq', next, n!), done, loop);
  b.into = done.instructions;
  const isSmall = b.icmp('ult', n!, number(3));
  b.ret(b.select(isSmall, n!, b.binary('add', b.load(i32, slot, { align: 4 }), second)));

  expect(verifyModule(module)).toEqual([]);
  const { fibonacci } = await runnable(writeModule(module), ['fibonacci']);
  expect([1, 2, 3, 10, 20].map(each => fibonacci!(each))).toEqual([1, 2, 3, 89, 10946]);
});
