/**
 * Makes the copy of a structure that is passed by value a local, where it is copied on.
 *
 * ```
 *   push(byval %item)                        entry:  %copy = alloca %item;  memcpy(%copy, %item, 24)
 *     memcpy(%place, %item, 24)                memcpy(%place, %copy, 24)
 * ```
 *
 * If `split-structs.ts` then divides the local, all that is left of the argument is that its
 * members are read at the entry, as in `by-value-arguments.ts`. Otherwise the local is removed
 * again.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { calledName } from '../ir/called-functions.js';
import { integerConstant } from '../ir/constants.js';
import type { DataLayout } from '../ir/data-layout.js';
import type { AllocaInstruction, Argument, Instruction, IrFunction, Module, Value } from '../ir/model.js';
import { mapOperands } from '../ir/operands.js';
import { functionType, i1, i64, ptr, voidType } from '../ir/types.js';
import { usesOf } from './value-uses.js';

/** All members are read at each call. */
const mostBytes = 64;

export interface CopiedArgument {
  readonly argument: Argument;
  readonly copy: AllocaInstruction;
  readonly call: Instruction;
}

/** Inserts copies of arguments that are neither in `others` nor used in a way that needs memory. */
export function copyArguments(
  module: Module,
  target: IrFunction,
  layout: DataLayout,
  others: ReadonlySet<Argument>,
): CopiedArgument[] {
  const candidates = target.arguments.filter(each => each.attributes.has('byval') && !others.has(each));
  if (candidates.length === 0) return [];
  const uses = usesOf(target);
  const copied: CopiedArgument[] = [];
  for (const argument of candidates) {
    const type = argument.attributes.get('byval')!.type!;
    const bytes = layout.allocBytes(type);
    const first = uses.get(argument)?.find(each => isCopyFrom(each, argument));
    if (first === undefined || bytes > mostBytes) continue;
    const builder = new Builder([], first.debugLocation);
    const copy = builder.alloca(type, layout.align(type));
    replaceOperand(target, argument, copy);
    const copies = functionType(voidType, [ptr, ptr, i64, i1]);
    const memcpy = getOrDeclareFunction(module, 'llvm.memcpy.p0.p0.i64', copies);
    const call = builder.call(memcpy, [
      ...[copy, argument],
      ...[integerConstant(i64, bytes), integerConstant(i1, 0)],
    ]);
    const { instructions } = target.blocks[0]!;
    const at = instructions.findIndex(({ op }) => op !== 'alloca' && op !== 'debug-record');
    instructions.splice(at, 0, call);
    instructions.unshift(copy);
    copied.push({ argument, copy, call });
  }
  return copied;
}

/** Removes the copies that are still locals, and returns the other arguments. */
export function keepDivided(target: IrFunction, copied: readonly CopiedArgument[]): Argument[] {
  const entry = target.blocks[0]!;
  return copied.flatMap(({ argument, copy, call }) => {
    if (!entry.instructions.includes(copy)) return [argument];
    entry.instructions = entry.instructions.filter(each => each !== copy && each !== call);
    replaceOperand(target, copy, argument);
    return [];
  });
}

function isCopyFrom(instruction: Instruction, source: Value): boolean {
  return (
    instruction.op === 'call' &&
    instruction.args[1] === source &&
    /^llvm\.mem(cpy|move)\./.test(calledName(instruction))
  );
}

function replaceOperand(target: IrFunction, from: Value, to: Value): void {
  for (const { instructions } of target.blocks)
    for (const instruction of instructions) mapOperands(instruction, each => (each === from ? to : each));
}
