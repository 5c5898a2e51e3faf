/**
 * Makes the list of variable arguments a value, so that a local of type `va_list` can be promoted.
 *
 * ```
 *   call @llvm.va_start(ptr %list)     becomes     %at = call ptr @llvm.redzone.list()
 *                                                  store ptr %at, ptr %list
 *   call @llvm.va_end(ptr %list)                   nothing
 * ```
 *
 * A list is a pointer to the next argument. `va_start` takes the address of the local that holds
 * it, which would keep that local in memory, as an object that begins and ends with each call of
 * `printf`. A local whose address is taken otherwise, as by `va_copy`, stays as it is.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import type { CallInstruction, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { forEachOperand } from '../ir/operands.js';
import { functionType, ptr } from '../ir/types.js';
import { isLifetimeMarker } from './whole-locals.js';

/** The start of the list. It is named like an intrinsic, so that no pass treats it as a call. */
export const listName = 'llvm.redzone.list';

export function makeListsValues(module: Module, target: IrFunction): void {
  const locals = listsOf(target);
  if (locals.size === 0) return;
  const list = getOrDeclareFunction(module, listName, functionType(ptr, []));
  for (const block of target.blocks)
    block.instructions = block.instructions.flatMap(instruction => {
      if (!isOfList(instruction) || !locals.has(instruction.args[0]!)) return [instruction];
      const made = new Builder([], instruction.debugLocation);
      if (instruction.callee.name.startsWith('llvm.va_start'))
        made.store(made.call(list, []), instruction.args[0]!);
      return made.into;
    });
}

/** The locals that `va_start` sets, and that are used as a whole otherwise. */
function listsOf({ blocks }: IrFunction): ReadonlySet<Value> {
  const locals = new Set<Value>();
  for (const { instructions } of blocks)
    for (const instruction of instructions) if (isOfList(instruction)) locals.add(instruction.args[0]!);
  if (locals.size === 0) return locals;
  for (const local of locals)
    if (local.kind !== 'instruction' || local.op !== 'alloca' || local.allocatedType !== ptr)
      locals.delete(local);
  for (const { instructions } of blocks)
    for (const instruction of instructions)
      forEachOperand(instruction, operand => {
        if (locals.has(operand) && !isWhole(instruction, operand)) locals.delete(operand);
      });
  return locals;
}

function isWhole(user: Instruction, local: Value): boolean {
  if (user.op === 'load') return user.type === ptr;
  if (user.op === 'store') return user.value !== local && user.value.type === ptr;
  return isOfList(user) || isLifetimeMarker(user);
}

function isOfList(
  instruction: Instruction,
): instruction is CallInstruction & { readonly callee: IrFunction } {
  return (
    instruction.op === 'call' &&
    instruction.callee.kind === 'function' &&
    /^llvm\.va_(start|end)\b/.test(instruction.callee.name)
  );
}
