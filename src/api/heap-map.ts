/** `redzone heap map`: a trace replayed on one malloc, drawn. */

import { isWorkloadName, makeWorkload } from '../heap/workloads.js';
import type { MallocName } from '../malloc/names.js';
import { sourceOf } from './heap-compare.js';
import { readTrace } from './heap-trace.js';

export interface MapOptions {
  /** A file, or the name of a workload. */
  readonly trace: string;
  readonly malloc: MallocName;
  readonly seed?: number;
}

const start = 65_536;
const limit = 256 << 20;
/** Of generated workloads: enough to see what they do. */
const events = 40_000;

/** The picture as SVG. */
export async function heapMap({ trace: name, malloc: mallocName, seed = 0 }: MapOptions): Promise<string> {
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
  return drawHeapMap(trace, malloc, memory, { title: `${trace.name} on ${mallocName}` });
}
