/**
 * Forms of `main` that gcc accepts with a warning: with one parameter, or without a result. They
 * become `int main(int, char **)`, which the C library calls `__main_argc_argv`:
 *
 *     define void @main(i32 %n) { ret void }
 *     define i32 @__main_argc_argv(i32 %n, ptr %0) { ret i32 0 }
 */
import { AttributeSet } from '../ir/attributes.js';
import { makeArgument } from '../ir/builder.js';
import { integerConstant, zeroOf } from '../ir/constants.js';
import type { IrFunction, Module } from '../ir/model.js';
import { functionType, i32, ptr, voidType } from '../ir/types.js';

const usual = functionType(i32, [i32, ptr]);

export function makeMainUsual(module: Module): void {
  const main = module.functions.find(each => each.blocks.length > 0 && isUnusual(each));
  if (main === undefined) return;
  main.name = '__main_argc_argv';
  for (const type of usual.parameters.slice(main.arguments.length)) main.arguments.push(makeArgument(type));
  const hasResult = main.functionType.returns !== voidType;
  main.functionType = usual;
  for (const { blocks } of module.functions)
    for (const instruction of blocks.flatMap(block => block.instructions)) {
      if (instruction.op !== 'call' || instruction.callee !== main) continue;
      for (const type of usual.parameters.slice(instruction.args.length)) {
        instruction.args.push(zeroOf(type));
        instruction.argAttributes.push(AttributeSet.empty);
      }
      instruction.functionType = usual;
      instruction.type = usual.returns;
    }
  if (hasResult) return;
  for (const instruction of main.blocks.flatMap(block => block.instructions))
    if (instruction.op === 'ret') instruction.value = integerConstant(i32, 0);
}

/** The library itself calls one that gets the environment (`start.c`). */
function isUnusual({ name, functionType: { returns, parameters } }: IrFunction): boolean {
  if (name !== 'main' && name !== '__main_argc_argv') return false;
  return parameters.length < 3 && (returns === voidType || (returns === i32 && parameters.length === 1));
}
