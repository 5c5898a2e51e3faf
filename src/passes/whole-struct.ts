/**
 * Structs that are passed and returned as their only member. They may hold bytes that
 * were never written, as copies of structs may.
 */
import type { Argument, CallInstruction, Instruction, Value } from '../ir/model.js';

/** The attribute of a member that is passed instead of its struct (`member-arguments.ts`). */
export const memberAttribute = 'redzone-member';

/** Whether the argument is such a struct. clang marks all others as defined (`noundef`). */
export function isStructArgument({ name, attributes }: Argument): boolean {
  if (attributes.has(memberAttribute)) return true;
  return /\.coerce\d*$/.test(name ?? '') && !attributes.has('noundef');
}

/** The arguments of a call that are such structs, by their places. */
export function structsPassed({ args, argAttributes, functionType, callee }: CallInstruction): number[] {
  const taken = callee.kind === 'function' ? callee.arguments : [];
  const places = functionType.parameters.map((_, i) => i);
  return places.filter(
    i =>
      taken[i]?.attributes.has(memberAttribute) === true ||
      (argAttributes[i]?.has('noundef') !== true && isStructLoad(args[i]!)),
  );
}

function isStructLoad(value: Value): boolean {
  return value.kind === 'instruction' && value.op === 'load' && isMemberOfWhole(value.pointer);
}

/** clang stores the result of a call that is such a struct there. */
export function isStructResult(use: Instruction, call: Value): boolean {
  return use.op === 'store' && use.value === call && isMemberOfWhole(use.pointer);
}

/** The address of that member. */
export function isMemberOfWhole(pointer: Value): boolean {
  return pointer.kind === 'instruction' && /^coerce\.dive\d*$/.test(pointer.name ?? '');
}

/**
 * A struct that is returned as its only member: clang loads it from where it put the
 * result together.
 */
export function isWholeStruct(value: Value): boolean {
  if (value.kind !== 'instruction' || value.op !== 'load') return false;
  let from: Value = value.pointer;
  if (from.kind === 'instruction' && from.op === 'getelementptr') from = from.base;
  if (from.kind !== 'instruction' || from.op !== 'alloca') return false;
  return from.name === 'retval' && from.allocatedType.kind === 'struct';
}
