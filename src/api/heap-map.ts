/** `redzone heap map`: a trace replayed on one malloc, drawn. */

import { isWorkloadName, makeWorkload } from '../heap/workloads.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { mapOptions } from '../options/heap-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import { sourceOf } from './heap-compare.js';
import { readTrace } from './heap-trace.js';

export interface MapOptions extends Given<typeof mapOptions> {
  /** A file, or the name of a workload. */
  readonly trace: string;
}

export interface HeapPicture {
  readonly malloc: MallocName;
  readonly svg: string;
}

const start = 65_536;
const limit = 256 << 20;
/** How long generated workloads are: enough to see what they do. */
const events = 40_000;

export async function heapMap(options: MapOptions): Promise<HeapPicture> {
  const { trace: name, malloc: mallocName, seed } = settingsOf(mapOptions, options);
  const [{ createMalloc }, { drawHeapMap }, { LinearMemory }] = await Promise.all([
    import('../malloc/create-malloc.js'),
    import('../heap/map.js'),
    import('../malloc/linear-memory.js'),
  ]);
  const source = sourceOf(name);
  const trace =
    typeof source === 'string' && isWorkloadName(source)
      ? makeWorkload(source, events)
      : readTrace(source as Uint8Array, name);
  const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
  const malloc = createMalloc(mallocName, { memory, metadataBytes: limit, seed });
  const svg = drawHeapMap(trace, malloc, memory, { title: `${trace.name} on ${mallocName}` });
  return { malloc: mallocName, svg };
}
