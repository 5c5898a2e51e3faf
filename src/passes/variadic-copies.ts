/**
 * Makes copies of structures among the variable arguments of a call. The code generator would copy
 * them to the stack unnoticed and pass addresses that belong to no object. With a local for each
 * copy, which lives as long as the call, they are ordinary objects:
 *
 * ```
 *   call @sum(i32 2, ptr byval(%point) %p)      becomes   lifetime.start %copy
 *                                                         memcpy %copy, %p, 16
 *                                                         call @sum(i32 2, ptr %copy)
 *                                                         lifetime.end %copy
 * ```
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { falseConstant, integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type { AllocaInstruction, CallInstruction, Instruction, IrFunction, Module } from '../ir/model.js';
import { functionType, i1, i64, ptr, voidType } from '../ir/types.js';

export function copyVariadicStructures(module: Module, target: IrFunction, layout: DataLayout): void {
  const locals: AllocaInstruction[] = [];
  for (const block of target.blocks)
    if (block.instructions.some(passesStructures))
      block.instructions = block.instructions.flatMap(instruction =>
        passesStructures(instruction) ? withCopies(module, instruction, layout, locals) : [instruction],
      );
  target.blocks[0]!.instructions.unshift(...locals);
}

function withCopies(
  module: Module,
  call: CallInstruction,
  layout: DataLayout,
  locals: AllocaInstruction[],
): Instruction[] {
  const mark = (edge: 'start' | 'end') =>
    getOrDeclareFunction(module, `llvm.lifetime.${edge}.p0`, functionType(voidType, [ptr]));
  const memcpy = getOrDeclareFunction(
    module,
    'llvm.memcpy.p0.p0.i64',
    functionType(voidType, [ptr, ptr, i64, i1]),
  );
  const before = new Builder([], call.debugLocation);
  const after = new Builder([], call.debugLocation);
  for (let i = call.functionType.parameters.length; i < call.args.length; i++) {
    const type = call.argAttributes[i]!.get('byval')?.type;
    if (type === undefined) continue;
    const copy = new Builder([]).alloca(type, layout.align(type), 'argument');
    locals.push(copy);
    before.call(mark('start'), [copy]);
    before.call(memcpy, [copy, call.args[i]!, integerConstant(i64, layout.allocBytes(type)), falseConstant]);
    call.args[i] = copy;
    call.argAttributes[i] = call.argAttributes[i]!.without('byval');
    after.call(mark('end'), [copy]);
  }
  return [...before.into, call, ...after.into];
}

function passesStructures(instruction: Instruction): instruction is CallInstruction {
  return (
    instruction.op === 'call' &&
    instruction.functionType.variadic &&
    instruction.argAttributes.some(
      (attributes, i) => i >= instruction.functionType.parameters.length && attributes.has('byval'),
    )
  );
}
