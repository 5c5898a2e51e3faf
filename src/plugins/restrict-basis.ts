/**
 * Which parameter declared `restrict` an address is *based on* (C11 6.7.3.1): clang marks such
 * parameters `noalias`, and an address is based on one if it is computed from it.
 *
 * ```
 *   void add(int n, float *restrict to, const float *from)
 *   to + i            based on `to`           from + i, &global, &local    based on none
 *   *rows             not known: what is loaded may be a copy of any of them
 * ```
 */
import type { Argument, IrFunction, Value } from '../ir/model.js';

/** `sret` is the result of the function, which clang marks as well. */
export function restrictParameters(target: IrFunction): Argument[] {
  return target.arguments.filter(({ attributes }) => attributes.has('noalias') && !attributes.has('sret'));
}

/** Undefined if it is not known. */
export function basisOf(
  address: Value,
  restricted: readonly Argument[],
): { readonly parameter: Argument | undefined } | undefined {
  const bases = new Set<Argument | undefined>();
  const visited = new Set<Value>();
  const waiting = [address];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (visited.has(value)) continue;
    visited.add(value);
    if (value.kind === 'argument') bases.add(restricted.find(parameter => parameter === value));
    else if (value.kind === 'variable' || value.kind === 'expression') bases.add(undefined);
    else if (value.kind !== 'instruction') return undefined;
    else if (value.op === 'alloca') bases.add(undefined);
    else if (value.op === 'getelementptr') waiting.push(value.base);
    else if (value.op === 'bitcast' || value.op === 'freeze') waiting.push(value.operand);
    else if (value.op === 'phi') waiting.push(...value.values);
    else if (value.op === 'select') waiting.push(value.ifTrue, value.ifFalse);
    else return undefined;
  }
  return bases.size === 1 ? { parameter: [...bases][0] } : undefined;
}
