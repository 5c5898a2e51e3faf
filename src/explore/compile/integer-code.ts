/**
 * Integer arithmetic as JavaScript, on the values of `expr/value.ts`: unsigned, a number below 2^53
 * and a bigint beyond.
 *
 * Up to 32 bits everything is inline. Wider operations are inline while both operands and the
 * result are numbers, which JavaScript computes exactly; otherwise the function of `expr/value.ts`
 * is called (`V`).
 */
import {
  type BinaryInstruction,
  type BinaryOp,
  Flag,
  type IcmpInstruction,
  type Instruction,
} from '../../ir/model.js';
import type { FunctionCode } from './function-code.js';

export function emitInteger(emitter: FunctionCode, instruction: Instruction): string | undefined {
  switch (instruction.op) {
    case 'icmp':
      return emitCompare(emitter, instruction);
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
      return emitBinary(emitter, instruction, instruction.op);
    default:
      // The caller tries the emitters of other families.
      return undefined;
  }
}

type IntegerOp = Exclude<BinaryOp, `f${string}`>;

function emitBinary(
  emitter: FunctionCode,
  instruction: BinaryInstruction,
  op: IntegerOp,
): string | undefined {
  const { type, flags } = instruction;
  if (type.kind !== 'integer' || type.bits > 64) return undefined;
  const operands = {
    a: emitter.operand(instruction.left),
    b: emitter.operand(instruction.right),
    r: emitter.result(instruction),
    leave: emitter.leave,
    isChecked: (flags & Flag.nsw) !== 0,
  };
  if (type.bits === 32) return emit32(op, operands);
  return type.bits > 32 ? emitWide(op, type.bits, operands) : emitNarrow(op, type.bits, operands);
}

interface Operands {
  readonly a: string;
  readonly b: string;
  readonly r: string;
  readonly leave: string;
  /** `nsw`: a signed overflow is an error. */
  readonly isChecked: boolean;
}

function emit32(op: IntegerOp, { a, b, r, leave, isChecked }: Operands): string {
  const checked = (sign: string): string =>
    `t = (${a} | 0) ${sign} (${b} | 0); if (t !== (t | 0)) ${leave} ${r} = t >>> 0;`;
  switch (op) {
    case 'add':
      return isChecked ? checked('+') : `${r} = (${a} + ${b}) >>> 0;`;
    case 'sub':
      return isChecked ? checked('-') : `${r} = (${a} - ${b}) >>> 0;`;
    case 'mul':
      return isChecked ? checked('*') : `${r} = Math.imul(${a}, ${b}) >>> 0;`;
    case 'udiv':
      return `if (${b} === 0) ${leave} ${r} = (${a} / ${b}) >>> 0;`;
    case 'urem':
      return `if (${b} === 0) ${leave} ${r} = ${a} % ${b};`;
    case 'sdiv':
      return `if (${b} === 0 || ${b} === 4294967295) ${leave} ${r} = ((${a} | 0) / (${b} | 0) | 0) >>> 0;`;
    case 'srem':
      return `if (${b} === 0 || ${b} === 4294967295) ${leave} ${r} = ((${a} | 0) % (${b} | 0)) >>> 0;`;
    case 'shl':
      return `if (${b} > 31) ${leave} ${r} = (${a} << ${b}) >>> 0;`;
    case 'lshr':
      return `if (${b} > 31) ${leave} ${r} = ${a} >>> ${b};`;
    case 'ashr':
      return `if (${b} > 31) ${leave} ${r} = ((${a} | 0) >> ${b}) >>> 0;`;
    case 'and':
      return `${r} = (${a} & ${b}) >>> 0;`;
    case 'or':
      return `${r} = (${a} | ${b}) >>> 0;`;
    case 'xor':
      return `${r} = (${a} ^ ${b}) >>> 0;`;
  }
}

/** Below 32 bits C only computes bit-fields, because it promotes to int. */
function emitNarrow(
  op: IntegerOp,
  bits: number,
  { a, b, r, leave, isChecked }: Operands,
): string | undefined {
  const mask = 2 ** bits - 1;
  if (op === 'shl' || op === 'lshr')
    return `if (${b} >= ${bits}) ${leave} ${r} = (${a} ${op === 'shl' ? '<<' : '>>>'} ${b}) & ${mask};`;
  const simple = { add: '+', sub: '-', and: '&', or: '|', xor: '^' }[op as string];
  if (simple === undefined || isChecked) return undefined;
  return `${r} = (${a} ${simple} ${b}) & ${mask};`;
}

