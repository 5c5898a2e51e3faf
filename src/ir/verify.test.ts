import { expect, test } from 'vitest';
import { Builder, makeArgument, makeBlock } from './builder.js';
import { integerConstant, undefConstant } from './constants.js';
import type { Block, Instruction, IrFunction, Module } from './model.js';
import { readModule } from './reader.js';
import { doubleType, i1, i8, i32, i64 } from './types.js';
import { verifyModule } from './verify.js';

const text = `
@g = global i32 0
declare i32 @callee(i32)
define i32 @f(i32 %x, ptr %p, i1 %c) {
entry:
  %sum = add i32 %x, 1
  br i1 %c, label %then, label %join
then:
  %loaded = load i32, ptr %p
  %called = call i32 @callee(i32 %loaded)
  br label %join
join:
  %phi = phi i32 [ %sum, %entry ], [ %called, %then ]
  %wide = zext i32 %phi to i64
  %narrow = trunc i64 %wide to i32
  switch i32 %narrow, label %end [
    i32 0, label %end
  ]
end:
  ret i32 %narrow
}
`;

/** The member of the union that has this op, also where several ops share one member. */
type InstructionWith<Op, I = Instruction> = I extends { readonly op: infer Ops }
  ? Op extends Ops
    ? I
    : never
  : never;

interface Parts {
  readonly module: Module;
  readonly target: IrFunction;
  readonly block: (name: string) => Block;
  readonly at: <Op extends Instruction['op']>(name: string, op: Op) => InstructionWith<Op>;
}

function parts(): Parts {
  const result = readModule(text, 'x.ll');
  if (result.kind === 'error') expect.fail(result.error.message);
  const target = result.module.functions.find(each => each.name === 'f')!;
  const block = (name: string): Block => target.blocks.find(each => each.name === name)!;
  return {
    module: result.module,
    target,
    block,
    at: <Op extends Instruction['op']>(name: string, op: Op) =>
      block(name).instructions.find(each => each.op === op) as InstructionWith<Op>,
  };
}

test('a valid module has no problems', () => {
  expect(verifyModule(parts().module)).toEqual([]);
});

const mistakes: readonly (readonly [string, (all: Parts) => void])[] = [
  ['is defined twice', ({ module }) => module.variables.push({ ...module.variables[0]! })],
  [
    'has an initializer of another type',
    ({ module }) => (module.variables[0]!.initializer = integerConstant(i8, 1)),
  ],
  [
    'has internal linkage and no initializer',
    ({ module }) => Object.assign(module.variables[0]!, { linkage: 'internal', initializer: undefined }),
  ],
  ['the arguments are not those of the type', ({ target }) => target.arguments.push(makeArgument(i32))],
  [
    'a declaration cannot be local to the module',
    ({ module }) => (module.functions[0]!.linkage = 'internal'),
  ],
  ['block (unnamed) is empty', ({ target }) => target.blocks.push(makeBlock())],
  ['a block has one terminator, its last instruction', ({ block }) => block('then').instructions.pop()],
  [
    'a block has one terminator, its last instruction',
    ({ block }) => new Builder(block('end').instructions).ret(),
  ],
  [
    'phis stand first in a block',
    ({ block }) => block('join').instructions.reverse().push(block('join').instructions.shift()!),
  ],
  ['stands in the function twice', ({ block, at }) => block('end').instructions.unshift(at('entry', 'add'))],
  ['goes to a block of another function', ({ at }) => (at('then', 'br').target = makeBlock())],
  ['goes to the entry block', ({ at, target }) => (at('then', 'br').target = target.blocks[0]!)],
  [
    'the entries of a phi are the predecessors of its block',
    ({ at }) => at('join', 'phi').blocks.reverse().pop(),
  ],
  ['uses an argument of another function', ({ at }) => (at('entry', 'add').left = makeArgument(i32))],
  ['uses an instruction without a result', ({ at }) => (at('end', 'ret').value = at('then', 'br'))],
  [
    'uses an instruction that is not in this function',
    ({ at }) => (at('end', 'ret').value = { ...at('entry', 'add') }),
  ],
  ['uses a value that may not be defined yet', ({ at }) => (at('entry', 'add').left = at('then', 'load'))],
  ['uses a value that may not be defined yet', ({ at }) => at('join', 'phi').values.reverse()],
  [
    'the operands have another type than the result',
    ({ at }) => (at('entry', 'add').left = integerConstant(i64, 1)),
  ],
  ['has a flag that it cannot have', ({ at }) => (at('entry', 'add').flags = 256)],
  ['needs a pointer', ({ at, target }) => (at('then', 'load').pointer = target.arguments[0]!)],
  ['an argument has another type', ({ at }) => (at('then', 'call').args[0] = integerConstant(i8, 1))],
  ['has another number of arguments than its type', ({ at }) => at('then', 'call').args.pop()],
  ['has no attributes for an argument', ({ at }) => at('then', 'call').argAttributes.pop()],
  ['an entry has another type', ({ at }) => (at('join', 'phi').values[0] = integerConstant(i8, 1))],
  ['does not make it wider', ({ at }) => (at('join', 'zext').operand = integerConstant(i64, 1))],
  ['does not make it narrower', ({ at }) => (at('join', 'trunc').operand = integerConstant(i8, 1))],
  ['casts from integer to integer', ({ at }) => (at('join', 'zext').operand = undefConstant(doubleType))],
  [
    'the condition is not an i1',
    ({ at, target }) => (at('entry', 'condbr').condition = target.arguments[0]!),
  ],
  [
    'a case has another type than the condition',
    ({ at }) => (at('join', 'switch').caseValues[0] = integerConstant(i1, 0)),
  ],
  ['returns another type than the function', ({ at }) => (at('end', 'ret').value = undefined)],
];

test.each(mistakes)('%s', (message, breakIt) => {
  const all = parts();
  breakIt(all);
  const problems = verifyModule(all.module);
  expect(problems.map(problem => problem.message)).toContain(message);
});
