/**
 * Which parameter or local variable declared `restrict` an address is *based on* (C11 6.7.3.1).
 * clang marks such parameters `noalias`, and `passes/restrict-locals.ts` the values of such locals;
 * an address is based on one if it is computed from it.
 *
 * ```
 *   void add(int n, float *restrict to, const float *from)
 *   to + i            based on `to`           from + i, &global, &local    based on none
 *   *rows             not known: what is loaded may be a copy of any of them
 *
 *   int *restrict p = to + 1;         p + i            based on `p`
 * ```
 */
import type { IrFunction, Value } from '../ir/model.js';
import { markedLocal } from '../ir/restrict-marks.js';

export function hasRestrict(target: IrFunction): boolean {
  const isMarked = (value: Value): boolean => markedLocal(value) !== undefined;
  return target.arguments.some(isRestrict) || target.blocks.some(block => block.instructions.some(isMarked));
}

/** `sret` is the result of the function, which clang marks as well. */
function isRestrict(value: Value): boolean {
  if (value.kind !== 'argument') return false;
  return value.attributes.has('noalias') && !value.attributes.has('sret');
}

/** Undefined if it is not known. */
export function basisOf(address: Value): { readonly variable: string | undefined } | undefined {
  const bases = new Set<string | undefined>();
  const visited = new Set<Value>();
  const waiting = [address];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (visited.has(value)) continue;
    visited.add(value);
    const local = markedLocal(value);
    if (local !== undefined) bases.add(local);
    else if (value.kind === 'argument') bases.add(isRestrict(value) ? value.name : undefined);
    else if (value.kind === 'variable' || value.kind === 'expression') bases.add(undefined);
    else if (value.kind !== 'instruction') return undefined;
    else if (value.op === 'alloca') bases.add(undefined);
    else if (value.op === 'getelementptr') waiting.push(value.base);
    else if (value.op === 'bitcast' || value.op === 'freeze') waiting.push(value.operand);
    else if (value.op === 'phi') waiting.push(...value.values);
    else if (value.op === 'select') waiting.push(value.ifTrue, value.ifFalse);
    else return undefined;
  }
  return bases.size === 1 ? { variable: [...bases][0] } : undefined;
}
