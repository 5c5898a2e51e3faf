import type { Value } from '../ir/model.js';

/**
 * A struct that is returned in the place of its only member: clang loads it from where it put the
 * result together.
 */
export function isWholeStruct(value: Value): boolean {
  if (value.kind !== 'instruction' || value.op !== 'load') return false;
  let from: Value = value.pointer;
  if (from.kind === 'instruction' && from.op === 'getelementptr') from = from.base;
  if (from.kind !== 'instruction' || from.op !== 'alloca') return false;
  return from.name === 'retval' && from.allocatedType.kind === 'struct';
}
