/**
 * `redzone heap replay TRACE`: replays one trace or one generated workload on the mallocs that
 * `--malloc` names.
 */
import { type CompareInvocation, compare } from './heap-compare-command.js';
import { UsageError } from './usage-error.js';

export async function run(invocation: CompareInvocation): Promise<number> {
  if (invocation.operands.length === 0)
    throw new UsageError('no trace given', '`redzone heap trace FILE...` records one');
  return compare(invocation, invocation.operands);
}
