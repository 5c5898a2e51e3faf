/** `redzone fuzz FILE... [CORPUS...] [-- ARGS]` */
import { type FuzzOptions, fuzz, isLinkedProgram } from '../index.js';
import { fuzzOptions, type fuzzOutput } from '../options/fuzz-options.js';
import { kindOf } from '../platform/files.js';
import type { Invocation } from './invocation.js';
import { libFuzzerFlags } from './libfuzzer-flags.js';
import { programOf } from './program-options.js';
import { runEngine } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run(invocation: Invocation<typeof fuzzOptions, typeof fuzzOutput>): Promise<number> {
  const { options, output, programArgs } = invocation;
  const { settings, ignored, clangFlags } = libFuzzerFlags(invocation.clangFlags);
  const { minimizesCrash, findsLeaks, ...ofLibFuzzer } = settings;
  const sources = invocation.operands.filter(isSource);
  const others = invocation.operands.filter(operand => !isSource(operand));
  const program = await programOf({ ...invocation, operands: sources, clangFlags });
  const minimize = options.minimize ?? (minimizesCrash ? others.shift() : undefined);
  if (minimizesCrash && minimize === undefined)
    throw new UsageError('-minimize_crash=1 needs a file with the input');
  const checks = options.checks ?? fuzzOptions.checks.choices;
  const given: FuzzOptions = {
    ...ofLibFuzzer,
    ...options,
    ...program,
    arguments: programArgs,
    corpus: [...(options.corpus ?? []), ...others],
    minimize,
    details: output.html !== undefined,
    ...(findsLeaks === false && { checks: checks.filter(check => check !== 'leaks') }),
  };
  return runEngine(invocation, control => {
    for (const flag of ignored)
      control.onEvent?.({
        kind: 'warning',
        diagnostic: { severity: 'note', message: `\`${flag}\` has no effect here` },
      });
    return fuzz(given, control);
  });
}

/** True for a file of the program. Every other operand is a corpus. */
function isSource(operand: string): boolean {
  if (operand === '-') return true;
  const kind = kindOf(operand);
  if (/\.(c|ll|i)$/.test(operand)) return kind !== 'folder';
  // Opening a pipe would wait for its writer.
  return kind === 'file' && isLinkedProgram(operand);
}
