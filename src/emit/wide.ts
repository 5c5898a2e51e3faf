/**
 * Integers of 128 bits and `long double` (fp128), which are two components of 64 bits. What takes
 * more than a few instructions is a call of the library that LLVM calls, too (`runtime/libc/rt`).
 */
import type { FcmpInstruction, IcmpInstruction, Instruction, Value } from '../ir/model.js';
import type { Type } from '../ir/types.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { f32, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import type { FunctionCode } from './function-body.js';
import { componentsOf, NotEmitted, narrowBits } from './value-types.js';

export function isWide(type: Type): boolean {
  return (type.kind === 'integer' && type.bits > 64) || (type.kind === 'float' && type.format === 'fp128');
}

/** Results of the library that are wide come through the frame. */
export function wideNeedsFrame(instruction: Instruction): boolean {
  return isWide(instruction.type);
}

const libraryNames: Partial<Record<Instruction['op'], string>> = {
  mul: '__multi3',
  sdiv: '__divti3',
  udiv: '__udivti3',
  srem: '__modti3',
  urem: '__umodti3',
  shl: '__ashlti3',
  lshr: '__lshrti3',
  ashr: '__ashrti3',
  fadd: '__addtf3',
  fsub: '__subtf3',
  fmul: '__multf3',
  fdiv: '__divtf3',
  frem: 'fmodl',
};

/** Leaves the value on the stack if it or its operands are wide; false if they are not. */
export function emitWide(code: FunctionCode, instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'icmp':
      if (isWide(instruction.left.type)) compareIntegers(code, instruction);
      return isWide(instruction.left.type);
    case 'fcmp':
      if (isWide(instruction.left.type)) compareFloats(code, instruction);
      return isWide(instruction.left.type);
    case 'trunc':
      if (!isWide(instruction.operand.type)) return false;
      if (isWide(instruction.type)) throw new NotEmitted('an unusual integer');
      code.push(instruction.operand, 0);
      if (componentsOf(instruction.type)[0] === i32) code.op(wasm.i32WrapI64);
      code.mask(instruction.type);
      return true;
    case 'zext':
    case 'sext':
      if (isWide(instruction.type)) extend(code, instruction.operand, instruction.op === 'sext');
      return isWide(instruction.type);
    case 'fpext':
    case 'fptrunc':
    case 'fptosi':
    case 'fptoui':
    case 'sitofp':
    case 'uitofp':
      if (!isWide(instruction.type) && !isWide(instruction.operand.type)) return false;
      convert(code, instruction.op, instruction.operand, instruction.type);
      return true;
    case 'fneg':
      if (!isWide(instruction.type)) return false;
      code.push(instruction.operand, 0);
      code.push(instruction.operand, 1);
      code.out.i64Const(-(1n << 63n));
      code.op(wasm.i64Xor);
      return true;
    case 'and':
    case 'or':
    case 'xor':
      if (!isWide(instruction.type)) return false;
      for (const half of [0, 1]) {
        code.push(instruction.left, half);
        code.push(instruction.right, half);
        code.op({ and: wasm.i64And, or: wasm.i64Or, xor: wasm.i64Xor }[instruction.op]);
      }
      return true;
    case 'add':
    case 'sub':
      if (!isWide(instruction.type)) return false;
      requireWhole(instruction.type);
      addOrSubtract(code, instruction.op, instruction.left, instruction.right);
      return true;
    case 'mul':
    case 'sdiv':
    case 'udiv':
    case 'srem':
    case 'urem':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      if (!isWide(instruction.type)) return false;
      requireWhole(instruction.type);
      callLibrary(
        code,
        libraryNames[instruction.op]!,
        [instruction.left, instruction.right],
        instruction.type,
      );
      return true;
    case 'shl':
    case 'lshr':
    case 'ashr':
      if (!isWide(instruction.type)) return false;
      requireWhole(instruction.type);
      callWith(code, libraryNames[instruction.op]!, [i64, i64, i32], [i64, i64], () => {
        code.pushAll(instruction.left);
        code.push(instruction.right, 0);
        code.op(wasm.i32WrapI64);
      });
      return true;
    default:
      // Other instructions have one implementation for all widths.
      return false;
  }
}

function requireWhole(type: Type): void {
  if (narrowBits(type) !== 0) throw new NotEmitted('an unusual integer');
}

function extend(code: FunctionCode, operand: Value, isSigned: boolean): void {
  if (isWide(operand.type)) throw new NotEmitted('an unusual integer');
  const push = (): void => {
    if (isSigned) code.pushIndex(operand);
    else {
      code.push(operand);
      if (componentsOf(operand.type)[0] === i32) code.op(wasm.i64ExtendI32U);
    }
  };
  push();
  if (!isSigned) return void code.out.zero(i64);
  push();
  code.out.i64Const(63);
  code.op(wasm.i64ShrS);
}

