/** `redzone check FILE... [-- ARGS]` */
import { check } from '../index.js';
import { workingFolder } from '../platform/files.js';
import { UsageError } from './arguments.js';
import type { Invocation } from './invocation.js';
import { readSource } from './print.js';
import { checksOf, programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation): Promise<number> {
  const { options, programArgs } = invocation;
  const program = await programOf(invocation);
  return runEngine(invocation, control =>
    check(
      {
        ...program,
        arguments: programArgs,
        ...(options.checks !== undefined && { checks: checksOf(options.checks) }),
        ...(options.acsl !== undefined && { acsl: options.acsl }),
        ...(options.onlyAcsl && { onlyAcsl: true }),
        ...(options.suppress !== undefined && { suppressions: rulesIn(options.suppress) }),
        ...(options.dirs !== undefined && { folders: [workingFolder(), ...options.dirs] }),
        ...(options.quarantineBytes !== undefined && { quarantineBytes: options.quarantineBytes }),
        ...(options.store !== undefined && { store: options.store }),
        ...(options.noPreAnalysis && { preAnalysis: false }),
        ...(options.noCheckRemoval && { removesChecks: false }),
        ...(options.storeLimitBytes !== undefined && { storeLimitBytes: options.storeLimitBytes }),
        ...(options.verbose && { tellReachable: true }),
        ...(options.keepGoing && { keepGoing: true }),
        ...(options.noChecks && { noChecks: true }),
        ...(options.malloc !== undefined && { malloc: options.malloc }),
        ...(options.seed !== undefined && { seed: options.seed }),
        ...(options.json && { stdoutToStderr: true }),
        ...(options.maxTimeMs !== undefined && { maxTimeMs: options.maxTimeMs }),
        ...(options.maxMemoryBytes !== undefined && { maxMemoryBytes: options.maxMemoryBytes }),
      },
      control,
    ),
  );
}

function rulesIn(file: string): string {
  const text = readSource(file);
  if (text === undefined) throw new UsageError(`--suppress ${file}: the file cannot be read`);
  return text;
}
