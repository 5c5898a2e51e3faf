/**
 * Checks texts that overflow an array inside an object: `strcpy(user.name, input)` may write the
 * member after `name` without leaving `user`.
 *
 * ```
 *   call @strcpy(ptr %name, …)           call @strcpy(ptr %name, …)
 *                               becomes  call @__rz_inner_text(ptr %name, i64 8, i64 -1)      at most that many bytes may be written
 *   call @strncpy(ptr %name, …, %n)      call @strncpy(ptr %name, …, %n)
 *                                        call @__rz_inner_range(ptr %name, i64 8, i64 %n)     %n bytes are written
 * ```
 *
 * Only functions that write texts are checked: programs use `memcpy` and `memset` to copy or clear
 * several members at once. The check is made after the call; nothing outside the object has been
 * written, because that ends the program.
 */
import { Builder, getOrDeclareFunction } from '../ir/builder.js';
import { calledName } from '../ir/called-functions.js';
import { integerConstant } from '../ir/constants.js';
import { DataLayout } from '../ir/data-layout.js';
import type { CallInstruction, Instruction, Module, Value } from '../ir/model.js';
import { functionType, i8, i64, ptr, type Type, voidType } from '../ir/types.js';
import { innerRangeHandler, innerTextHandler } from './inner-array-handlers.js';
import { isWholeObject } from './inner-bounds.js';

/**
 * For each function that writes to its first argument, the argument that limits the size, and
 * whether exactly that size is written.
 */
const writers = new Map<string, { readonly limit?: number; readonly isExact?: true }>([
  ...['strcpy', 'stpcpy', 'strcat', 'strncat', 'sprintf', 'vsprintf', 'gets'].map(
    name => [name, {}] as const,
  ),
  ...['snprintf', 'vsnprintf', 'fgets'].map(name => [name, { limit: 1 }] as const),
  ...['strlcpy', 'strlcat'].map(name => [name, { limit: 2 }] as const),
  ...['strncpy', 'stpncpy'].map(name => [name, { limit: 2, isExact: true }] as const),
]);

const handlerType = functionType(voidType, [ptr, i64, i64]);

export function checkInnerTexts(module: Module): void {
  const layout = new DataLayout(module.dataLayout);
  for (const { blocks } of module.functions)
    for (const block of blocks)
      if (block.instructions.some(isWriter)) block.instructions = block.instructions.flatMap(withCheck);

  function withCheck(instruction: Instruction): Instruction[] {
    const room = isWriter(instruction) ? roomAt(instruction.args[0]!, layout) : undefined;
    if (!isWriter(instruction) || room === undefined) return [instruction];
    const { limit, isExact } = writers.get(instruction.callee.name)!;
    const builder = new Builder([instruction], instruction.debugLocation);
    const most = limit === undefined ? integerConstant(i64, -1) : asLength(instruction.args[limit]!, builder);
    const handler = getOrDeclareFunction(module, isExact ? innerRangeHandler : innerTextHandler, handlerType);
    builder.call(handler, [instruction.args[0]!, integerConstant(i64, room), most]);
    return builder.into;
  }
}

type WriterCall = CallInstruction & { readonly callee: { readonly kind: 'function'; readonly name: string } };

function isWriter(instruction: Instruction): instruction is WriterCall {
  return writers.has(calledName(instruction));
}

/** The number of bytes from a pointer to the end of the inner array from which it is computed. */
function roomAt(pointer: Value, layout: DataLayout): number | undefined {
  const global = globalOf(pointer, layout);
  if (global !== undefined) return roomInGlobal(global.type, global.offset, layout);
  if (pointer.kind !== 'instruction' || pointer.op !== 'getelementptr') return undefined;
  const { sourceType, indices } = pointer;
  const [first, index] = indices;
  if (sourceType.kind !== 'array' || first?.kind !== 'integer' || index?.kind !== 'integer') return undefined;
  const elementBytes = layout.allocBytes(sourceType.element);
  const isFlexible = sourceType.length <= 1;
  if (isFlexible || isWholeObject(pointer.base, sourceType.length * elementBytes, layout)) return undefined;
  return (sourceType.length - Number(index.value)) * elementBytes;
}

/** The address of a global's member is the global plus an offset: its type determines the array. */
function globalOf(pointer: Value, layout: DataLayout): { type: Type; offset: number } | undefined {
  if (pointer.kind === 'variable') return { type: pointer.valueType, offset: 0 };
  if (pointer.kind !== 'expression' || pointer.op !== 'getelementptr') return undefined;
  const [base, ...indices] = pointer.operands;
  const { constantBytes, scaled } = layout.gepSteps(pointer.sourceType!, indices);
  const from = base && globalOf(base, layout);
  if (from === undefined || scaled.length > 0) return undefined;
  return { type: from.type, offset: from.offset + Number(constantBytes) };
}

/**
 * Undefined if there is no character array, if it is the whole global, or if the type is ambiguous:
 * it may be a union's.
 */
function roomInGlobal(whole: Type, from: number, layout: DataLayout): number | undefined {
  let type = whole;
  let offset = from;
  if (from < 0) return undefined;
  while (type.kind === 'struct' || (type.kind === 'array' && type.element !== i8)) {
    if (type.kind === 'array') {
      offset %= layout.allocBytes(type.element);
      type = type.element;
      continue;
    }
    if (type.name?.startsWith('struct.') !== true || type.elements === undefined) return undefined;
    const { offsets } = layout.structLayout(type);
    const member = offsets.findLastIndex(start => start <= offset);
    if (member < 0) return undefined;
    offset -= offsets[member]!;
    type = type.elements[member]!;
  }
  if (type.kind !== 'array' || type === whole || type.length <= 1 || offset >= type.length) return undefined;
  return type.length - offset;
}

function asLength(value: Value, builder: Builder): Value {
  return value.type === i64 ? value : builder.cast('sext', value, i64);
}
