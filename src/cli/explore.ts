/** `redzone explore FILE... [-- ARGS]` */
import { explore } from '../index.js';
import { UsageError } from './arguments.js';
import type { Invocation } from './invocation.js';
import type { ParsedOptions } from './option-table.js';
import { checksOf, filesOf, programOf } from './program-options.js';
import { runEngine } from './run-engine.js';

export async function run(invocation: Invocation): Promise<number> {
  const { options, programArgs } = invocation;
  const program = await programOf(invocation);
  const symbolic = symbolicOf(options);
  return runEngine(invocation, control =>
    explore(
      {
        ...program,
        arguments: programArgs,
        folder: options.outDir ?? 'redzone-out',
        confirm: true,
        resume: options.resume === true,
        symbolic,
        ...(options.files !== undefined && { files: filesOf(options.files) }),
        ...(options.external !== undefined && { external: options.external }),
        ...(options.checks !== undefined && { checks: checksOf(options.checks) }),
        ...(options.search !== undefined && { search: options.search }),
        ...(options.allocator !== undefined && { allocator: options.allocator }),
        ...(options.quarantinePlaces !== undefined && { quarantine: options.quarantinePlaces }),
        ...(options.solver !== undefined && { solver: options.solver }),
        ...(options.maxQuestionMs !== undefined && { maxQuestionMs: options.maxQuestionMs }),
        ...(options.maxConflicts !== undefined && { maxQuestionConflicts: options.maxConflicts }),
        ...(options.dumpQueries !== undefined && { dumpQueries: options.dumpQueries }),
        ...(options.seed !== undefined && { seed: options.seed }),
        ...(options.maxTimeMs !== undefined && { maxTimeMs: options.maxTimeMs }),
        ...(options.maxInstructions !== undefined && { maxInstructions: options.maxInstructions }),
        ...(options.maxPaths !== undefined && { maxPaths: options.maxPaths }),
        ...(options.maxStates !== undefined && { maxStates: options.maxStates }),
        ...(options.maxDepth !== undefined && { maxDepth: options.maxDepth }),
        ...(options.maxMemoryBytes !== undefined && { maxMemoryBytes: options.maxMemoryBytes }),
      },
      control,
    ),
  );
}

/** At most this many arguments: their number is one byte. */
const mostArguments = 255;

function symbolicOf({
  symArgs,
  symStdin,
  symFiles,
}: ParsedOptions): NonNullable<Parameters<typeof explore>[0]['symbolic']> {
  const [min = 0, max = 0, bytes = 0] = symArgs ?? [];
  if (min > max || max > mostArguments)
    throw new UsageError('--sym-args needs MIN <= MAX', `and MAX <= ${mostArguments}`);
  const [count = 0, fileBytes = 0] = symFiles ?? [];
  if (count > 26) throw new UsageError('--sym-files makes at most 26 files, named A to Z');
  return {
    ...(symArgs === undefined ? {} : { arguments: { min, max, bytes } }),
    ...(symStdin === undefined ? {} : { stdinBytes: symStdin }),
    ...(symFiles === undefined ? {} : { files: { count, bytes: fileBytes } }),
  };
}
