/**
 * Variable arguments in slots of eight bytes, as on x86-64. WebAssembly packs them by their own
 * size, so a format that disagrees with an argument, such as `printf("%d %s", strlen(s), s)`, would
 * shift every argument after it, although the program works on the machines that it was written
 * for.
 *
 * ```
 *   call @printf(ptr %f, i32 %a)      becomes   %wide = zext i32 %a to i64
 *                                               call @printf(ptr %f, i64 %wide)
 * ```
 *
 * The reader of a list rounds its position up to the next slot (`__builtin_va_arg` in
 * `front/target.ts`).
 */
import { Builder } from './builder.js';
import { DataLayout } from './data-layout.js';
import type { CallBranchInstruction, CallInstruction, Instruction, Module, Value } from './model.js';
import { i64, integerType } from './types.js';

export const slotBytes = 8;

export function widenVariadicArguments(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  for (const { blocks } of module.functions)
    for (const block of blocks)
      if (block.instructions.some(passesVariadic))
        block.instructions = block.instructions.flatMap(instruction =>
          passesVariadic(instruction) ? widened(instruction, layout) : [instruction],
        );
}

function widened(call: CallInstruction | CallBranchInstruction, layout: DataLayout): Instruction[] {
  const before = new Builder([], call.debugLocation);
  for (let i = call.functionType.parameters.length; i < call.args.length; i++) {
    const arg = call.args[i]!;
    const bits = layout.bits(arg.type);
    if (bits >= slotBytes * 8) continue;
    call.args[i] = before.cast('zext', asInteger(before, arg, bits), i64);
    call.argAttributes[i] = call.argAttributes[i]!.without('range');
  }
  return [...before.into, call];
}

function asInteger(builder: Builder, value: Value, bits: number): Value {
  return value.type.kind === 'integer' ? value : builder.cast('bitcast', value, integerType(bits));
}

function passesVariadic(instruction: Instruction): instruction is CallInstruction | CallBranchInstruction {
  return (
    (instruction.op === 'call' || instruction.op === 'callbr') &&
    instruction.functionType.variadic &&
    instruction.args.length > instruction.functionType.parameters.length
  );
}
