/**
 * Checks arrays inside structures and of other arrays. An out-of-bounds index may stay in the
 * object, where the engines' checks do not detect it: `user.name[8] = 1` writes the member after
 * `name`. clang knows the bounds and compares each index with them:
 *
 * ```
 *             %in = icmp ult i64 %i, 8
 *             br i1 %in, %cont, %handler                          a whole object: br %cont
 *   handler:  call @__ubsan_handle_out_of_bounds(data, i64 %i)    an inner array: … (data, i64 %i, ptr %name, i64 1, i32 WRITE, i64 1)
 *   cont:     %arrayidx = getelementptr [8 x i8], ptr %name, 0, %i
 *             store i8 1, ptr %arrayidx
 * ```
 *
 * An array that is a whole object needs no such check: the engines check its bounds, and report
 * more details. For an inner array the handler receives the address of the array, the size of its
 * elements, and the kind and size of the access.
 *
 * Where clang allows the index one past the end, because the address might only be computed, the
 * pass finds out whether it is accessed. A check whose element is not found is dropped: the pass
 * expects clang's pattern, an address computed in the block after the check.
 */

import { AttributeSet } from '../ir/attributes.js';
import { Builder, makeArgument } from '../ir/builder.js';
import { calledName } from '../ir/called-functions.js';
import { isOfCheck } from '../ir/check-marks.js';
import { falseConstant, integerConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import type {
  Block,
  CallInstruction,
  ConditionalBranchInstruction,
  GetElementPtrInstruction,
  Instruction,
  Module,
  Value,
} from '../ir/model.js';
import { terminatorOf } from '../ir/operands.js';
import { functionType, i32, i64, ptr, voidType } from '../ir/types.js';
import { elementUses, innerBoundsHandlers } from './inner-array-handlers.js';

const handlerType = functionType(voidType, [ptr, i64, ptr, i64, i32, i64]);

export function keepInnerBounds(module: Module): void {
  const handlers = module.functions.filter(({ name }) => innerBoundsHandlers.includes(name));
  if (handlers.length === 0) return;
  const layout = new DataLayout(module.dataLayout);
  for (const handler of handlers) {
    handler.functionType = handlerType;
    handler.arguments = handlerType.parameters.map(type => makeArgument(type));
  }
  for (const { blocks } of module.functions) for (const block of blocks) keepOrDrop(block, layout);
}

function keepOrDrop(block: Block, layout: DataLayout): void {
  const branch = terminatorOf(block);
  if (branch?.op !== 'condbr') return;
  const report = branch.ifFalse.instructions.find(isReportOfIndex);
  if (report === undefined) return;
  const element = elementOf(branch.ifTrue, report.args[1]!, layout);
  if (element === undefined || isSuperfluous(branch, element, layout)) {
    block.instructions.pop();
    new Builder(block.instructions, branch.debugLocation).br(branch.ifTrue);
    return;
  }
  compareUnconverted(block, branch, report);
  const { address, elementBytes, use, bytes } = element;
  const told = [
    address.base,
    integerConstant(i64, elementBytes),
    integerConstant(i32, elementUses.indexOf(use)),
    integerConstant(i64, bytes),
  ];
  report.functionType = handlerType;
  report.args.push(...told);
  report.argAttributes.push(...told.map(() => AttributeSet.empty));
}

interface Element {
  readonly address: GetElementPtrInstruction;
  readonly index: Value;
  readonly elementBytes: number;
  readonly use: (typeof elementUses)[number];
  /** The size of the access; 0 when only the address is taken. */
  readonly bytes: number;
}

/** The element whose address the block after a check computes. */
function elementOf(block: Block, checked: Value, layout: DataLayout): Element | undefined {
  const { instructions } = block;
  const at = instructions.findIndex(each => each.op === 'getelementptr');
  const address = instructions[at];
  if (address?.op !== 'getelementptr') return undefined;
  const index = address.indices.at(-1)!;
  const isKnownBefore = !instructions.slice(0, at).some(each => each === address.base);
  if (withoutCasts(index) !== withoutCasts(checked) || !isKnownBefore) return undefined;
  const { sourceType } = address;
  const type = sourceType.kind === 'array' && address.indices.length === 2 ? sourceType.element : sourceType;
  return { address, index, elementBytes: layout.allocBytes(type), ...useOf(address, block, layout) };
}

/** The first access to an address, or to a part of the element, that is certainly executed. */
function useOf(
  address: GetElementPtrInstruction,
  from: Block,
  layout: DataLayout,
): Pick<Element, 'use' | 'bytes'> {
  let part: Value = address;
  for (let block: Block | undefined = from; block !== undefined; block = blockBehindCheck(block)) {
    for (const each of block.instructions) {
      if (each.op === 'getelementptr' && each.base === part) part = each;
      if (each.op === 'load' && each.pointer === part)
        return { use: 'read', bytes: layout.storeBytes(each.type) };
      if (each.op === 'store' && each.pointer === part)
        return { use: 'write', bytes: layout.storeBytes(each.value.type) };
    }
  }
  return { use: 'address', bytes: 0 };
}

/**
 * The successor of a block that ends with another check. Such blocks follow each other without a
 * loop.
 */
function blockBehindCheck(block: Block): Block | undefined {
  const branch = terminatorOf(block);
  const isCheck = branch?.op === 'condbr' && branch.ifFalse.instructions.some(isReportOfIndex);
  return isCheck ? branch.ifTrue : undefined;
}

/** The number of elements; undefined if it is not constant. */
function lengthOf(condition: Value, { address: { sourceType } }: Element): number | undefined {
  if (condition.kind === 'instruction' && condition.op === 'icmp')
    return condition.right.kind === 'integer' ? Number(condition.right.value) : undefined;
  return sourceType.kind === 'array' ? sourceType.length : undefined;
}

/**
 * Whether the object ends with an array at its start. A variable-length array (`bytes` is
 * undefined) is never part of a larger object.
 */
export function isWholeObject(array: Value, bytes: number | undefined, layout: DataLayout): boolean {
  let root = array;
  while (root.kind === 'instruction' && root.op === 'getelementptr' && root.indices.every(isZero))
    root = root.base;
  const local = root.kind === 'instruction' && root.op === 'alloca' ? root : undefined;
  if (bytes === undefined) return local !== undefined;
  const type = root.kind === 'variable' ? root.valueType : local?.allocatedType;
  return type !== undefined && layout.allocBytes(type) === bytes;
}

/**
 * Whether the bounds of the object make the check redundant, or the index is known to be valid. If
 * not, the check is made as strict as the use of the element allows.
 */
function isSuperfluous(branch: ConditionalBranchInstruction, element: Element, layout: DataLayout): boolean {
  const { condition } = branch;
  const { address, elementBytes, index, use } = element;
  const length = lengthOf(condition, element);
  if (isWholeObject(address.base, length && length * elementBytes, layout)) return true;
  if (condition.kind === 'instruction') {
    if (condition.op === 'icmp' && condition.predicate === 'ule' && use !== 'address')
      condition.predicate = 'ult';
    return false;
  }
  const isBehindEnd = use !== 'address' && index.kind === 'integer' && Number(index.value) === length;
  if (isBehindEnd) branch.condition = falseConstant;
  return !isBehindEnd && condition !== falseConstant;
}

/**
 * clang converts an index to 64 bits and compares. If the length fits, an unsigned comparison of
 * the original index is equivalent; the conversion is then needed only for the handler, and moved
 * there.
 */
function compareUnconverted(
  block: Block,
  { condition, ifFalse }: ConditionalBranchInstruction,
  report: CallInstruction,
): void {
  if (condition.kind !== 'instruction' || condition.op !== 'icmp' || condition.right.kind !== 'integer')
    return;
  const converted = condition.left;
  if (converted !== report.args[1] || converted.kind !== 'instruction') return;
  if ((converted.op !== 'sext' && converted.op !== 'zext') || !isOfCheck(converted)) return;
  const { operand } = converted;
  if (operand.type.kind !== 'integer' || condition.right.value >= 1n << BigInt(operand.type.bits - 1)) return;
  condition.left = operand;
  condition.right = integerConstant(operand.type, condition.right.value);
  block.instructions = block.instructions.filter(each => each !== converted);
  ifFalse.instructions.unshift(converted);
}

/** Whether this is a call of the handler. */
export function isReportOfIndex(instruction: Instruction): instruction is CallInstruction {
  return innerBoundsHandlers.includes(calledName(instruction));
}

function isZero(index: Value): boolean {
  return index.kind === 'integer' && index.value === 0n;
}

/** clang converts an index for the check, and again for the address. */
function withoutCasts(value: Value): Value {
  return value.kind === 'instruction' && (value.op === 'sext' || value.op === 'zext') ? value.operand : value;
}
