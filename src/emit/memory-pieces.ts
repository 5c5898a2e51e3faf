/** Loads, stores and addresses. */
import type { GetElementPtrInstruction, LoadInstruction, StoreInstruction, Value } from '../ir/model.js';
import { Flag } from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { f32, f64, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { knownAddress } from './known-address.js';
import { componentsOf, elementsOf, narrowBits } from './value-types.js';

/** Bytes of a value in memory that one instruction reads or writes. */
interface Piece {
  readonly component: number;
  readonly type: ValueType;
  readonly offset: number;
  readonly bytes: number;
  /** Where its lowest bit is in the component. */
  readonly shift: number;
}

const pieces = new WeakMap<Type, readonly Piece[]>();

export function piecesOf(code: FunctionCode, type: Type): readonly Piece[] {
  let known = pieces.get(type);
  if (known === undefined) {
    known = findPieces(code, type, 0, 0);
    pieces.set(type, known);
  }
  return known;
}

function findPieces(code: FunctionCode, type: Type, component: number, offset: number): Piece[] {
  const { layout } = code;
  if (type.kind === 'struct' || type.kind === 'array') {
    let at = component;
    return elementsOf(type).flatMap((element, i) => {
      const place =
        type.kind === 'struct' ? layout.structLayout(type).offsets[i]! : i * layout.allocBytes(element);
      const found = findPieces(code, element, at, offset + place);
      at += componentsOf(element).length;
      return found;
    });
  }
  const components = componentsOf(type);
  let left = layout.storeBytes(type);
  return components.flatMap((wasmType, i) => {
    const size = Math.min(left, 8);
    left -= size;
    const found: Piece[] = [];
    for (let at = 0; at < size; ) {
      const bytes = [8, 4, 2, 1].find(width => width <= size - at)!;
      found.push({
        component: component + i,
        type: wasmType,
        offset: offset + i * 8 + at,
        bytes,
        shift: at * 8,
      });
      at += bytes;
    }
    return found;
  });
}

/** Whether a value of this type is read and written by one instruction. */
export function isOnePiece(type: Type): boolean {
  switch (type.kind) {
    case 'integer':
      return [8, 16, 32, 64].includes(Math.ceil(type.bits / 8) * 8);
    case 'pointer':
      return true;
    case 'float':
      return type.format === 'float' || type.format === 'double';
    default:
      // Vectors, aggregates and long double need several instructions.
      return false;
  }
}

function loadOpcode(type: ValueType, bytes: number): number {
  if (type === f32) return wasm.f32Load;
  if (type === f64) return wasm.f64Load;
  if (type === i32) return bytes === 4 ? wasm.i32Load : bytes === 2 ? wasm.i32Load16U : wasm.i32Load8U;
  if (bytes === 8) return wasm.i64Load;
  return bytes === 4 ? wasm.i64Load32U : bytes === 2 ? wasm.i64Load16U : wasm.i64Load8U;
}

function storeOpcode(type: ValueType, bytes: number): number {
  if (type === f32) return wasm.f32Store;
  if (type === f64) return wasm.f64Store;
  if (type === i32) return bytes === 4 ? wasm.i32Store : bytes === 2 ? wasm.i32Store16 : wasm.i32Store8;
  if (bytes === 8) return wasm.i64Store;
  return bytes === 4 ? wasm.i64Store32 : bytes === 2 ? wasm.i64Store16 : wasm.i64Store8;
}

/** The largest offset that is encoded in the memory instruction. */
const farthest = 0x4fff_ffff;

/**
 * Pushes an address without an offset that the memory instruction adds itself, and returns that
 * offset. Addresses have tags in their upper half, which the lowering to 32 bits removes before the
 * offset is added: only an offset that cannot carry into the tag is encoded.
 */
export function pushPlace(code: FunctionCode, pointer: Value): number {
  const source = code.plan.source(pointer);
  if (source.kind !== 'instruction') {
    code.push(pointer);
    return 0;
  }
  const planned = code.plan.planned(source);
  if (source.op === 'alloca' && planned === undefined) {
    code.out.local(wasm.localGet, code.framePointer);
    return code.placeOf(source);
  }
  if (source.op !== 'getelementptr' || !planned?.isInTree || (source.flags & Flag.nuw) === 0) {
    code.push(pointer);
    return 0;
  }
  const { constantBytes, scaled } = code.layout.gepSteps(source.sourceType, source.indices);
  const base = code.plan.source(source.base);
  const number =
    base.kind === 'expression' || base.kind === 'null' ? knownAddress(code.layout, base) : undefined;
  const isNumber = number !== undefined && number.global === undefined && scaled.length > 0;
  const distance = constantBytes + (isNumber ? number.addend : 0n);
  if (distance < 0n || distance > BigInt(farthest)) {
    code.push(pointer);
    return 0;
  }
  if (!isNumber && scaled.length > 0) {
    code.push(source.base);
    pushScaled(code, scaled, true);
    return Number(distance);
  }
  if (isNumber) {
    pushScaled(code, scaled, false);
    return Number(distance);
  }
  const more = pushPlace(code, source.base);
  if (more + Number(distance) <= farthest) return more + Number(distance);
  code.out.i64Const(more);
  code.op(wasm.i64Add);
  return Number(distance);
}

function pushScaled(
  code: FunctionCode,
  scaled: readonly { readonly index: Value; readonly strideBytes: number }[],
  hasBase: boolean,
): void {
  let isFirst = !hasBase;
  for (const { index, strideBytes } of scaled) {
    code.pushIndex(index);
    if ((strideBytes & (strideBytes - 1)) === 0 && strideBytes > 0) {
      if (strideBytes > 1) {
        code.out.i64Const(31 - Math.clz32(strideBytes));
        code.op(wasm.i64Shl);
      }
    } else {
      code.out.i64Const(BigInt(strideBytes));
      code.op(wasm.i64Mul);
    }
    if (!isFirst) code.op(wasm.i64Add);
    isFirst = false;
  }
}

export function emitElementPointer(code: FunctionCode, gep: GetElementPtrInstruction): void {
  const { constantBytes, scaled } = code.layout.gepSteps(gep.sourceType, gep.indices);
  code.push(gep.base);
  pushScaled(code, scaled, true);
  if (constantBytes === 0n) return;
  code.out.i64Const(constantBytes);
  code.op(wasm.i64Add);
}

export function emitLoad(code: FunctionCode, load: LoadInstruction): void {
  loadFrom(code, load.type, () => pushPlace(code, load.pointer), load.align);
}

/** Pushes the components of a value in memory. */
export function loadFrom(code: FunctionCode, type: Type, pushAddress: () => number, align: number): void {
  let last = -1;
  for (const piece of piecesOf(code, type)) {
    const place = pushAddress();
    const known = Math.min(align || code.layout.align(type), piece.bytes, lowestBit(piece.offset));
    code.out.access(loadOpcode(piece.type, piece.bytes), known, place + piece.offset);
    if (piece.shift > 0) {
      code.out.integer(piece.type, piece.shift);
      code.op(piece.type === i64 ? wasm.i64Shl : wasm.i32Shl);
    }
    if (piece.component === last) code.op(piece.type === i64 ? wasm.i64Or : wasm.i32Or);
    last = piece.component;
  }
  if (type.kind === 'integer' && type.bits % 8 !== 0 && narrowBits(type) < 64) code.mask(type);
}

export function emitStore(code: FunctionCode, store: StoreInstruction): void {
  const { value, pointer, align } = store;
  storeTo(code, value, () => pushPlace(code, pointer), align);
}

/** Writes a value; its components and the address are pushed once for each piece. */
export function storeTo(code: FunctionCode, value: Value, pushAddress: () => number, align: number): void {
  const { type } = value;
  for (const piece of piecesOf(code, type)) {
    const place = pushAddress();
    pushStored(code, value, piece);
    if (piece.shift > 0) {
      code.out.integer(piece.type, piece.shift);
      code.op(piece.type === i64 ? wasm.i64ShrU : wasm.i32ShrU);
    }
    const known = Math.min(align || code.layout.align(type), piece.bytes, lowestBit(piece.offset));
    code.out.access(storeOpcode(piece.type, piece.bytes), known, place + piece.offset);
  }
}

/** A store truncates by itself, as `trunc` would. */
function pushStored(code: FunctionCode, value: Value, piece: Piece): void {
  const source = code.plan.source(value);
  const isCut =
    source.kind === 'instruction' &&
    source.op === 'trunc' &&
    code.plan.planned(source)?.isInTree === true &&
    source.type.kind === 'integer' &&
    source.type.bits === piece.bytes * 8 &&
    componentsOf(source.operand.type).length === 1 &&
    piece.type === i32;
  if (!isCut) return void code.push(value, piece.component);
  code.push(source.operand);
  if (componentsOf(source.operand.type)[0] === i64) code.op(wasm.i32WrapI64);
}

/** The alignment that an offset leaves. */
function lowestBit(offset: number): number {
  return offset === 0 ? 16 : offset & -offset;
}
