/** `redzone ir FILE...`: the IR as Redzone reads it. */
import { compileToIr } from '../index.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printDiagnostics, terminalOf, writeTo } from './print.js';
import { programOf } from './program-options.js';
import { ProgressLine } from './progress.js';

export async function run(invocation: Invocation): Promise<number> {
  const { options, io, signal } = invocation;
  const program = await programOf(invocation);
  const progress = new ProgressLine(io.stderr);
  const { text } = await compileToIr(
    {
      ...program,
      ...(options.instrumented && { instrumented: true }),
      ...(options.woven && { woven: true }),
    },
    {
      signal,
      onEvent: event => {
        progress.clear();
        if (event.kind === 'phase') progress.show(`${event.text} …`);
        if (event.kind === 'warning')
          printDiagnostics([event.diagnostic], terminalOf(io, 'stderr', options.color));
      },
    },
  ).finally(() => progress.clear());
  if (options.outFile === undefined) io.stdout.write(text);
  else writeTo(options.outFile, text);
  return exitCodes.clean;
}
