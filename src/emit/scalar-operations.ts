/** Arithmetic of integers and floats that have one component, comparisons and casts. */

import type {
  BinaryInstruction,
  CastInstruction,
  FcmpInstruction,
  IcmpInstruction,
  Value,
} from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { unreachable } from '../support/assert.js';
import { comparison, wasm } from '../wasm/instruction-bytes.js';
import { f32, f64, i32, i64 } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { componentsOf, NotEmitted, narrowBits } from './value-types.js';

/** The distance of the opcodes of i64 from those of i32, and of f64 from those of f32. */
const longArithmetic = 0x12;
const longComparison = 0x0b;
const doubleArithmetic = 0x0e;
const doubleComparison = 0x06;

const integerOpcodes: Partial<Record<BinaryInstruction['op'], number>> = {
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  sdiv: 0x6d,
  udiv: 0x6e,
  srem: 0x6f,
  urem: 0x70,
  and: 0x71,
  or: 0x72,
  xor: 0x73,
  shl: 0x74,
  ashr: 0x75,
  lshr: 0x76,
};
const floatOpcodes: Partial<Record<BinaryInstruction['op'], number>> = {
  fadd: 0x92,
  fsub: 0x93,
  fmul: 0x94,
  fdiv: 0x95,
};

const signedOps: ReadonlySet<string> = new Set(['sdiv', 'srem', 'ashr']);
/** Operations whose results have no more bits than their operands. */
const fittingOps: ReadonlySet<string> = new Set(['and', 'or', 'xor', 'udiv', 'urem', 'lshr']);

export function emitBinary(code: FunctionCode, { op, left, right, type }: BinaryInstruction): void {
  const [component] = componentsOf(type);
  const float = floatOpcodes[op];
  if (float !== undefined) {
    code.push(left);
    code.push(right);
    return void code.op(float + (component === f64 ? doubleArithmetic : 0));
  }
  const opcode = integerOpcodes[op];
  if (opcode === undefined) throw new NotEmitted(`the instruction ${op}`);
  if (op === 'xor' && narrowBits(type) === 1 && right.kind === 'integer' && right.value === 1n) {
    code.push(left);
    return void code.op(wasm.i32Eqz);
  }
  const isSigned = signedOps.has(op);
  if (isSigned) code.pushSigned(left);
  else code.push(left);
  if (isSigned && op !== 'ashr') code.pushSigned(right);
  else code.push(right);
  code.op(opcode + (component === i64 ? longArithmetic : 0));
  if (!fittingOps.has(op)) code.mask(type);
}

export function emitIcmp(code: FunctionCode, { predicate, left, right }: IcmpInstruction): void {
  const isLong = componentsOf(left.type)[0] === i64;
  const zero = isZero(right);
  if (zero && (predicate === 'eq' || predicate === 'ne')) {
    code.push(left);
    if (predicate === 'eq') return void code.op(isLong ? wasm.i64Eqz : wasm.i32Eqz);
    code.out.zero(isLong ? i64 : i32);
    return void code.op(isLong ? wasm.i64Ne : wasm.i32Ne);
  }
  const isSigned = predicate.startsWith('s');
  for (const side of [left, right]) {
    if (isSigned) code.pushSigned(side);
    else code.push(side);
  }
  code.op(wasm.i32Eq + comparison[predicate] + (isLong ? longComparison : 0));
}

function isZero(value: Value): boolean {
  return value.kind === 'null' || (value.kind === 'integer' && value.value === 0n);
}

/** eq ne lt gt le ge, in the order of WebAssembly from `f32.eq` on. */
const floatComparison: Record<string, { readonly opcode: number; readonly isNegated: boolean }> = {
  oeq: { opcode: 0x5b, isNegated: false },
  une: { opcode: 0x5c, isNegated: false },
  olt: { opcode: 0x5d, isNegated: false },
  ogt: { opcode: 0x5e, isNegated: false },
  ole: { opcode: 0x5f, isNegated: false },
  oge: { opcode: 0x60, isNegated: false },
  // Unordered or related: the negation of the opposite.
  uge: { opcode: 0x5d, isNegated: true },
  ule: { opcode: 0x5e, isNegated: true },
  ugt: { opcode: 0x5f, isNegated: true },
  ult: { opcode: 0x60, isNegated: true },
};

