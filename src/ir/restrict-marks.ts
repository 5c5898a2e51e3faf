/**
 * The mark of a value that was assigned to a local variable declared `restrict`: the name of the
 * step (getelementptr) that `passes/restrict-locals.ts` inserts.
 */
import type { Value } from './model.js';

const prefix = 'restrict.';

export function restrictMark(variable: string): string {
  return prefix + variable;
}

/** The name of the variable whose value it is, if it is marked. */
export function markedLocal(value: Value): string | undefined {
  const isMark = value.kind === 'instruction' && value.op === 'getelementptr';
  return isMark && value.name?.startsWith(prefix)
    ? value.name.slice(prefix.length).replace(/\.\d+$/, '')
    : undefined;
}
