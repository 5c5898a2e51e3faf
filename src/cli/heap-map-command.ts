/** `redzone heap map TRACE --malloc NAME -o FILE`: a picture of the heap over time, as SVG. */
import { heapMap } from '../index.js';
import type { mapOptions, mapOutput } from '../options/heap-options.js';
import { exitCodes } from './exit-codes.js';
import type { Invocation } from './invocation.js';
import { printJson, writeTo } from './print.js';
import { htmlReportFor, statsLine } from './run-engine.js';
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
      '`redzone heap map` draws one trace',
      'name a file that `redzone heap trace` has written, or a workload',
    );
  const page = await htmlReportFor(output, io);
  const start = performance.now();
  const { mallocs, svg, picture } = await heapMap({ ...options, trace });
  const malloc = mallocs.join(',');
  const file = output.outFile ?? `${malloc}.svg`;
  // With `--html` the picture is part of the page, so the SVG file is written only if `-o` names
  // one.
  if (page === undefined || output.outFile !== undefined) writeTo(file, svg);
  const stats = { wallMs: performance.now() - start };
  await page?.write(
    { schema: 1, command: 'heap', verdict: 'clean', findings: [], stats },
    { heapMap: picture, headline: `${trace} on ${mallocs.join(' and ')}` },
  );
  if (output.json)
    printJson(io, {
      schema: 1,
      command: 'heap',
      verdict: 'clean',
      findings: [],
      stats: {},
      malloc,
      map: page === undefined ? file : output.outFile,
    });
  else if (!output.quiet)
    io.stdout.write(
      `the ${mallocs.length === 1 ? 'heap' : 'heaps'} of ${mallocs.join(' and ')}, written to ${[output.outFile, output.html].filter(name => name !== undefined).join(' and ') || file}\n`,
    );
  if (output.verbose && !output.json) io.stdout.write(statsLine(stats));
  return exitCodes.clean;
}
