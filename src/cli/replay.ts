/** `redzone replay TEST FILE...` */
import { replay } from '../index.js';
import { UsageError } from './arguments.js';
import type { Invocation } from './invocation.js';
import { checksOf, filesOf, programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const [test, ...files] = invocation.operands;
  if (test === undefined) throw new UsageError('no test given', 'name a .ktest file, then the program');
  const program = await programOf({ ...invocation, operands: files });
  return runEngine(invocation, control =>
    replay(
      {
        ...program,
        test,
        ...(options.files !== undefined && { files: filesOf(options.files) }),
        ...(options.checks !== undefined && { checks: checksOf(options.checks) }),
        ...(options.keepGoing && { keepGoing: true }),
        ...(options.json && { stdoutToStderr: true }),
        ...(options.maxTimeMs !== undefined && { maxTimeMs: options.maxTimeMs }),
        ...(options.maxMemoryBytes !== undefined && { maxMemoryBytes: options.maxMemoryBytes }),
      },
      control,
    ),
  );
}
