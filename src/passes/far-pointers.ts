/**
 * Checks pointer arithmetic that leaves every object: `p + n` wraps around, `n` is larger than any
 * object, or `p` is null and `n` is not 0. An access through such a pointer is reported at the
 * access. A pointer that is compared, stored or passed on is checked where it is computed.
 *
 * ```
 *                                      %near = icmp ule i64 %n, 2^31 / stride     (unsigned offset)
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
 * Null is tested if `p` is an argument, a result or loaded from memory, and has not been accessed
 * earlier in the block, except in sources with annotations. The handler ignores an offset of 0.
 *
 * Why not `-fsanitize=pointer-overflow`? It checks every index, even if an access follows, and it
 * uses addresses, which have referent numbers in their upper halves here. An offset that was an
 * `int` never wraps and is not checked for distance.
 */

import { AttributeSet, attribute } from '../ir/attributes.js';
import { Builder, getOrDeclareFunction, makeBlock } from '../ir/builder.js';
import { checkMark } from '../ir/check-marks.js';
import { integerConstant, nullConstant } from '../ir/constants.js';
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

interface Distance {
  readonly index: Value;
  readonly strideBytes: number;
}

/** What is checked of a pointer step. */
interface Step {
  /** Undefined if it cannot be too far. */
  readonly distance: Distance | undefined;
  readonly mayStartAtNull: boolean;
}

export function checkFarPointers(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  // In the logic of annotations, arithmetic on null is no error.
  const testsNull = !module.functions.some(({ name }) => name.startsWith('__rz_acsl_'));
  let handler: IrFunction | undefined;
  for (const target of module.functions) {
    const steps = stepsOf(target, layout, testsNull);
    if (steps.size === 0) continue;
    handler ??= getOrDeclareFunction(module, farPointerHandler, functionType(voidType, [ptr, i64, i32]));
    handler.attributes = AttributeSet.of(attribute('nounwind'), attribute('cold'), attribute('nofree'));
    insert(target, steps, handler, layout);
  }
}

/** The pointer steps that are checked. */
function stepsOf(target: IrFunction, layout: DataLayout, testsNull: boolean): ReadonlyMap<Instruction, Step> {
  const used = new Set<Instruction>(usedSteps(target, isUse));
  const steps = new Map<Instruction, Step>();
  for (const { instructions } of target.blocks) {
    const accessed = new Set<Value>();
    for (const instruction of instructions) {
      if (instruction.op === 'getelementptr' && used.has(instruction)) {
        const distance = farDistance(instruction, layout);
        const mayStartAtNull =
          testsNull &&
          mayBeNull(instruction.base) &&
          !accessed.has(instruction.base) &&
          !isZero(instruction, layout);
        if (distance !== undefined || mayStartAtNull) steps.set(instruction, { distance, mayStartAtNull });
      } else if (instruction.op === 'load' || instruction.op === 'store')
        accessed.add(startOf(instruction.pointer));
    }
  }
  return steps;
}

function farDistance(step: GetElementPtrInstruction, layout: DataLayout): Distance | undefined {
  const { scaled, constantBytes } = layout.gepSteps(step.sourceType, step.indices);
  const [only] = scaled;
  if (only === undefined) {
    const isFar = constantBytes > farBytes || constantBytes < -farBytes;
    return isFar ? { index: integerConstant(i64, constantBytes), strideBytes: 1 } : undefined;
  }
  return scaled.length === 1 && only.strideBytes > 0 && mayBeFar(only.index) ? only : undefined;
}

function isZero(step: GetElementPtrInstruction, layout: DataLayout): boolean {
  const { scaled, constantBytes } = layout.gepSteps(step.sourceType, step.indices);
  return scaled.length === 0 && constantBytes === 0n;
}

/** A pointer that moves in a loop is a phi, and is not tested in each iteration. */
function mayBeNull(start: Value): boolean {
  if (start.kind === 'argument') return !start.attributes.has('nonnull') && !start.attributes.has('byval');
  return (
    start.kind === 'instruction' && (start.op === 'load' || start.op === 'call' || start.op === 'select')
  );
}

function startOf(pointer: Value): Value {
  let start = pointer;
  while (start.kind === 'instruction' && start.op === 'getelementptr') start = start.base;
  return start;
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

function insert(
  target: IrFunction,
  steps: ReadonlyMap<Instruction, Step>,
  handler: IrFunction,
  layout: DataLayout,
): void {
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
        const { near, far } = ask(instruction as GetElementPtrInstruction, step, current, handler, layout);
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
  step: Step,
  into: Block,
  handler: IrFunction,
  layout: DataLayout,
): { readonly near: Block; readonly far: Block } {
  const near = makeBlock('near');
  const far = makeBlock('far');
  const isUnsigned = (sum.flags & Flag.nuw) !== 0;
  const builder = new Builder(into.instructions, sum.debugLocation);
  const isValid = isValidStep(builder, sum, step, isUnsigned);
  builder.condBr(isValid, near, far).metadata = checkMark;
  const cold = new Builder(far.instructions, sum.debugLocation);
  const unsigned = integerConstant(i32, isUnsigned ? 1 : 0);
  cold.call(handler, [sum.base, offsetOf(cold, sum, layout), unsigned]);
  cold.br(near);
  return { near, far };
}

/** In bytes. */
function offsetOf(
  builder: Builder,
  { sourceType, indices }: GetElementPtrInstruction,
  layout: DataLayout,
): Value {
  const { scaled, constantBytes } = layout.gepSteps(sourceType, indices);
  let offset: Value = integerConstant(i64, constantBytes);
  for (const { index, strideBytes } of scaled) {
    const wide = index.type === i64 ? index : builder.cast('sext', index, i64);
    offset = builder.binary('add', offset, builder.binary('mul', wide, integerConstant(i64, strideBytes)));
  }
  return offset;
}

function isValidStep(
  builder: Builder,
  { base }: GetElementPtrInstruction,
  { distance, mayStartAtNull }: Step,
  isUnsigned: boolean,
): Value {
  const isThere = mayStartAtNull ? builder.icmp('ne', base, nullConstant) : undefined;
  if (distance === undefined) return isThere!;
  const limit = Math.floor(farBytes / distance.strideBytes);
  const { index } = distance;
  const from = isUnsigned ? index : builder.binary('add', index, integerConstant(i64, limit));
  const isNear = builder.icmp('ule', from, integerConstant(i64, isUnsigned ? limit : 2 * limit));
  return isThere === undefined ? isNear : builder.binary('and', isNear, isThere);
}