const bothNumbers = (a: string, b: string): string =>
  [a, b]
    .filter(operand => !/^\d+$/.test(operand))
    .map(operand => `typeof ${operand} === 'number'`)
    .concat('true')
    .join(' && ');

function emitWide(op: IntegerOp, bits: number, { a, b, r, leave, isChecked }: Operands): string {
  const numbers = bothNumbers(a, b);
  const limit = 2 ** Math.min(bits, 53);
  const slow =
    isChecked && /add|sub|mul/.test(op)
      ? `H.checked('${op}', ${bits}, ${a}, ${b})`
      : `V.${op}(${bits}, ${a}, ${b})`;
  const leaveIfOverflow = isChecked ? ` if (${r} < 0) ${leave}` : '';
  const signedLimit = isChecked && bits < 54 ? 2 ** (bits - 1) : limit;
  switch (op) {
    case 'add':
      return `${r} = ${numbers} && (t = ${a} + ${b}) < ${signedLimit} ? t : ${slow};${leaveIfOverflow}`;
    case 'sub':
      return `${r} = ${numbers} && (t = ${a} - ${b}) >= 0 ? t : ${slow};${leaveIfOverflow}`;
    case 'mul':
      return `${r} = ${numbers} && (t = ${a} * ${b}) < ${signedLimit} ? t : ${slow};${leaveIfOverflow}`;
    case 'udiv':
      return `if (${b} === 0) ${leave} ${r} = ${numbers} ? Math.floor(${a} / ${b}) : ${slow};`;
    case 'urem':
      return `if (${b} === 0) ${leave} ${r} = ${numbers} ? ${a} % ${b} : ${slow};`;
    case 'sdiv':
    case 'srem': {
      // Numbers of 54 bits and more are not negative.
      const quick = op === 'sdiv' ? `Math.floor(${a} / ${b})` : `${a} % ${b}`;
      const leaveIfUnsure = `if (${b} === 0 || typeof ${b} !== 'number') ${leave}`;
      return `${leaveIfUnsure} ${r} = ${bits > 53 ? `${numbers} ? ${quick} : ` : ''}${slow};`;
    }
    case 'shl':
      return `if (${b} >= ${bits}) ${leave} ${r} = ${numbers} && (t = ${a} * H.POWERS[${b}]) < ${limit} ? t : ${slow};`;
    case 'lshr':
    case 'ashr': {
      const isPlain = op === 'lshr' || bits > 53;
      return `if (${b} >= ${bits}) ${leave} ${r} = ${isPlain ? `${numbers} ? Math.floor(${a} / H.POWERS[${b}]) : ` : ''}${slow};`;
    }
    case 'and':
    case 'or':
    case 'xor': {
      const sign = { and: '&', or: '|', xor: '^' }[op];
      return `${r} = ${a} < 4294967296 && ${b} < 4294967296 ? (Number(${a}) ${sign} Number(${b})) >>> 0 : ${slow};`;
    }
  }
}

const unsignedComparisons: Partial<Record<IcmpInstruction['predicate'], string>> = {
  eq: '===',
  ne: '!==',
  ult: '<',
  ule: '<=',
  ugt: '>',
  uge: '>=',
};

const signedComparisons: Partial<Record<IcmpInstruction['predicate'], string>> = {
  slt: '<',
  sle: '<=',
  sgt: '>',
  sge: '>=',
};

function emitCompare(emitter: FunctionCode, instruction: IcmpInstruction): string | undefined {
  const { predicate, left, right } = instruction;
  if (left.type.kind !== 'integer' && left.type.kind !== 'pointer') return undefined;
  const bits = emitter.bits(left);
  if (bits > 64) return undefined;
  const r = emitter.result(instruction);
  const a = emitter.operand(left);
  const b = emitter.operand(right);
  const unsigned = unsignedComparisons[predicate];
  if (unsigned !== undefined) return `${r} = ${a} ${unsigned} ${b} ? 1 : 0;`;
  const signed = signedComparisons[predicate]!;
  if (bits === 32) return `${r} = (${a} | 0) ${signed} (${b} | 0) ? 1 : 0;`;
  const signedValues = `V.toSigned(${bits}, ${a}) ${signed} V.toSigned(${bits}, ${b})`;
  if (bits < 54) return `${r} = ${signedValues} ? 1 : 0;`;
  return `${r} = (${bothNumbers(a, b)} ? ${a} ${signed} ${b} : ${signedValues}) ? 1 : 0;`;
}
