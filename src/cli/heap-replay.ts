/** `redzone heap replay TRACE`: one trace, or one generated workload, on the mallocs that `--malloc` names. */
import { UsageError } from './arguments.js';
import { compare } from './heap-compare.js';
import type { Invocation } from './invocation.js';

export async function run(invocation: Invocation): Promise<number> {
  if (invocation.operands.length === 0)
    throw new UsageError('no trace given', '`redzone heap trace FILE...` records one');
  return compare(invocation, invocation.operands);
}