/** low = a + b, high = A + B + (low < a); low = a - b, high = A - B - (a < b) */
function addOrSubtract(code: FunctionCode, op: 'add' | 'sub', left: Value, right: Value): void {
  const opcode = op === 'add' ? wasm.i64Add : wasm.i64Sub;
  const low = code.scratch(i64, 'low');
  code.push(left, 0);
  code.push(right, 0);
  code.op(opcode);
  code.out.local(wasm.localTee, low);
  code.push(left, 1);
  code.push(right, 1);
  code.op(opcode);
  if (op === 'add') code.out.local(wasm.localGet, low);
  else code.push(left, 0);
  if (op === 'add') code.push(left, 0);
  else code.push(right, 0);
  code.op(wasm.i64LtU);
  code.op(wasm.i64ExtendI32U);
  code.op(opcode);
}

function compareIntegers(code: FunctionCode, { predicate, left, right }: IcmpInstruction): void {
  if (predicate === 'eq' || predicate === 'ne') {
    for (const half of [0, 1]) {
      code.push(left, half);
      code.push(right, half);
      code.op(wasm.i64Xor);
    }
    code.op(wasm.i64Or);
    code.op(wasm.i64Eqz);
    if (predicate === 'ne') code.op(wasm.i32Eqz);
    return;
  }
  // less(a, b) of high halves, or of low ones if those are equal; the others are its variants.
  const isGreater = predicate[1] === 'g';
  const isOrEqual = predicate.endsWith('e');
  const [a, b] = isGreater === isOrEqual ? [left, right] : [right, left];
  code.push(a, 0);
  code.push(b, 0);
  code.op(wasm.i64LtU);
  code.push(a, 1);
  code.push(b, 1);
  code.op(predicate[0] === 's' && narrowBits(left.type) === 0 ? wasm.i64LtS : wasm.i64LtU);
  code.push(a, 1);
  code.push(b, 1);
  code.op(wasm.i64Eq);
  code.op(wasm.select);
  if (isOrEqual) code.op(wasm.i32Eqz);
}

/**
 * The functions return a number whose sign is that of the comparison. For unordered operands, the
 * ones for ordered comparisons return a number for which the comparison does not hold.
 */
const floatComparisons: Record<string, readonly [name: string, opcode: number]> = {
  oeq: ['__eqtf2', 0x46],
  une: ['__netf2', 0x47],
  olt: ['__lttf2', 0x48],
  ole: ['__letf2', 0x4c],
  ogt: ['__gttf2', 0x4a],
  oge: ['__getf2', 0x4e],
  ult: ['__getf2', 0x48],
  ule: ['__gttf2', 0x4c],
  ugt: ['__letf2', 0x4a],
  uge: ['__lttf2', 0x4e],
  uno: ['__unordtf2', 0x47],
  ord: ['__unordtf2', 0x46],
};

function compareFloats(code: FunctionCode, { predicate, left, right }: FcmpInstruction): void {
  const found = floatComparisons[predicate];
  if (found === undefined) throw new NotEmitted(`the comparison ${predicate} of long double`);
  callWith(code, found[0], [i64, i64, i64, i64], [i32], () => {
    code.pushAll(left);
    code.pushAll(right);
  });
  code.out.zero(i32);
  code.op(found[1]);
}

/** The letters of compiler-rt for a type. */
function letters(type: Type): string {
  if (type.kind === 'integer') return type.bits > 64 ? 'ti' : type.bits > 32 ? 'di' : 'si';
  if (isWide(type)) return 'tf';
  return componentsOf(type)[0] === f32 ? 'sf' : 'df';
}

function convert(code: FunctionCode, op: string, operand: Value, type: Type): void {
  for (const each of [operand.type, type])
    if (each.kind === 'integer' && ![32, 64, 128].includes(each.bits))
      throw new NotEmitted('an unusual integer');
  const [from, to] = [letters(operand.type), letters(type)];
  const name = {
    fpext: `__extend${from}${to}2`,
    fptrunc: `__trunc${from}${to}2`,
    fptosi: `__fix${from}${to}`,
    fptoui: `__fixuns${from}${to}`,
    sitofp: `__float${from}${to}`,
    uitofp: `__floatun${from}${to}`,
  }[op]!;
  callLibrary(code, name, [operand], type);
}

function callLibrary(code: FunctionCode, name: string, args: readonly Value[], type: Type): void {
  const parameters = args.flatMap(argument => componentsOf(argument.type));
  callWith(code, name, parameters, componentsOf(type), () => {
    for (const argument of args) code.pushAll(argument);
  });
}

function callWith(
  code: FunctionCode,
  name: string,
  parameters: readonly ValueType[],
  results: readonly ValueType[],
  pushArguments: () => void,
): void {
  if (results.length < 2) {
    pushArguments();
    return void code.out.call(code.library(name, { parameters, results }));
  }
  const place = code.buffer('wide', 16, 16);
  code.pushFrame(place);
  pushArguments();
  code.out.call(code.library(name, { parameters: [i64, ...parameters], results: [] }));
  for (const half of [0, 8]) {
    code.out.local(wasm.localGet, code.framePointer);
    code.out.access(wasm.i64Load, 8, place + half);
  }
}
