/** `redzone check FILE... [-- ARGS]` */
import { check } from '../index.js';
import type { Invocation } from './invocation.js';
import { programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation): Promise<number> {
  const { options, programArgs } = invocation;
  const program = await programOf(invocation);
  return runEngine(invocation, control =>
    check(
      {
        ...program,
        arguments: programArgs,
        ...(options.keepGoing && { keepGoing: true }),
        ...(options.noChecks && { noChecks: true }),
        ...(options.json && { stdoutToStderr: true }),
        ...(options.maxTimeMs !== undefined && { maxTimeMs: options.maxTimeMs }),
        ...(options.maxMemoryBytes !== undefined && { maxMemoryBytes: options.maxMemoryBytes }),
      },
      control,
    ),
  );
}
