/**
 * Tells which accesses are to members beside padding, or to a part of a union.
 *
 * A granule of 8 bytes whose padding was never written is never plain, so the inline check of such
 * an access always fails. `CheckBuilder.writtenCondition` then decides without a call.
 *
 * ```
 *   struct { int kind; char *text; }      granule 0: kind, 4 bytes of padding      granule 1: text
 * ```
 */
import type { DataLayout } from '../../ir/data-layout.js';
import type { GetElementPtrInstruction, Value } from '../../ir/model.js';
import type { StructType, Type } from '../../ir/types.js';
import type { MemoryAccess } from './memory-access.js';

const granule = 8;

export function isBesidePadding({ pointer, type, align }: MemoryAccess, layout: DataLayout): boolean {
  const bytes = layout.storeBytes(type);
  // A larger access fills its granule, and a misaligned one may have two.
  if (bytes >= granule || align < bytes || (bytes & (bytes - 1)) !== 0) return false;
  if (pointer.kind !== 'instruction' || pointer.op !== 'getelementptr') return false;
  const path = pathOf(pointer);
  const last = path.at(-1)!.type;
  if (last.kind === 'struct' && layout.storeBytes(last) > bytes) return true;
  let offset = 0;
  for (let i = path.length - 1; i > 0; i--) {
    const { type: outer } = path[i - 1]!;
    const { index } = path[i]!;
    if (index.kind !== 'integer' || outer.kind !== 'struct') return false;
    offset += layout.structLayout(outer).offsets[Number(index.value)]!;
    if (hasHoleAround(outer, offset, bytes, layout)) return true;
  }
  return false;
}

/** The types that the indices lead through, each with the index that leads to it. */
function pathOf({ sourceType, indices }: GetElementPtrInstruction): { type: Type; index: Value }[] {
  let type = sourceType;
  return indices.map((index, i) => {
    if (i > 0 && type.kind === 'struct')
      type = type.elements![Number(index.kind === 'integer' && index.value)]!;
    else if (i > 0 && (type.kind === 'array' || type.kind === 'vector')) type = type.element;
    return { type, index };
  });
}

/** Whether a granule that contains the bytes may contain padding of the structure. */
function hasHoleAround(outer: StructType, offset: number, bytes: number, layout: DataLayout): boolean {
  const { align, bytes: size } = layout.structLayout(outer);
  const isGranular = align % granule === 0;
  const first = isGranular ? offset - (offset % granule) : offset + bytes - granule;
  const end = isGranular ? first + granule : offset + granule;
  for (let at = Math.max(first, 0); at < Math.min(end, size); at++)
    if (!isCovered(outer, at, layout)) return true;
  return false;
}

/** Whether the byte at this offset belongs to a number or a pointer. */
function isCovered(type: Type, offset: number, layout: DataLayout): boolean {
  if (type.kind === 'array') return isCovered(type.element, offset % layout.allocBytes(type.element), layout);
  if (type.kind !== 'struct') return offset < layout.storeBytes(type);
  const { offsets } = layout.structLayout(type);
  return offsets.some((start, i) => {
    const element = type.elements![i]!;
    return (
      start <= offset &&
      offset < start + layout.allocBytes(element) &&
      isCovered(element, offset - start, layout)
    );
  });
}
