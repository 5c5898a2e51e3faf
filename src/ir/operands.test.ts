import { expect, test } from 'vitest';
import type { Value } from './model.js';
import { forEachOperand, forEachOperandOfTable } from './operands.js';
import { readModule } from './reader.js';

const text = `
declare i32 @f(i32, ptr)
define i32 @all(i1 %c, i32 %a, i64 %w, ptr %p) {
entry:
  %loaded = load i32, ptr %p
  store i32 %a, ptr %p
  %element = getelementptr [4 x i32], ptr %p, i64 %w, i64 1
  %equal = icmp eq i32 %a, %loaded
  %sum = add i32 %a, %loaded
  %difference = sub i32 %sum, %a
  %both = and i32 %sum, %a
  %either = or i32 %sum, %a
  %product = mul i32 %either, %both
  %left = shl i32 %a, 1
  %right = lshr i32 %a, 1
  %wide = zext i32 %a to i64
  %signed = sext i32 %a to i64
  %narrow = trunc i64 %w to i32
  %address = ptrtoint ptr %p to i64
  %pointer = inttoptr i64 %w to ptr
  %chosen = select i1 %c, i32 %a, i32 %sum
  %result = call i32 @f(i32 %a, ptr %p) [ "deopt"(i32 %a) ]
  br i1 %c, label %next, label %last
next:
  br label %last
last:
  %joined = phi i32 [ %sum, %entry ], [ %result, %next ]
  switch i32 %joined, label %end [ i32 1, label %end ]
end:
  ret i32 %joined
}`;

test('the operands of frequent instructions are those of the table', () => {
  const read = readModule(text, 'test.ll');
  if (read.kind !== 'module') throw new Error(JSON.stringify(read.error));
  const instructions = read.module.functions.flatMap(({ blocks }) =>
    blocks.flatMap(block => block.instructions),
  );
  expect(instructions.length).toBe(23);
  for (const instruction of instructions) {
    const [quick, byTable]: [Value[], Value[]] = [[], []];
    forEachOperand(instruction, operand => quick.push(operand));
    forEachOperandOfTable(instruction, operand => byTable.push(operand));
    expect(quick).toEqual(byTable);
  }
});
