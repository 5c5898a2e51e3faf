/** `redzone ir FILE...`: prints the IR that the engines read. */
import { compileToIr } from '../index.js';
import type { irOptions, irOutput } from '../options/ir-options.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printDiagnostics, printResult, terminalOf } from './print.js';
import { programOf } from './program-options.js';
import { ProgressLine } from './progress.js';

export async function run(invocation: Invocation<typeof irOptions, typeof irOutput>): Promise<number> {
  const { options, io, signal } = invocation;
  const program = await programOf(invocation);
  const progress = new ProgressLine(io.stderr);
  const { text } = await compileToIr(
    { ...options, ...program },
    {
      signal,
      onEvent: event => {
        progress.clear();
        if (event.kind === 'phase') progress.show(`${event.text} …`);
        if (event.kind === 'warning') printDiagnostics([event.diagnostic], terminalOf(io, 'stderr'));
      },
    },
  ).finally(() => progress.clear());
  printResult(invocation, text);
  return exitCodes.clean;
}
