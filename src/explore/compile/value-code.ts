/** Conversions, floats, choices and addresses as JavaScript. */

import * as V from '../../expr/value.js';
import type {
  BinaryInstruction,
  CastInstruction,
  FcmpInstruction,
  GetElementPtrInstruction,
  Instruction,
} from '../../ir/model.js';
import type { Type } from '../../ir/types.js';
import { unreachable } from '../../support/assert.js';
import { SHORT_STEP } from '../memory/address-space.js';
import type { FunctionCode } from './function-code.js';

/** Numbers below this are exact. */
const LIMIT = 2 ** 53;

export function emitValue(emitter: FunctionCode, instruction: Instruction): string | undefined {
  switch (instruction.op) {
    case 'getelementptr':
      return emitAddress(emitter, instruction);
    case 'select': {
      if (!isScalar(instruction.type) || instruction.condition.type.kind === 'vector') return undefined;
      const [c, a, b] = [instruction.condition, instruction.ifTrue, instruction.ifFalse].map(value =>
        emitter.operand(value),
      );
      return `${emitter.result(instruction)} = ${c} !== 0 ? ${a} : ${b};`;
    }
    case 'freeze':
      return isScalar(instruction.type)
        ? `${emitter.result(instruction)} = ${emitter.operand(instruction.operand)};`
        : undefined;
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return emitFloat(emitter, instruction);
    case 'fneg':
      return isPlainFloat(instruction.type)
        ? `${emitter.result(instruction)} = -${emitter.operand(instruction.operand)};`
        : undefined;
    case 'fcmp':
      return emitFloatCompare(emitter, instruction);
    case 'trunc':
    case 'zext':
    case 'sext':
    case 'fptrunc':
    case 'fpext':
    case 'fptosi':
    case 'uitofp':
    case 'sitofp':
    case 'ptrtoint':
    case 'inttoptr':
    case 'bitcast':
      return emitCast(emitter, instruction);
    case 'extractvalue':
      return instruction.path.length === 1
        ? `${emitter.result(instruction)} = ${emitter.operand(instruction.aggregate)}[${instruction.path[0]}];`
        : undefined;
    default:
      // The caller executes the instruction by its handler.
      return undefined;
  }
}

export function isPlainFloat(type: Type): boolean {
  return type.kind === 'float' && (type.bits === 32 || type.bits === 64);
}

function isScalar(type: Type): boolean {
  return (type.kind === 'integer' && type.bits <= 64) || type.kind === 'pointer' || isPlainFloat(type);
}

const floatSigns: Partial<Record<BinaryInstruction['op'], string>> = {
  fadd: '+',
  fsub: '-',
  fmul: '*',
  fdiv: '/',
  frem: '%',
};

function emitFloat(emitter: FunctionCode, instruction: BinaryInstruction): string | undefined {
  if (!isPlainFloat(instruction.type)) return undefined;
  const [a, b] = [instruction.left, instruction.right].map(value => emitter.operand(value));
  const result = `${a} ${floatSigns[instruction.op]} ${b}`;
  const isSingle = emitter.bits(instruction) === 32;
  return `${emitter.result(instruction)} = ${isSingle ? `Math.fround(${result})` : result};`;
}

const orderedSigns: Partial<Record<FcmpInstruction['predicate'], string>> = {
  oeq: '===',
  ogt: '>',
  oge: '>=',
  olt: '<',
  ole: '<=',
  une: '!==',
};

function emitFloatCompare(emitter: FunctionCode, instruction: FcmpInstruction): string | undefined {
  const sign = orderedSigns[instruction.predicate];
  if (sign === undefined || !isPlainFloat(instruction.left.type)) return undefined;
  const [a, b] = [instruction.left, instruction.right].map(value => emitter.operand(value));
  return `${emitter.result(instruction)} = ${a} ${sign} ${b} ? 1 : 0;`;
}

