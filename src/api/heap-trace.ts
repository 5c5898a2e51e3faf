/** Reads and describes heap traces, which the command line handles as the bytes of a file. */

import { inputError } from '../findings/diagnostic.js';
import { decodeTrace, PLACE_UNKNOWN, type Trace, TraceCall } from '../malloc/heap-trace-format.js';
import { plural } from '../support/plural.js';

/** Throws InputError when the bytes are not a trace. */
export function readTrace(bytes: Uint8Array, name: string): Trace {
  const trace = decodeTrace(bytes);
  if ('problem' in trace) throw inputError(`'${name}' is not a heap trace: ${trace.problem}`);
  return trace;
}

/** Describes a trace in one line. */
export function describeTrace(bytes: Uint8Array): string {
  const trace = readTrace(bytes, 'the trace');
  const { live, blocks } = peakOf(trace);
  const places = trace.siteNames.filter(name => name !== PLACE_UNKNOWN).length;
  return (
    `${plural(trace.calls.length, 'call')}${places === 0 ? '' : ` from ${plural(places, 'place')}`}, ` +
    `at most ${plural(live, 'byte')} in ${plural(blocks, 'block')} alive`
  );
}

/** The largest number of live bytes at any time. */
export function peakOf({ calls, olds, sizes }: Trace): { live: number; blocks: number } {
  const lengths: number[] = [0];
  let live = 0;
  let blocks = 0;
  let peak = 0;
  let peakBlocks = 0;
  for (let i = 0; i < calls.length; i++) {
    const old = olds[i]!;
    if (old !== 0) {
      live -= lengths[old]!;
      blocks--;
    }
    if (calls[i] !== TraceCall.free) {
      lengths.push(sizes[i]!);
      live += sizes[i]!;
      if (sizes[i]! > 0 || calls[i] !== TraceCall.realloc) blocks++;
    }
    peak = Math.max(peak, live);
    peakBlocks = Math.max(peakBlocks, blocks);
  }
  return { live: peak, blocks: peakBlocks };
}
