/** The code of one instruction that is not a terminator. */

import type {
  AllocaInstruction,
  AtomicRmwInstruction,
  BinaryInstruction,
  CallInstruction,
  CastInstruction,
  CompareExchangeInstruction,
  DebugRecord,
  ExtractElementInstruction,
  ExtractValueInstruction,
  FcmpInstruction,
  GetElementPtrInstruction,
  IcmpInstruction,
  InsertElementInstruction,
  InsertValueInstruction,
  Instruction,
  PhiInstruction,
  SelectInstruction,
  ShuffleVectorInstruction,
  Terminator,
  UnaryInstruction,
  Value,
} from '../ir/model.js';
import { unreachable } from '../support/assert.js';
import { wasm } from '../wasm/instruction-bytes.js';
import { i32, i64 } from '../wasm/wasm-opcodes.js';
import { callNeedsFrame, emitCall } from './emit-call.js';
import { intrinsicOf } from './emit-intrinsic.js';
import type { FunctionCode } from './function-body.js';
import { emitElementPointer, emitLoad, emitStore, isOnePiece, loadFrom, pushPlace } from './memory-pieces.js';
import { comparesTwice, emitBinary, emitCast, emitFcmp, emitIcmp } from './scalar-operations.js';
import type { Effect, PlanRules } from './value-plan.js';
import { componentAt, componentsOf, NotEmitted } from './value-types.js';
import { emitWide, isWide, wideNeedsFrame } from './wide.js';

/** Locals of known size that the entry block makes are part of the frame. */
export function rulesFor(entry: readonly Instruction[]): PlanRules {
  const inFrame = new Set<Instruction>(entry.filter(isInFrame));
  return { effectOf, readsTwice, aliasOf, isRepeated: instruction => inFrame.has(instruction) };
}

function isInFrame(instruction: Instruction): boolean {
  return (
    instruction.op === 'alloca' && (instruction.count === undefined || instruction.count.kind === 'integer')
  );
}

/** Instructions that only compute a result from their operands, and those that end a block. */
type WithoutEffect =
  | BinaryInstruction
  | UnaryInstruction
  | CastInstruction
  | IcmpInstruction
  | FcmpInstruction
  | SelectInstruction
  | PhiInstruction
  | GetElementPtrInstruction
  | ExtractElementInstruction
  | InsertElementInstruction
  | ShuffleVectorInstruction
  | ExtractValueInstruction
  | InsertValueInstruction
  | DebugRecord
  | Terminator;

function effectOf(instruction: Instruction): Effect {
  switch (instruction.op) {
    case 'load':
      return instruction.volatile || instruction.ordering !== undefined ? 'writes' : 'reads';
    // These trap where C has no defined result.
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
      return isWide(instruction.type) ? 'writes' : 'reads';
    case 'call':
      if (isHidden(instruction)) return 'none';
      return intrinsicOf(instruction)?.emit === undefined
        ? 'writes'
        : (intrinsicOf(instruction)!.effect ?? 'none');
    case 'store':
    case 'alloca':
    case 'fence':
    case 'cmpxchg':
    case 'atomicrmw':
    case 'va_arg':
    case 'callbr':
      return 'writes';
    default:
      instruction satisfies WithoutEffect;
      return 'none';
  }
}

function readsTwice(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
      return !isOnePiece(instruction.type);
    case 'store':
      return !isOnePiece(instruction.value.type);
    case 'fcmp':
      return comparesTwice(instruction);
    case 'cmpxchg':
    case 'atomicrmw':
    case 'insertvalue':
      return true;
    case 'select':
      return componentsOf(instruction.type).length > 1;
    case 'call':
      return intrinsicOf(instruction)?.readsTwice === true;
    case 'icmp':
      return isWide(instruction.left.type);
    default:
      // A result of two words reads the operands once for each word.
      return isWide(instruction.type);
  }
}

function aliasOf(instruction: Instruction): Value | undefined {
  switch (instruction.op) {
    case 'freeze':
      return instruction.operand;
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast': {
      const { operand, type } = instruction;
      const isSame =
        componentsOf(operand.type)[0] === componentsOf(type)[0] && bitsOf(operand.type) === bitsOf(type);
      return isSame ? operand : undefined;
    }
    // The upper bits are zeros already.
    case 'zext':
      return componentsOf(instruction.operand.type)[0] === componentsOf(instruction.type)[0] &&
        componentsOf(instruction.type).length === 1
        ? instruction.operand
        : undefined;
    case 'call':
      return intrinsicOf(instruction)?.alias || isHidden(instruction) ? instruction.args[0] : undefined;
    default:
      // Other instructions compute a value of their own.
      return undefined;
  }
}

