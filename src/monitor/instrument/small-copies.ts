/**
 * Replaces `memcpy` of 1, 2, 4 or 8 bytes by a load and a store.
 *
 * ```
 *   memcpy(&word, p, 4)         %word = load i32, ptr %p, align 1
 * ```
 *
 * C programs use it for unaligned reads and for small structures. A range operation, with its call,
 * would take 60 times as long as the access. A local that is only copied can then be promoted to a
 * value.
 *
 * The ranges of a `memcpy` must not overlap. Where they might, a marker is inserted, which
 * `function.ts` replaces by a comparison. `memmove` needs none, nor does a local that is copied as
 * a whole, because no other range in an object overlaps it.
 */
import { Builder, getOrDeclareFunction } from '../../ir/builder.js';
import { calledName } from '../../ir/called-functions.js';
import type { DataLayout } from '../../ir/data-layout.js';
import type {
  CallInstruction,
  Instruction,
  IntegerConstant,
  IrFunction,
  Module,
  Value,
} from '../../ir/model.js';
import { functionType, i64, integerType, ptr, type Type, voidType } from '../../ir/types.js';
import { typeOfLocal } from '../../passes/inlined-functions.js';

/**
 * The marker: `(destination, source, bytes)`. It is named like an intrinsic, so that no pass treats
 * it as a call.
 */
export const apartName = 'llvm.redzone.apart';

const sizes: ReadonlySet<number> = new Set([1, 2, 4, 8]);

export function expandSmallCopies(module: Module, target: IrFunction, layout: DataLayout): void {
  for (const block of target.blocks) {
    if (!block.instructions.some(instruction => sizeOfCopy(instruction) !== undefined)) continue;
    const instructions: Instruction[] = [];
    for (const instruction of block.instructions) {
      const bytes = sizeOfCopy(instruction);
      if (bytes === undefined) instructions.push(instruction);
      else expand(module, instruction as CallInstruction, bytes, layout, instructions);
    }
    block.instructions = instructions;
  }
}

/** Removes the markers of copies from or to whole locals, which inlined functions may have left. */
export function removeNeedlessMarkers(target: IrFunction, layout: DataLayout): void {
  const isNeedless = (each: Instruction): boolean => {
    if (each.op !== 'call' || calledName(each) !== apartName) return false;
    const [first, second, length] = each.args as [Value, Value, IntegerConstant];
    const bytes = Number(length.value);
    return isLocal(first, bytes, layout) || isLocal(second, bytes, layout);
  };
  for (const block of target.blocks)
    if (block.instructions.some(isNeedless))
      block.instructions = block.instructions.filter(each => !isNeedless(each));
}

/** The size of a small copy; undefined if it is none. */
function sizeOfCopy(instruction: Instruction): number | undefined {
  if (instruction.op !== 'call' || !/^llvm\.mem(cpy|move)\./.test(calledName(instruction))) return undefined;
  const [, , bytes, isVolatile] = instruction.args;
  if (bytes?.kind !== 'integer' || isVolatile?.kind !== 'integer' || isVolatile.value !== 0n)
    return undefined;
  return sizes.has(Number(bytes.value)) ? Number(bytes.value) : undefined;
}

function expand(
  module: Module,
  call: CallInstruction,
  bytes: number,
  layout: DataLayout,
  into: Instruction[],
): void {
  const [destination, source] = call.args as [Value, Value];
  const alignOf = (i: number): number => Number(call.argAttributes[i]?.get('align')?.value ?? 1);
  const whole = wholeLocal(destination, bytes, layout) ?? wholeLocal(source, bytes, layout);
  const builder = new Builder(into, call.debugLocation);
  const value = builder.load(whole ?? integerType(8 * bytes), source, { align: alignOf(1) });
  builder.store(value, destination, { align: alignOf(0) });
  const isMove = calledName(call).startsWith('llvm.memmove');
  if (isMove || isLocal(destination, bytes, layout) || isLocal(source, bytes, layout)) return;
  const marker = getOrDeclareFunction(module, apartName, functionType(voidType, [ptr, ptr, i64]));
  builder.call(marker, [destination, source, call.args[2]!]);
}

/** Structures that are passed by value or returned are in memory of their own, as locals are. */
function isLocal(pointer: Value, bytes: number, layout: DataLayout): boolean {
  const type = typeOfLocal(pointer);
  return type !== undefined && layout.allocBytes(type) === bytes;
}

/** The type of a local that is an integer or a pointer of this size. */
function wholeLocal(pointer: Value, bytes: number, layout: DataLayout): Type | undefined {
  const type = typeOfLocal(pointer);
  if (type === undefined || layout.allocBytes(type) !== bytes) return undefined;
  const isNumber =
    type.kind === 'integer' ? type.bits === 8 * bytes : type.kind === 'float' || type.kind === 'pointer';
  return isNumber ? type : undefined;
}
