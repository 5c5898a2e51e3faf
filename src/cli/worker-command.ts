/** `redzone worker --queue URL` */
import { type RunEvent, work } from '../index.js';
import type { workerOptions, workerOutput } from '../options/queue-options.js';
import { plural } from '../support/plural.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printDiagnostics, printJson, terminalOf } from './print.js';
import { ProgressLine } from './progress.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  options,
  output,
  io,
  signal,
}: Invocation<typeof workerOptions, typeof workerOutput>): Promise<number> {
  if (operands.length > 0)
    throw new UsageError('worker takes no files', 'programs come with the runs of the queue');
  const { json, quiet } = output;
  const progress = new ProgressLine(io.stderr);
  const onEvent = (event: RunEvent): void => {
    if (quiet || event.kind === 'output') return;
    if (event.kind === 'warning') {
      progress.clear();
      printDiagnostics([event.diagnostic], terminalOf(io, 'stderr'));
    } else progress.show(event.text);
  };
  const report = await work(options, { signal, onEvent });
  progress.clear();
  if (json) printJson(io, report);
  else if (!quiet)
    io.stdout.write(
      `redzone worker: ${plural(report.jobs, 'task')} done, ${plural(report.paths, 'path')} explored\n`,
    );
  return exitCodes.clean;
}
