/**
 * Making and reading constants.
 *
 * Integers, null, undef, poison and zeroinitializer are interned, so these compare with `===` and a
 * module holds one object for all its `i32 0`. The value of an integer is kept unsigned;
 * `signedValue` reads it as two's complement. Floats are kept as their bits, because a NaN's
 * payload must survive being read and written.
 */
import type {
  Constant,
  FloatConstant,
  IntegerConstant,
  NullConstant,
  PoisonConstant,
  UndefConstant,
  Value,
  ZeroConstant,
} from './model.js';
import {
  doubleType,
  type FloatType,
  floatType,
  type IntegerType,
  i1,
  type PointerType,
  ptr,
  type Type,
} from './types.js';

const smallLimit = 256;

interface IntegerTable {
  readonly small: (IntegerConstant | undefined)[];
  readonly large: Map<bigint, IntegerConstant>;
}

const integers = new WeakMap<IntegerType, IntegerTable>();

/** The constant of this type that is congruent to `value`: -1 as an i8 is 255. */
export function integerConstant(type: IntegerType, value: bigint | number): IntegerConstant {
  let table = integers.get(type);
  if (table === undefined) {
    table = { small: [], large: new Map() };
    integers.set(type, table);
  }
  if (typeof value === 'number' && value >= 0 && value < smallLimit && type.bits >= 8) {
    const known = table.small[value];
    if (known !== undefined) return known;
    const made: IntegerConstant = { kind: 'integer', type, value: BigInt(value) };
    table.small[value] = made;
    return made;
  }
  const unsigned = BigInt.asUintN(type.bits, BigInt(value));
  if (unsigned < smallLimit && type.bits >= 8) return integerConstant(type, Number(unsigned));
  let constant = table.large.get(unsigned);
  if (constant === undefined) {
    constant = { kind: 'integer', type, value: unsigned };
    table.large.set(unsigned, constant);
  }
  return constant;
}

export const trueConstant: IntegerConstant = integerConstant(i1, 1);
export const falseConstant: IntegerConstant = integerConstant(i1, 0);

export function signedValue(constant: IntegerConstant): bigint {
  return BigInt.asIntN(constant.type.bits, constant.value);
}

function interned<T extends Type, C>(make: (type: T) => C): (type: T) => C {
  const known = new WeakMap<T, C>();
  return type => {
    let constant = known.get(type);
    if (constant === undefined) {
      constant = make(type);
      known.set(type, constant);
    }
    return constant;
  };
}

export const nullConstantOf: (type: PointerType) => NullConstant = interned(type => ({ kind: 'null', type }));
export const nullConstant: NullConstant = nullConstantOf(ptr);
export const undefConstant: (type: Type) => UndefConstant = interned(type => ({ kind: 'undef', type }));
export const poisonConstant: (type: Type) => PoisonConstant = interned(type => ({ kind: 'poison', type }));
export const zeroConstant: (type: Type) => ZeroConstant = interned(type => ({ kind: 'zero', type }));

/** The constant of all zero bits, in the form that LLVM writes for this type. */
export function zeroOf(type: Type): Constant {
  switch (type.kind) {
    case 'integer':
      return integerConstant(type, 0);
    case 'float':
      return { kind: 'float', type, bits: 0n };
    case 'pointer':
      return nullConstantOf(type);
    default:
      // LLVM writes `zeroinitializer` for every type without an abbreviation.
      return zeroConstant(type);
  }
}

const scratch = new DataView(new ArrayBuffer(8));

export function doubleBits(value: number): bigint {
  scratch.setFloat64(0, value);
  return scratch.getBigUint64(0);
}

export function doubleFromBits(bits: bigint): number {
  scratch.setBigUint64(0, bits);
  return scratch.getFloat64(0);
}

export function singleBits(value: number): bigint {
  scratch.setFloat32(0, value);
  return BigInt(scratch.getUint32(0));
}

export function singleFromBits(bits: bigint): number {
  scratch.setUint32(0, Number(bits));
  return scratch.getFloat32(0);
}

/** A `float` or `double` constant; rounds to nearest for `float`. */
export function floatConstant(type: FloatType, value: number): FloatConstant {
  return { kind: 'float', type, bits: type.format === 'float' ? singleBits(value) : doubleBits(value) };
}

/**
 * The value of a `float` or `double` constant; undefined for the other formats, which JavaScript
 * lacks.
 */
export function floatValue(constant: FloatConstant): number | undefined {
  if (constant.type === floatType) return singleFromBits(constant.bits);
  if (constant.type === doubleType) return doubleFromBits(constant.bits);
  return undefined;
}

export function isConstant(value: Value): value is Constant {
  switch (value.kind) {
    case 'argument':
    case 'instruction':
    case 'assembly':
    case 'metadata':
      return false;
    default:
      value satisfies Constant;
      return true;
  }
}
