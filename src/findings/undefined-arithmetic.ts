/**
 * Undefined arithmetic, and violated promises to the compiler. clang inserts the checks
 * (`-fsanitize=…`) and calls a handler when one fails. Redzone implements the handlers; they
 * receive a constant that describes the location and the types, and the operands.
 *
 * ```
 *   { { ptr file, i32 line, i32 column }, ptr type, ... }       type: { i16 kind, i16 info, char name[] }
 *   kind 0: an integer, info = log2(bits) << 1 | isSigned       kind 1: a float, info = bits
 *   kind 2: a signed `_BitInt(N)`, info as of kind 0; an unsigned one has kind 0. The name contains N.
 * ```
 *
 * `nonnull_arg` receives a second location, that of the attribute, and the position of the
 * argument; `invalid_builtin` receives a byte that selects the builtin.
 *
 * An operand of at most 64 bits is passed by value, a wider one by address.
 */
import type { ArithmeticFacts } from './facts.js';

/** The checks that clang inserts. */
const arithmeticChecks: readonly string[] = [
  'signed-integer-overflow',
  'integer-divide-by-zero',
  'shift-base',
  'shift-exponent',
  'float-cast-overflow',
  'unreachable',
  'return',
  'vla-bound',
  'bool',
  'builtin',
  'nonnull-attribute',
  'returns-nonnull-attribute',
];

/** The flags for clang, which follow the user's. Handlers return where that makes sense. */
export function arithmeticFlags(given: readonly string[] = []): string[] {
  const checks = arithmeticChecks.filter(
    check => check !== 'signed-integer-overflow' || !given.includes('-fwrapv'),
  );
  const recoverable = checks.filter(check => check !== 'unreachable' && check !== 'return');
  return [...given, `-fsanitize=${checks.join(',')}`, `-fsanitize-recover=${recoverable.join(',')}`];
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
  load_invalid_value: '',
  invalid_builtin: '',
  nonnull_arg: '',
  nonnull_return_v1: '',
} as const;

type Handler = keyof typeof handlers;

/** All handlers that a program may call. */
export const handlerNames: readonly string[] = Object.keys(handlers).flatMap(name => [
  `__ubsan_handle_${name}`,
  `__ubsan_handle_${name}_abort`,
]);

/** Whether the code after a call of the handler can be executed. */
export function canGoOn(name: string): boolean {
  return !/builtin_unreachable|missing_return|_abort$/.test(name);
}

/** Reads the memory of the program. */
export interface DataReader {
  word(address: number): number;
  /** The address of a pointer, which may have other bits as well. */
  target(pointer: bigint): number;
  cString(address: number): string;
  bytes(address: number, length: number): Uint8Array;
}

/** The facts of a handler call. `args` are the arguments after the description. */
export function arithmeticFacts(
  name: string,
  data: number,
  args: readonly bigint[],
  memory: DataReader,
): ArithmeticFacts {
  const handler = name.replace(/^__ubsan_handle_/, '').replace(/_abort$/, '') as Handler;
  const typeAt = (index: number) => typeOf(memory, data, index);
  const value = (index: number, type: ValueType) => showValue(args[index] ?? 0n, type, memory);
  switch (handler) {
    case 'add_overflow':
    case 'sub_overflow':
    case 'mul_overflow': {
      const type = typeAt(0);
      const operator = handlers[handler];
      return { kind: 'overflow', operator, left: value(0, type), right: value(1, type), type: type.name };
    }
    case 'negate_overflow': {
      const type = typeAt(0);
      return { kind: 'negation', value: value(0, type), type: type.name };
    }
    case 'divrem_overflow': {
      const type = typeAt(0);
      const [left, right] = [value(0, type), value(1, type)];
      return right === '0'
        ? { kind: 'zero-divisor', dividend: left }
        : { kind: 'overflow', operator: '/', left, right, type: type.name };
    }
    case 'shift_out_of_bounds': {
      const [left, right] = [typeAt(0), typeAt(1)];
      const amount = integerValue(args[1] ?? 0n, right, memory);
      return { kind: 'shift', value: value(0, left), amount, bits: left.bits, type: left.name };
    }
    case 'float_cast_overflow':
      return { kind: 'float-cast', value: value(0, typeAt(0)), type: typeAt(1).name };
    case 'vla_bound_not_positive':
      return { kind: 'array-length', elements: value(0, typeAt(0)) };
    case 'load_invalid_value':
      return { kind: 'no-value-of-type', value: String(args[0] ?? 0n), type: typeAt(0).name };
    case 'invalid_builtin': {
      const builtin = zeroBuiltins[memory.bytes(data + 16, 1)[0]!];
      return builtin === undefined ? { kind: 'unreachable' } : { kind: 'zero-argument', builtin };
    }
    case 'nonnull_arg':
      return { kind: 'null-argument', position: memory.word(data + 32) };
    case 'nonnull_return_v1':
      return { kind: 'null-result' };
    case 'missing_return':
      return { kind: 'missing-return' };
    case 'builtin_unreachable':
      return { kind: 'unreachable' };
  }
}

/**
 * Builtins that are undefined for zero, by the kinds of `invalid_builtin`; the other kinds are
 * false assumptions.
 */
const zeroBuiltins: readonly ('__builtin_ctz' | '__builtin_clz' | undefined)[] = [
  '__builtin_ctz',
  '__builtin_clz',
];

/** The array that an index leaves, as `int[4]`. Its description replaces that of an operand. */
export function arrayName(data: number, memory: DataReader): string {
  return typeOf(memory, data, 0).name.slice(1, -1);
}

export interface ValueType {
  readonly kind: 'integer' | 'float' | 'other';
  readonly bits: number;
  readonly isSigned: boolean;
  /** The name, in backquotes. */
  readonly name: string;
}

/** Reads the type of an operand from a description. */
function typeOf(memory: DataReader, data: number, index: number): ValueType {
  return readType(memory, memory.target(littleEndian(memory.bytes(data + 16 + 8 * index, 8))));
}

function readType(memory: DataReader, at: number): ValueType {
  const kindAndInfo = memory.word(at);
  return valueType(kindAndInfo & 0xffff, kindAndInfo >>> 16, memory.cString(at + 4));
}

/** The type of a description. clang writes `'int'`, or `'int64_t' (aka 'long')`. */
export function valueType(kind: number, info: number, written: string): ValueType {
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
