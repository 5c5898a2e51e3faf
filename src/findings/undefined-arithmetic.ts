/**
 * Undefined arithmetic: clang itself inserts the checks (`-fsanitize=…`) and calls a handler when one fails. The handlers are
 * ours: they get a constant that describes the place and the types, and the operands.
 *
 * ```
 *   { { ptr file, i32 line, i32 column }, ptr type, ... }       type: { i16 kind, i16 info, char name[] }
 *   kind 0: an integer, info = log2(bits) << 1 | isSigned       kind 1: a float, info = bits
 *   kind 2: a signed `_BitInt(N)`, info as of kind 0; an unsigned one has kind 0. The name tells N.
 * ```
 *
 * An operand of at most 64 bits is passed as it is; a wider one by its address.
 */
import type { FindingCode } from './codes.js';

/** What clang is told to check. */
export const arithmeticChecks: readonly string[] = [
  'signed-integer-overflow',
  'integer-divide-by-zero',
  'shift-base',
  'shift-exponent',
  'float-cast-overflow',
  'unreachable',
  'return',
  'vla-bound',
];

/** The flags for clang's front end, behind those that the user gives; handlers return only when the run is to go on. */
export function arithmeticFlags(keepGoing: boolean, given: readonly string[] = []): string[] {
  const checks = arithmeticChecks.filter(
    check => check !== 'signed-integer-overflow' || !given.includes('-fwrapv'),
  );
  const recoverable = checks.filter(check => check !== 'unreachable' && check !== 'return');
  return [
    ...given,
    `-fsanitize=${checks.join(',')}`,
    ...(keepGoing ? [`-fsanitize-recover=${recoverable.join(',')}`] : []),
  ];
}

const handlers = {
  add_overflow: '+',
  sub_overflow: '-',
  mul_overflow: '*',
  negate_overflow: '-',
  divrem_overflow: '/',
  shift_out_of_bounds: '<<',
  float_cast_overflow: '',
  builtin_unreachable: '',
  missing_return: '',
  vla_bound_not_positive: '',
} as const;

type Handler = keyof typeof handlers;

/** All names that a program may call. */
export const handlerNames: readonly string[] = Object.keys(handlers).flatMap(name => [
  `__ubsan_handle_${name}`,
  `__ubsan_handle_${name}_abort`,
]);

/** Is there code behind the handler's call, once it has reported? */
export function canGoOn(name: string): boolean {
  return !/builtin_unreachable|missing_return|_abort$/.test(name);
}

/** Reads the memory of the program. */
export interface DataReader {
  word(address: number): number;
  /** Where a pointer leads: it may carry more than an address. */
  target(pointer: bigint): number;
  cString(address: number): string;
  bytes(address: number, length: number): Uint8Array;
}

export interface ArithmeticError {
  readonly code: FindingCode;
  readonly message: string;
}

/** What a handler call means. `args` are those after the description. */
export function explainArithmetic(
  name: string,
  data: number,
  args: readonly bigint[],
  memory: DataReader,
): ArithmeticError {
  const handler = name.replace(/^__ubsan_handle_/, '').replace(/_abort$/, '') as Handler;
  const typeAt = (index: number) => typeOf(memory, data, index);
  const value = (index: number, type: ValueType) => showValue(args[index] ?? 0n, type, memory);
  switch (handler) {
    case 'add_overflow':
    case 'sub_overflow':
    case 'mul_overflow': {
      const type = typeAt(0);
      const sum = `${value(0, type)} ${handlers[handler]} ${value(1, type)}`;
      return { code: 'signed-overflow', message: `${sum} does not fit in ${type.name}` };
    }
    case 'negate_overflow': {
      const type = typeAt(0);
      return { code: 'signed-overflow', message: `-(${value(0, type)}) does not fit in ${type.name}` };
    }
    case 'divrem_overflow': {
      const type = typeAt(0);
      if (integerValue(args[1] ?? 0n, type, memory) === 0n)
        return { code: 'division-by-zero', message: `${value(0, type)} is divided by zero` };
      return {
        code: 'signed-overflow',
        message: `${value(0, type)} / ${value(1, type)} does not fit in ${type.name}`,
      };
    }
    case 'shift_out_of_bounds':
      return explainShift(typeAt(0), typeAt(1), args, memory);
    case 'float_cast_overflow': {
      const [from, to] = [typeAt(0), typeAt(1)];
      return { code: 'float-cast-overflow', message: `${value(0, from)} does not fit in ${to.name}` };
    }
    case 'vla_bound_not_positive':
      return {
        code: 'stack-buffer-overflow',
        message: `a variable-length array has ${value(0, typeAt(0))} elements`,
      };
    case 'missing_return':
      return {
        code: 'unreachable-reached',
        message: 'the end of a function that returns a value is reached without a return',
      };
    case 'builtin_unreachable':
      return { code: 'unreachable-reached', message: 'code that is marked as unreachable is reached' };
  }
}