export function emitFcmp(code: FunctionCode, { predicate, left, right }: FcmpInstruction): void {
  const extra = componentsOf(left.type)[0] === f64 ? doubleComparison : 0;
  const compare = (opcode: number, a: Value, b: Value): void => {
    code.push(a);
    code.push(b);
    code.op(opcode + extra);
  };
  const simple = floatComparison[predicate];
  if (simple !== undefined) {
    compare(simple.opcode, left, right);
    if (simple.isNegated) code.op(wasm.i32Eqz);
    return;
  }
  switch (predicate) {
    case 'true':
    case 'false':
      return void code.out.i32Const(predicate === 'true' ? 1 : 0);
    case 'ord':
    case 'uno': {
      const opcode = predicate === 'ord' ? 0x5b : 0x5c;
      compare(opcode, left, left);
      compare(opcode, right, right);
      return void code.op(predicate === 'ord' ? wasm.i32And : wasm.i32Or);
    }
    default:
      // Ordered and not equal: less or greater; `ueq` is its opposite.
      compare(0x5d, left, right);
      compare(0x5e, left, right);
      code.op(wasm.i32Or);
      if (predicate === 'ueq') code.op(wasm.i32Eqz);
  }
}

/** Whether the comparison reads its operands twice. */
export function comparesTwice({ predicate }: FcmpInstruction): boolean {
  return floatComparison[predicate] === undefined;
}

/** Conversions that do not trap: 0xfc and a number from 0 on. */
function truncate(code: FunctionCode, from: Type, to: Type, isSigned: boolean): void {
  const isDouble = componentsOf(from)[0] === f64;
  const isLong = componentsOf(to)[0] === i64;
  code.op(wasm.prefix);
  code.out.u32((isLong ? 4 : 0) + (isDouble ? 2 : 0) + (isSigned ? 0 : 1));
  code.mask(to);
}

function convert(code: FunctionCode, from: Type, to: Type, isSigned: boolean): void {
  const isLong = componentsOf(from)[0] === i64;
  code.op((componentsOf(to)[0] === f64 ? 0xb7 : 0xb2) + (isLong ? 2 : 0) + (isSigned ? 0 : 1));
}

export function emitCast(code: FunctionCode, { op, operand, type }: CastInstruction): void {
  const [from] = componentsOf(operand.type);
  const [to] = componentsOf(type);
  const change = (): void => {
    if (from === i64 && to === i32) code.op(wasm.i32WrapI64);
    else if (from === i32 && to === i64) code.op(wasm.i64ExtendI32U);
  };
  switch (op) {
    case 'zext':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'trunc':
      code.push(operand);
      change();
      if (op !== 'zext' && op !== 'inttoptr') code.mask(type);
      return;
    case 'sext':
      code.pushSigned(operand);
      if (from === i32 && to === i64) code.op(wasm.i64ExtendI32S);
      return void code.mask(type);
    case 'fptrunc':
      code.push(operand);
      return void code.op(wasm.f32DemoteF64);
    case 'fpext':
      code.push(operand);
      return void code.op(wasm.f64PromoteF32);
    case 'fptosi':
    case 'fptoui':
      code.push(operand);
      return void truncate(code, operand.type, type, op === 'fptosi');
    case 'sitofp':
      code.pushSigned(operand);
      return void convert(code, operand.type, type, true);
    case 'uitofp':
      code.push(operand);
      return void convert(code, operand.type, type, false);
    case 'bitcast': {
      code.push(operand);
      if (from === to) return;
      const opcode =
        to === f32
          ? wasm.f32ReinterpretI32
          : to === f64
            ? wasm.f64ReinterpretI64
            : to === i32
              ? wasm.i32ReinterpretF32
              : wasm.i64ReinterpretF64;
      return void code.op(opcode);
    }
    case 'addrspacecast':
      throw new NotEmitted(`the instruction ${op}`);
    default:
      unreachable(op);
  }
}
