/** `redzone heap map TRACE --malloc NAME -o FILE`: a picture of the heap over time, as SVG. */
import { heapMap } from '../index.js';
import type { mapOptions, mapOutput } from '../options/heap-options.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printJson, writeTo } from './print.js';
import { statsLine } from './run-engine.js';
import { UsageError } from './usage-error.js';

export async function run({
  operands,
  options,
  output,
  io,
}: Invocation<typeof mapOptions, typeof mapOutput>): Promise<number> {
  const [trace, ...others] = operands;
  if (trace === undefined || others.length > 0)
    throw new UsageError(
      'map draws one trace',
      'name a file that `redzone heap trace` has written, or a workload',
    );
  const start = performance.now();
  const { malloc, svg } = await heapMap({ ...options, trace });
  const file = output.outFile ?? `${malloc}.svg`;
  writeTo(file, svg);
  if (output.json)
    printJson(io, {
      schema: 1,
      command: 'heap',
      verdict: 'clean',
      findings: [],
      stats: {},
      malloc,
      map: file,
    });
  else if (!output.quiet) io.stdout.write(`the heap of ${malloc}, written to ${file}\n`);
  if (output.verbose && !output.json) io.stdout.write(statsLine({ wallMs: performance.now() - start }));
  return exitCodes.clean;
}