function explainShift(
  left: ValueType,
  right: ValueType,
  args: readonly bigint[],
  memory: DataReader,
): ArithmeticError {
  const amount = integerValue(args[1] ?? 0n, right, memory);
  const shown = `${showValue(args[0] ?? 0n, left, memory)}`;
  const code = 'shift-out-of-bounds';
  if (amount < 0n) return { code, message: `a shift by ${amount}, which is negative` };
  if (amount >= BigInt(left.bits))
    return { code, message: `a shift of a ${left.bits}-bit value by ${amount}` };
  if (shown.startsWith('-'))
    return { code, message: `${shown}, which is negative, is shifted left by ${amount}` };
  return { code, message: `${shown} shifted left by ${amount} does not fit in ${left.name}` };
}

/** The array that an index leaves, as `int[4]`; its description is where others have that of an operand. */
export function arrayName(data: number, memory: DataReader): string {
  return typeOf(memory, data, 0).name;
}

interface ValueType {
  readonly kind: 'integer' | 'float' | 'other';
  readonly bits: number;
  readonly isSigned: boolean;
  /** Between backquotes. */
  readonly name: string;
}

/** What a description says of an operand. */
function typeOf(memory: DataReader, data: number, index: number): ValueType {
  return readType(memory, memory.target(littleEndian(memory.bytes(data + 16 + 8 * index, 8))));
}

function readType(memory: DataReader, at: number): ValueType {
  const kindAndInfo = memory.word(at);
  const kind = kindAndInfo & 0xffff;
  const info = kindAndInfo >>> 16;
  // clang writes 'int', or 'int64_t' (aka 'long').
  const written = memory.cString(at + 4);
  const name = `\`${written.replace(/^'(.*?)'.*$/, '$1')}\``;
  if (kind === 1) return { kind: 'float', bits: info, isSigned: true, name };
  if (kind !== 0 && kind !== 2) return { kind: 'other', bits: info, isSigned: true, name };
  const bits = Number(/_BitInt\((\d+)\)/.exec(written)?.[1] ?? 1 << (info >>> 1));
  return { kind: 'integer', bits, isSigned: (info & 1) === 1, name };
}

function integerValue(passed: bigint, type: ValueType, memory: DataReader): bigint {
  const bits =
    type.bits <= 64 ? passed : littleEndian(memory.bytes(memory.target(passed), Math.ceil(type.bits / 8)));
  return type.isSigned ? BigInt.asIntN(type.bits, bits) : BigInt.asUintN(type.bits, bits);
}

function showValue(passed: bigint, type: ValueType, memory: DataReader): string {
  if (type.kind === 'integer') return String(integerValue(passed, type, memory));
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, passed));
  if (type.kind === 'float' && type.bits === 64) return String(view.getFloat64(0));
  if (type.kind === 'float' && type.bits === 32) return String(view.getFloat32(4));
  return 'the value';
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