function emitCast(emitter: FunctionCode, instruction: CastInstruction): string | undefined {
  const { op, operand, type } = instruction;
  if (!isScalar(operand.type) || !isScalar(type)) return undefined;
  const [from, to] = [emitter.bits(operand), emitter.bits(instruction)];
  const r = emitter.result(instruction);
  const a = emitter.operand(operand);
  const toFloat = to === 32 ? 'V.toSingle' : 'Number';
  switch (op) {
    case 'trunc':
      return `${r} = ${truncated(a, from, to)};`;
    case 'ptrtoint':
    case 'inttoptr':
      return to >= from ? `${r} = ${a};` : `${r} = ${truncated(a, from, to)};`;
    case 'zext':
    case 'fpext':
      return `${r} = ${a};`;
    case 'fptrunc':
      return `${r} = Math.fround(${a});`;
    case 'sext':
      if (to === 32) return `${r} = (${a} << ${32 - from} >> ${32 - from}) >>> 0;`;
      return `${r} = ${a} < ${2 ** (from - 1)} ? ${a} : V.sext(${from}, ${to}, ${a});`;
    case 'uitofp':
      return `${r} = ${toFloat}(${a});`;
    case 'sitofp':
      return `${r} = ${toFloat}(${from === 32 ? `${a} | 0` : `V.toSigned(${from}, ${a})`});`;
    case 'fptosi':
      if (to !== 32) return undefined;
      return `t = Math.trunc(${a}); if (t !== (t | 0)) ${emitter.leave} ${r} = t >>> 0;`;
    case 'bitcast':
      if (isPlainFloat(type) === isPlainFloat(operand.type)) return `${r} = ${a};`;
      return `${r} = H.${isPlainFloat(type) ? 'floatFromBits' : 'bitsOfFloat'}(${to}, ${a});`;
    case 'fptoui':
    case 'ptrtoaddr':
    case 'addrspacecast':
      return undefined;
    default:
      return unreachable(op);
  }
}

function truncated(a: string, from: number, to: number): string {
  const low = from <= 32 ? a : `(typeof ${a} === 'number' ? ${a} >>> 0 : V.toValue(32, ${a}))`;
  if (to === 32) return low;
  return to < 32 ? `${low} & ${2 ** to - 1}` : `V.toValue(${to}, ${a})`;
}

/**
 * While base, indices and sum are numbers, the sum is exact; the base is non-negative, so a
 * negative sum is out of range.
 */
function emitAddress(emitter: FunctionCode, instruction: GetElementPtrInstruction): string | undefined {
  if (instruction.type.kind !== 'pointer') return undefined;
  const { layout } = emitter.program;
  const { constantBytes, scaled } = layout.gepSteps(instruction.sourceType, instruction.indices);
  if (scaled.length > 1) return undefined;
  const r = emitter.result(instruction);
  const base = emitter.operand(instruction.base);
  const constant = Number(constantBytes);
  const sign = constant < 0 ? '-' : '+';
  const offset = constant === 0 ? '' : ` ${sign} ${Math.abs(constant)}`;
  const wide = V.toValue(64, constantBytes);
  const wideText = typeof wide === 'bigint' ? `${wide}n` : `${wide}`;
  const [only] = scaled;
  const guard = emitter.target.strays.has(instruction) ? strayGuard(emitter, base, r) : '';
  if (only === undefined && constant === 0) return `${r} = ${base};`;
  if (only === undefined)
    return `${r} = typeof ${base} === 'number' && (t = ${base}${offset}) >= 0 && t < ${LIMIT} ? t : V.add(64, ${base}, ${wideText});${guard}`;
  const index = emitter.operand(only.index);
  const bits = emitter.bits(only.index);
  const step = bits === 32 ? `(${index} | 0)` : index;
  const test = bits === 64 ? `typeof ${index} === 'number' && ` : '';
  if (bits !== 32 && bits !== 64) return undefined;
  return `${r} = ${test}typeof ${base} === 'number' && (t = ${base} + ${step} * ${only.strideBytes}${offset}) >= 0 && t < ${LIMIT} ? t : H.address(${base}, ${index}, ${bits}, ${only.strideBytes}, ${wideText});${guard}`;
}

/** Exits to the interpreter if a pointer leaves its object. */
function strayGuard(emitter: FunctionCode, base: string, result: string): string {
  return ` if (!(${result} - ${base} <= ${SHORT_STEP} && ${result} - ${base} >= -${SHORT_STEP}) && M.isStray(${base}, ${result})) ${emitter.leave}`;
}
