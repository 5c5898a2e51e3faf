/**
 * The types of LLVM IR, interned: two equal types are the same object, so `===` compares types.
 *
 * Only identified structs (`%struct.list = type { ... }`) have an identity of their own, as in
 * LLVM: two of them with one body are two types. Their body is set after they are made, because IR
 * may use the name first.
 *
 * Interning is global to the process and not per module: a linker joins two modules without
 * translating `i32` into `i32`, and the number of distinct types a program has is small. Pointers
 * are opaque, so no type is recursive and everything here is a finite tree.
 *
 * **Invariants**: a type is never changed, except that `StructType.elements` of an identified
 * struct is set once; all types other than identified structs come from the functions below.
 */
import { ownText } from '../support/own-text.js';

export interface VoidType {
  readonly kind: 'void';
}
export interface LabelType {
  readonly kind: 'label';
}
export interface MetadataType {
  readonly kind: 'metadata';
}
export interface TokenType {
  readonly kind: 'token';
}
export interface IntegerType {
  readonly kind: 'integer';
  readonly bits: number;
}
export type FloatKind = 'half' | 'bfloat' | 'float' | 'double' | 'x86_fp80' | 'fp128' | 'ppc_fp128';
export interface FloatType {
  readonly kind: 'float';
  readonly format: FloatKind;
  readonly bits: number;
}
export interface PointerType {
  readonly kind: 'pointer';
  readonly addressSpace: number;
}
/** A vector has a fixed length: scalable vectors are refused by the reader. */
export interface VectorType {
  readonly kind: 'vector';
  readonly element: Type;
  readonly length: number;
}
export interface ArrayType {
  readonly kind: 'array';
  readonly element: Type;
  /** Exact up to 2^53: C has no larger array. */
  readonly length: number;
}
export interface StructType {
  readonly kind: 'struct';
  /**
   * The name of an identified struct; a literal struct has none. An unnamed identified struct is
   * called by its number.
   */
  name: string | undefined;
  /** `undefined` for an opaque struct. */
  elements: readonly Type[] | undefined;
  packed: boolean;
}
export interface FunctionType {
  readonly kind: 'function';
  readonly returns: Type;
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
}
/**
 * `target("name", types..., integers...)`: WebAssembly's `externref` and `funcref` are such types.
 */
export interface TargetType {
  readonly kind: 'target';
  readonly name: string;
  readonly types: readonly Type[];
  readonly integers: readonly number[];
}

export type Type =
  | VoidType
  | LabelType
  | MetadataType
  | TokenType
  | IntegerType
  | FloatType
  | PointerType
  | VectorType
  | ArrayType
  | StructType
  | FunctionType
  | TargetType;

/** LLVM's own limit for iN. */
export const maximumIntegerBits: number = 1 << 23;

export const voidType: VoidType = { kind: 'void' };
export const labelType: LabelType = { kind: 'label' };
export const metadataType: MetadataType = { kind: 'metadata' };
export const tokenType: TokenType = { kind: 'token' };
export const halfType: FloatType = { kind: 'float', format: 'half', bits: 16 };
export const bfloatType: FloatType = { kind: 'float', format: 'bfloat', bits: 16 };
export const floatType: FloatType = { kind: 'float', format: 'float', bits: 32 };
export const doubleType: FloatType = { kind: 'float', format: 'double', bits: 64 };
export const x86Fp80Type: FloatType = { kind: 'float', format: 'x86_fp80', bits: 80 };
export const fp128Type: FloatType = { kind: 'float', format: 'fp128', bits: 128 };
export const ppcFp128Type: FloatType = { kind: 'float', format: 'ppc_fp128', bits: 128 };

const integers = new Map<number, IntegerType>();
const pointers: PointerType[] = [];
const composites = new Map<string, Type>();
const numbers = new Map<Type, number>();

/**
 * A small number for a type, the same for the life of the process: the key of the types made from
 * it.
 */
function numberOf(type: Type): number {
  let number = numbers.get(type);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(type, number);
  }
  return number;
}

function intern<T extends Type>(key: string, make: () => T): T {
  const known = composites.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  composites.set(key, made);
  return made;
}

/** Requires 1 <= bits <= `maximumIntegerBits`. */
export function integerType(bits: number): IntegerType {
  let type = integers.get(bits);
  if (type === undefined) {
    type = { kind: 'integer', bits };
    integers.set(bits, type);
  }
  return type;
}