function bitsOf(type: Value['type']): number {
  if (type.kind === 'pointer') return 64;
  return type.kind === 'integer' || type.kind === 'float' ? type.bits : 0;
}

/** Assembly without text that hides the origin of a value from LLVM. */
function isHidden({ callee }: CallInstruction): boolean {
  return callee.kind === 'assembly' && callee.text === '' && callee.constraints === '=r,0';
}

/** Whether the code of the instruction needs space in the frame. */
export function needsFrame(instruction: Instruction): boolean {
  if (instruction.op === 'alloca') return true;
  if (instruction.op === 'call' && !instruction.callee.type) return false;
  if (instruction.op === 'call') return intrinsicOf(instruction) === undefined && callNeedsFrame(instruction);
  return wideNeedsFrame(instruction);
}

/** The code that leaves the value of the instruction on the stack, where it has one. */
export function emitValue(code: FunctionCode, instruction: Instruction): void {
  if (emitWide(code, instruction)) return;
  switch (instruction.op) {
    case 'add':
    case 'sub':
    case 'mul':
    case 'udiv':
    case 'sdiv':
    case 'urem':
    case 'srem':
    case 'shl':
    case 'lshr':
    case 'ashr':
    case 'and':
    case 'or':
    case 'xor':
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
      return void emitBinary(code, instruction);
    case 'frem': {
      const [type] = componentsOf(instruction.type);
      code.push(instruction.left);
      code.push(instruction.right);
      const signature = { parameters: [type!, type!], results: [type!] };
      return void code.out.call(code.library(type === 0x7d ? 'fmodf' : 'fmod', signature));
    }
    case 'fneg':
      code.push(instruction.operand);
      return void code.op(componentsOf(instruction.type)[0] === 0x7d ? 0x8c : 0x9a);
    case 'icmp':
      return void emitIcmp(code, instruction);
    case 'fcmp':
      return void emitFcmp(code, instruction);
    case 'select':
      return void emitSelect(code, instruction);
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptoui':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'ptrtoaddr':
    case 'inttoptr':
    case 'bitcast':
      return void emitCast(code, instruction);
    case 'getelementptr':
      return void emitElementPointer(code, instruction);
    case 'load':
      return void emitLoad(code, instruction);
    case 'store':
      return void emitStore(code, instruction);
    case 'alloca':
      return void emitAlloca(code, instruction);
    case 'insertvalue':
      return void emitInsert(code, instruction);
    case 'cmpxchg':
      return void emitCompareExchange(code, instruction);
    case 'atomicrmw':
      return void emitReadModifyWrite(code, instruction);
    case 'fence':
    case 'debug-record':
      return;
    case 'call':
      return void emitIntrinsic(code, instruction);
    case 'addrspacecast':
    case 'br':
    case 'callbr':
    case 'condbr':
    case 'extractelement':
    case 'extractvalue':
    case 'freeze':
    case 'indirectbr':
    case 'insertelement':
    case 'phi':
    case 'ret':
    case 'shufflevector':
    case 'switch':
    case 'unreachable':
    case 'va_arg':
      throw new NotEmitted(`the instruction ${instruction.op}`);
    default:
      unreachable(instruction);
  }
}

/** The code of an instruction at its position in the block. */
export function emitInstruction(code: FunctionCode, instruction: Instruction): void {
  if (instruction.op === 'call' && intrinsicOf(instruction) === undefined) {
    const { callee } = instruction;
    if (callee.kind === 'function' && callee.name.startsWith('llvm.')) throw new NotEmitted(callee.name);
    if (emitAssembly(instruction)) return;
    return void emitCall(code, instruction);
  }
  emitValue(code, instruction);
  if (instruction.type.kind !== 'void') code.assign(instruction);
}

/** `asm volatile("" ::: "memory")` prevents LLVM from moving accesses; nothing is moved here. */
function emitAssembly({ callee, args, type }: CallInstruction): boolean {
  if (callee.kind !== 'assembly') return false;
  if (callee.text !== '' || args.length > 0 || type.kind !== 'void') throw new NotEmitted('assembly');
  return true;
}

function emitIntrinsic(code: FunctionCode, call: CallInstruction): void {
  const intrinsic = intrinsicOf(call);
  if (intrinsic?.emit === undefined) throw new NotEmitted('a call inside an expression');
  intrinsic.emit(code, call);
}

