/**
 * The memory of the program that a malloc needs for a trace: every 4 KiB page that ever held a
 * block or inline metadata.
 */

import { blockCount, type Trace, TraceCall } from '../malloc/heap-trace-format.js';
import type { LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc } from '../malloc/malloc.js';

const PAGE_SHIFT = 12;

export interface Footprint {
  /** In bytes. */
  readonly pages: number;
  /** The largest number of live requested bytes. */
  readonly peakLive: number;
}

export function measureFootprint(trace: Trace, malloc: Malloc, memory: LinearMemory): Footprint {
  const { calls, olds, sizes, alignments } = trace;
  const touched = new Uint8Array((memory.limit >>> PAGE_SHIFT) + 1);
  const addresses = new Int32Array(blockCount(trace) + 1);
  const lengths = new Int32Array(addresses.length);
  let made = 0;
  let live = 0;
  let peakLive = 0;
  for (let i = 0; i < calls.length; i++) {
    const old = olds[i]!;
    const bytes = sizes[i]!;
    live -= lengths[old]!;
    if (calls[i] === TraceCall.free) {
      malloc.free(addresses[old]!);
      continue;
    }
    made++;
    const address =
      calls[i] === TraceCall.realloc
        ? malloc.realloc(addresses[old]!, bytes)
        : calls[i] === TraceCall.memalign
          ? malloc.memalign(alignments[i]!, bytes)
          : malloc.malloc(bytes);
    addresses[made] = address;
    if (address === 0) continue;
    lengths[made] = bytes;
    live += bytes;
    peakLive = Math.max(peakLive, live);
    for (let page = address >>> PAGE_SHIFT; page <= (address + bytes) >>> PAGE_SHIFT; page++)
      touched[page] = 1;
  }
  let count = 0;
  for (const page of touched) count += page;
  return { pages: count << PAGE_SHIFT, peakLive };
}
