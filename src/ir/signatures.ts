/**
 * Signatures: the calling convention of a function's parameters and result, as a text. A call and a
 * function fit each other when their signatures are equal; a call that does not fit is undefined in
 * C (C11 6.5.2.2p9), and would take bits of one type for bits of another.
 *
 * ```
 *   int f(long, char *, struct big)      i32(i64,ptr,byval 52)
 *   struct big g(double, ...)            void(sret 52,double,...)
 * ```
 *
 * Types that are passed in the same way are not distinguished: all pointers are one type, and
 * 64-bit integers are passed as pointers are. Programs rely on both, and get the correct values.
 */
import { AttributeSet, typeAttribute } from './attributes.js';
import { makeArgument } from './builder.js';
import type { DataLayout } from './data-layout.js';
import type { CallCommon, IrFunction } from './model.js';
import {
  arrayType,
  doubleType,
  type FunctionType,
  floatType,
  fp128Type,
  functionType,
  i8,
  integerType,
  ptr,
  type Type,
  voidType,
} from './types.js';

/** The signature of a function as it is defined or declared. */
export function signatureOf(
  { functionType: type, arguments: parameters }: IrFunction,
  layout: DataLayout,
): string {
  return write(
    type,
    parameters.map(({ attributes }) => attributes),
    layout,
  );
}

/** The signature that a call expects of its callee. */
export function signatureOfCall(call: CallCommon, layout: DataLayout): string {
  return write(call.functionType, call.argAttributes, layout);
}

/** Whether a call with the one signature matches a function with the other. */
export function fits(call: string, callee: string): boolean {
  return call === callee || canonical(call) === canonical(callee);
}

/** The same text for signatures that fit each other. */
export function canonical(signature: string): string {
  return signature.replaceAll('ptr', 'i64');
}

/** `int f();`: the declaration says nothing about the parameters. */
export function hasPrototype({ attributes }: IrFunction): boolean {
  return !attributes.has('no-prototype');
}

/**
 * Gives a declaration this signature; false if the text names types that C functions of our library
 * do not have.
 */
export function redeclare(declared: IrFunction, signature: string): boolean {
  const [, returns, list] = /^(.*?)\((.*)\)$/.exec(signature) ?? [];
  if (returns === undefined || list === undefined) return false;
  const parameters = list === '' ? [] : list.split(',');
  const isVariadic = parameters.at(-1) === '...';
  if (isVariadic) parameters.pop();
  const types = [returns, ...parameters].map(typeNamed);
  if (types.includes(undefined)) return false;
  const [result, ...rest] = types as Type[];
  declared.functionType = functionType(result!, rest, isVariadic);
  declared.arguments = rest.map((type, i) => ({
    ...makeArgument(type),
    attributes: passingOf(parameters[i]!),
  }));
  declared.returnAttributes = AttributeSet.empty;
  declared.attributes = declared.attributes.without('no-prototype');
  return true;
}

function write(type: FunctionType, attributes: readonly AttributeSet[], layout: DataLayout): string {
  const parameters = type.parameters.map((parameter, i) => {
    const passing = attributes[i]?.list.find(({ name }) => name === 'byval' || name === 'sret');
    return passing?.type === undefined
      ? nameOf(parameter)
      : `${passing.name} ${layout.allocBytes(passing.type)}`;
  });
  if (type.variadic) parameters.push('...');
  return `${nameOf(type.returns)}(${parameters.join()})`;
}

function nameOf(type: Type): string {
  switch (type.kind) {
    case 'integer':
      return `i${type.bits}`;
    case 'float':
      return type.format;
    case 'pointer':
      return 'ptr';
    case 'vector':
      return `<${type.length} x ${nameOf(type.element)}>`;
    case 'array':
      return `[${type.length} x ${nameOf(type.element)}]`;
    case 'struct':
      return `{${(type.elements ?? []).map(nameOf).join(';')}}`;
    case 'void':
    case 'function':
    case 'label':
    case 'metadata':
    case 'token':
    case 'target':
      return type.kind;
  }
}

const named: ReadonlyMap<string, Type> = new Map<string, Type>([
  ['void', voidType],
  ['ptr', ptr],
  ['float', floatType],
  ['double', doubleType],
  ['fp128', fp128Type],
]);

/** Only the size of what is passed in memory is known. */
function passingOf(parameter: string): AttributeSet {
  const [, name, bytes] = /^(byval|sret) (\d+)$/.exec(parameter) ?? [];
  if (name === undefined) return AttributeSet.empty;
  return AttributeSet.of(typeAttribute(name, arrayType(i8, Number(bytes))));
}

function typeNamed(name: string): Type | undefined {
  const bits = /^i(\d+)$/.exec(name)?.[1];
  if (bits !== undefined) return integerType(Number(bits));
  return /^(byval|sret) /.test(name) ? ptr : named.get(name);
}