function emitSelect(code: FunctionCode, { condition, ifTrue, ifFalse, type }: SelectInstruction): void {
  componentsOf(type).forEach((_, i) => {
    code.push(ifTrue, i);
    code.push(ifFalse, i);
    code.push(condition);
    code.op(wasm.select);
  });
}

/** A local whose size or count is known only at run time. */
function emitAlloca(code: FunctionCode, { allocatedType, count, align }: AllocaInstruction): void {
  const { out, layout } = code;
  const alignment = Math.max(16, align || layout.align(allocatedType));
  out.global(wasm.globalGet, code.object.stackPointer);
  if (count === undefined) out.i64Const(1);
  else {
    code.push(count);
    if (componentsOf(count.type)[0] === i32) code.op(wasm.i64ExtendI32U);
  }
  out.i64Const(BigInt(layout.allocBytes(allocatedType)));
  code.op(wasm.i64Mul);
  code.op(wasm.i64Sub);
  out.i64Const(BigInt(-alignment));
  code.op(wasm.i64And);
  const pointer = code.scratch(i64, 'alloca');
  out.local(wasm.localTee, pointer);
  out.global(wasm.globalSet, code.object.stackPointer);
  out.local(wasm.localGet, pointer);
}

function emitInsert(code: FunctionCode, { aggregate, element, path, type }: InsertValueInstruction): void {
  const first = componentAt(type, path);
  const count = componentsOf(element.type).length;
  componentsOf(type).forEach((_, i) => {
    if (i >= first && i < first + count) code.push(element, i - first);
    else code.push(aggregate, i);
  });
}

// ---------------------------------------------------------------------------------------- atomics
// Only one thread runs at a time (docs/decisions/0135), so an atomic access is an ordinary one.

function emitCompareExchange(code: FunctionCode, instruction: CompareExchangeInstruction): void {
  const { pointer, expected, replacement, align } = instruction;
  const { type } = expected;
  if (!isOnePiece(type)) throw new NotEmitted('an atomic exchange of wide values');
  const [component] = componentsOf(type);
  const found = code.scratch(component!, 'found');
  loadFrom(code, type, () => pushPlace(code, pointer), align);
  code.out.local(wasm.localTee, found);
  code.push(expected);
  code.op(component === i64 ? wasm.i64Eq : wasm.i32Eq);
  const isEqual = code.scratch(i32, 'equal');
  code.out.local(wasm.localTee, isEqual);
  code.out.append(Uint8Array.of(wasm.if, 0x40));
  emitStore(code, { ...instruction, op: 'store', value: replacement, ordering: undefined });
  code.op(wasm.end);
  code.out.local(wasm.localGet, found);
  code.out.local(wasm.localGet, isEqual);
}

const modifying: Partial<Record<AtomicRmwInstruction['operation'], number>> = {
  add: wasm.i32Add,
  sub: wasm.i32Sub,
  and: wasm.i32And,
  or: wasm.i32Or,
  xor: wasm.i32Xor,
};

function emitReadModifyWrite(code: FunctionCode, instruction: AtomicRmwInstruction): void {
  const { operation, pointer, value, align } = instruction;
  const { type } = value;
  const opcode = modifying[operation];
  if (!isOnePiece(type) || (opcode === undefined && operation !== 'xchg'))
    throw new NotEmitted(`atomic ${operation}`);
  const [component] = componentsOf(type);
  const found = code.scratch(component!, 'found');
  loadFrom(code, type, () => pushPlace(code, pointer), align);
  code.out.local(wasm.localSet, found);
  const place = pushPlace(code, pointer);
  if (opcode === undefined) code.push(value);
  else {
    code.out.local(wasm.localGet, found);
    code.push(value);
    code.op(opcode + (component === i64 ? 0x12 : 0));
  }
  storeTop(code, type, place, align);
  code.out.local(wasm.localGet, found);
}

/** Stores the value on top of the stack at the address below it. */
function storeTop(code: FunctionCode, type: Value['type'], place: number, align: number): void {
  const bytes = code.layout.storeBytes(type);
  const isLong = componentsOf(type)[0] === i64;
  const opcode = isLong
    ? wasm.i64Store
    : bytes === 4
      ? wasm.i32Store
      : bytes === 2
        ? wasm.i32Store16
        : wasm.i32Store8;
  if (componentsOf(type)[0] !== i64 && componentsOf(type)[0] !== i32) throw new NotEmitted('atomic floats');
  code.out.access(opcode, Math.min(align || bytes, bytes), place);
}
