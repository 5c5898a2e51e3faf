/**
 * Checks pointer arithmetic that leaves every object: `p + n` wraps around, or `n` is larger than
 * any object. An access through such a pointer is reported at the access. A pointer that is
 * compared, stored or passed on is checked where it is computed.
 *
 * ```
 *                                      %near = icmp ule i64 %n, 2^31 / stride       of an unsigned offset
 *                                      br i1 %near, %cont, %far
 *   %q = getelementptr i32, %p, %n     far: call @__rz_far_pointer(%p, %n * stride, 1)
 *                                           br %cont
 *                                      cont: %q = getelementptr i32, %p, %n
 * ```
 *
 * No block has 2 GiB, so a larger offset is invalid for every object. An offset of an unsigned type
 * that is negative as a signed one (`p + (size_t)-1`) has wrapped; if that leads back into the
 * object or to its end, the handler reports nothing, because programs step back in this way and it
 * works on every machine.
 *
 * Why not `-fsanitize=pointer-overflow`? It checks every index, even if an access follows, and it
 * uses addresses, which have referent numbers in their upper halves here. An offset that was an
 * `int` never wraps and is not checked.
 */

import { AttributeSet, attribute } from '../ir/attributes.js';
import { Builder, getOrDeclareFunction, makeBlock } from '../ir/builder.js';
import { checkMark } from '../ir/check-marks.js';
import { integerConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import {
  type Block,
  Flag,
  type GetElementPtrInstruction,
  type Instruction,
  type IrFunction,
  type Module,
  type Value,
} from '../ir/model.js';
import { functionType, i32, i64, ptr, voidType } from '../ir/types.js';
import { farPointerHandler } from './promise-handlers.js';
import { usedSteps } from './used-steps.js';

/** Larger than any object of the engines. */
const farBytes = 2 ** 31;

interface Step {
  readonly index: Value;
  readonly strideBytes: number;
}

export function checkFarPointers(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  let handler: IrFunction | undefined;
  for (const target of module.functions) {
    const steps = stepsOf(target, layout);
    if (steps.size === 0) continue;
    handler ??= getOrDeclareFunction(module, farPointerHandler, functionType(voidType, [ptr, i64, i32]));
    handler.attributes = AttributeSet.of(attribute('nounwind'), attribute('cold'), attribute('nofree'));
    insert(target, steps, handler);
  }
}

/** The pointer steps that are checked. */
function stepsOf(target: IrFunction, layout: DataLayout): ReadonlyMap<Instruction, Step> {
  const steps = new Map<Instruction, Step>();
  for (const step of usedSteps(target, isUse)) {
    const { scaled, constantBytes } = layout.gepSteps(step.sourceType, step.indices);
    const [only] = scaled;
    if (only === undefined) {
      const isFar = constantBytes > farBytes || constantBytes < -farBytes;
      if (isFar) steps.set(step, { index: integerConstant(i64, constantBytes), strideBytes: 1 });
    } else if (scaled.length === 1 && only.strideBytes > 0 && mayBeFar(only.index)) steps.set(step, only);
  }
  return steps;
}

/** Whether the pointer is used for something other than an access. */
function isUse(user: Instruction, operand: Value): boolean {
  switch (user.op) {
    case 'load':
    case 'getelementptr':
      return false;
    case 'store':
      return user.value === operand;
    default:
      // An unknown use needs the true value of the pointer, which is the safe answer.
      return true;
  }
}

function mayBeFar(index: Value): boolean {
  if (index.type !== i64) return false;
  if (index.kind !== 'instruction') return true;
  return index.op !== 'sext' && index.op !== 'zext' && !/^sub\.ptr\./.test(index.name ?? '');
}

function insert(target: IrFunction, steps: ReadonlyMap<Instruction, Step>, handler: IrFunction): void {
  const lastPiece = new Map<Block, Block>();
  const blocks: Block[] = [];
  const cold: Block[] = [];
  for (const block of target.blocks) {
    const { instructions } = block;
    block.instructions = [];
    let current = block;
    blocks.push(current);
    for (const instruction of instructions) {
      const step = steps.get(instruction);
      if (step !== undefined) {
        const { near, far } = ask(instruction as GetElementPtrInstruction, step, current, handler);
        blocks.push(near);
        cold.push(far);
        current = near;
      }
      current.instructions.push(instruction);
    }
    if (current !== block) lastPiece.set(block, current);
  }
  target.blocks = [...blocks, ...cold];
  for (const { instructions } of target.blocks)
    for (const instruction of instructions)
      if (instruction.op === 'phi')
        instruction.blocks = instruction.blocks.map(source => lastPiece.get(source) ?? source);
}

function ask(
  sum: GetElementPtrInstruction,
  { index, strideBytes }: Step,
  into: Block,
  handler: IrFunction,
): { readonly near: Block; readonly far: Block } {
  const near = makeBlock('near');
  const far = makeBlock('far');
  const isUnsigned = (sum.flags & Flag.nuw) !== 0;
  const limit = Math.floor(farBytes / strideBytes);
  const builder = new Builder(into.instructions, sum.debugLocation);
  const from = isUnsigned ? index : builder.binary('add', index, integerConstant(i64, limit));
  const isNear = builder.icmp('ule', from, integerConstant(i64, isUnsigned ? limit : 2 * limit));
  builder.condBr(isNear, near, far).metadata = checkMark;
  const cold = new Builder(far.instructions, sum.debugLocation);
  const bytes = cold.binary('mul', index, integerConstant(i64, strideBytes));
  cold.call(handler, [sum.base, bytes, integerConstant(i32, isUnsigned ? 1 : 0)]);
  cold.br(near);
  return { near, far };
}
