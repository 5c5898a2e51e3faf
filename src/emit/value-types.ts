/**
 * How values of IR lie in WebAssembly's types: as *components*.
 *
 * ```
 *   i1 … i32        i32          i33 … i64, ptr    i64          float f32, double f64
 *   i65 … i128      i64 i64      fp128             i64 i64      (low half first)
 *   { i32, i1 }     i32 i32      structs and arrays: the components of their elements in turn
 * ```
 *
 * **Invariant:** an integer that is narrower than its component has zeros in the upper bits.
 */
import type { AttributeSet } from '../ir/attributes.js';
import type { FunctionType, Type } from '../ir/types.js';
import { f32, f64, i32, i64, type ValueType } from '../wasm/wasm-opcodes.js';
import type { Signature } from './object-file.js';

/** A construct that is left to LLVM. */
export class NotEmitted extends Error {}

const one32: readonly ValueType[] = [i32];
const one64: readonly ValueType[] = [i64];
const oneFloat: readonly ValueType[] = [f32];
const oneDouble: readonly ValueType[] = [f64];
const pair: readonly ValueType[] = [i64, i64];
const none: readonly ValueType[] = [];

/** In values that are passed around whole; C has larger ones in memory only. */
const mostComponents = 16;

const composites = new WeakMap<Type, readonly ValueType[]>();

export function componentsOf(type: Type): readonly ValueType[] {
  switch (type.kind) {
    case 'integer':
      if (type.bits <= 32) return one32;
      if (type.bits <= 64) return one64;
      if (type.bits <= 128) return pair;
      break;
    case 'pointer':
      if (type.addressSpace === 0) return one64;
      break;
    case 'float':
      if (type.format === 'float') return oneFloat;
      if (type.format === 'double') return oneDouble;
      if (type.format === 'fp128') return pair;
      break;
    case 'void':
      return none;
    case 'struct':
    case 'array': {
      let known = composites.get(type);
      if (known === undefined) {
        known = elementsOf(type).flatMap(element => componentsOf(element));
        composites.set(type, known);
      }
      return known;
    }
  }
  throw new NotEmitted(`values of type ${type.kind}`);
}

export function elementsOf(type: Type): readonly Type[] {
  if (type.kind === 'struct' && type.elements !== undefined && type.elements.length <= mostComponents)
    return type.elements;
  if (type.kind === 'array' && type.length <= mostComponents)
    return new Array<Type>(type.length).fill(type.element);
  throw new NotEmitted(`values of type ${type.kind}`);
}

/** Where the components of an element begin among those of an aggregate. */
export function componentAt(type: Type, path: readonly number[]): number {
  let at = 0;
  let inside = type;
  for (const index of path) {
    const elements = elementsOf(inside);
    for (let i = 0; i < index; i++) at += componentsOf(elements[i]!).length;
    inside = elements[index]!;
  }
  return at;
}

/** A result of several components is returned through a pointer in the first argument. */
export function isReturnedInMemory(type: Type): boolean {
  return componentsOf(type).length > 1;
}

/** How LLVM lowers a signature, so that objects of both can call each other. */
export function signatureOfType({ returns, parameters, variadic }: FunctionType): Signature {
  const inMemory = isReturnedInMemory(returns);
  return {
    parameters: [
      ...(inMemory ? one64 : none),
      ...parameters.flatMap(type => componentsOf(type)),
      ...(variadic ? one64 : none),
    ],
    results: inMemory ? none : componentsOf(returns),
  };
}

/** The width of an integer that is narrower than its component, otherwise 0. */
export function narrowBits(type: Type): number {
  if (type.kind !== 'integer') return 0;
  const { bits } = type;
  return bits === 32 || bits === 64 || bits === 128 ? 0 : bits;
}

/** How an argument or a result is widened to its component. */
export function extensionOf(attributes: AttributeSet): 'signed' | 'zeros' | 'unknown' {
  if (attributes.has('signext')) return 'signed';
  return attributes.has('zeroext') ? 'zeros' : 'unknown';
}