export const i1: IntegerType = integerType(1);
export const i8: IntegerType = integerType(8);
export const i16: IntegerType = integerType(16);
export const i32: IntegerType = integerType(32);
export const i64: IntegerType = integerType(64);
export const i128: IntegerType = integerType(128);

export function pointerType(addressSpace = 0): PointerType {
  let type = pointers[addressSpace];
  if (type === undefined) {
    type = { kind: 'pointer', addressSpace };
    pointers[addressSpace] = type;
  }
  return type;
}

/** The pointer of address space 0. */
export const ptr: PointerType = pointerType(0);

export function vectorType(element: Type, length: number): VectorType {
  return intern(`v${numberOf(element)}x${length}`, () => ({ kind: 'vector', element, length }));
}

export function arrayType(element: Type, length: number): ArrayType {
  return intern(`a${numberOf(element)}x${length}`, () => ({ kind: 'array', element, length }));
}

/** A literal struct: `{ i32, ptr }` or, packed, `<{ i32, ptr }>`. */
export function structType(elements: readonly Type[], packed = false): StructType {
  const key = `${packed ? 'p' : 's'}${elements.map(numberOf).join()}`;
  return intern(key, () => ({ kind: 'struct', name: undefined, elements, packed }));
}

/** A new identified struct; without elements it is opaque until they are set. */
export function identifiedStruct(name: string, elements?: readonly Type[], packed = false): StructType {
  // Types that are made from it stay in the tables.
  return { kind: 'struct', name: ownText(name), elements, packed };
}

export function functionType(returns: Type, parameters: readonly Type[], variadic = false): FunctionType {
  const key = `f${variadic ? 'v' : ''}${numberOf(returns)}(${parameters.map(numberOf).join()}`;
  return intern(key, () => ({ kind: 'function', returns, parameters, variadic }));
}

export function targetType(
  name: string,
  types: readonly Type[] = [],
  parameters: readonly number[] = [],
): TargetType {
  const key = `t${JSON.stringify(name)}${types.map(numberOf).join()};${parameters.join()}`;
  return intern(key, () => ({ kind: 'target', name: ownText(name), types, integers: parameters }));
}

/** What the elements of a vector are, or the type itself: most operations apply to both. */
export function scalarType(type: Type): Type {
  return type.kind === 'vector' ? type.element : type;
}

/** The type that comparing two values of `operand` gives: i1, or a vector of i1. */
export function comparisonType(operand: Type): Type {
  return operand.kind === 'vector' ? vectorType(i1, operand.length) : i1;
}

/** What `extractvalue` finds at this path; undefined if there is nothing. */
export function elementType(aggregate: Type, path: readonly number[]): Type | undefined {
  let type: Type | undefined = aggregate;
  for (const index of path) {
    if (type?.kind === 'struct') type = type.elements?.[index];
    else if (type?.kind === 'array') type = index < type.length ? type.element : undefined;
    else return undefined;
  }
  return path.length === 0 ? undefined : type;
}

/** Whether a value of this type can be loaded, passed and returned. */
export function isFirstClass(type: Type): boolean {
  return type.kind !== 'void' && type.kind !== 'function';
}

/**
 * Equal up to the identity of identified structs: two modules that include one header each have
 * their own `%struct.point`, and code linked from both may mix them.
 */
export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'vector':
      return b.kind === 'vector' && a.length === b.length && sameType(a.element, b.element);
    case 'array':
      return b.kind === 'array' && a.length === b.length && sameType(a.element, b.element);
    case 'struct':
      return (
        b.kind === 'struct' &&
        a.packed === b.packed &&
        (a.elements === undefined) === (b.elements === undefined) &&
        sameTypes(a.elements ?? [], b.elements ?? [])
      );
    case 'function':
      return (
        b.kind === 'function' &&
        a.variadic === b.variadic &&
        sameType(a.returns, b.returns) &&
        sameTypes(a.parameters, b.parameters)
      );
    case 'void':
    case 'integer':
    case 'float':
    case 'pointer':
    case 'label':
    case 'metadata':
    case 'token':
    case 'target':
      return false;
  }
}

function sameTypes(a: readonly Type[], b: readonly Type[]): boolean {
  return a.length === b.length && a.every((type, index) => sameType(type, b[index]!));
}
