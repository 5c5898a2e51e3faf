/** `redzone heap map TRACE --malloc NAME -o FILE`: a picture of the heap over time, as SVG. */
import { heapMap } from '../index.js';
import { UsageError } from './arguments.js';
import { exitCodes } from './exit-codes.js';
import { mallocsOf } from './heap-options.js';
import type { Invocation } from './invocation.js';
import { printJson, writeTo } from './print.js';

export async function run({ operands, options, io }: Invocation): Promise<number> {
  const [trace, ...others] = operands;
  if (trace === undefined || others.length > 0)
    throw new UsageError(
      'map draws one trace',
      'name a file that `redzone heap trace` has written, or a workload',
    );
  const [malloc = 'ptmalloc2', ...more] = mallocsOf(options) ?? [];
  if (more.length > 0) throw new UsageError('map draws one malloc', '--malloc sri');
  const svg = await heapMap({ trace, malloc, ...(options.seed !== undefined && { seed: options.seed }) });
  const file = options.outFile ?? `${malloc}.svg`;
  writeTo(file, svg);
  if (options.json)
    printJson(io, {
      schema: 1,
      command: 'heap',
      verdict: 'clean',
      findings: [],
      stats: {},
      malloc,
      map: file,
    });
  else if (!options.quiet) io.stdout.write(`the heap of ${malloc}, written to ${file}\n`);
  return exitCodes.clean;
}
