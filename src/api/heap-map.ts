/** `redzone heap map`: a trace replayed on one or more mallocs, drawn side by side. */

import { isWorkloadName } from '../heap/workload-names.js';
import type { MallocName } from '../malloc/malloc-names.js';
import { mapOptions } from '../options/heap-options.js';
import type { Given } from '../options/schema.js';
import { settingsOf } from '../options/settings.js';
import type { Markup } from '../reports/markup.js';
import { sourceOf } from './heap-compare.js';
import { readTrace } from './heap-trace.js';

export interface MapOptions extends Given<typeof mapOptions> {
  /** A file, or the name of a workload. */
  readonly trace: string;
  /** Cells per row of each map; the default suits a wide screen. */
  readonly columns?: number;
  /** How many mallocs are drawn side by side; 2 by default. */
  readonly across?: number;
}

export interface HeapPicture {
  readonly mallocs: readonly MallocName[];
  readonly svg: string;
  /** The same picture as an element of an HTML page. */
  readonly picture: Markup;
}

const limit = 256 << 20;
/** The length of generated workloads, enough to show their behaviour. */
const events = 40_000;
/** Cells per row: for a single malloc, and for each of several. */
const columnsAlone = 320;
const columnsBeside = 200;

export async function heapMap(options: MapOptions): Promise<HeapPicture> {
  const { trace: name, mallocs, seed } = settingsOf(mapOptions, options);
  const [
    { makeWorkload },
    { createMalloc },
    { surveyHeap },
    { LinearMemory, firstAddress },
    { heapMapView },
  ] = await Promise.all([
    import('../heap/workloads.js'),
    import('../malloc/create-malloc.js'),
    import('../heap/map.js'),
    import('../malloc/linear-memory.js'),
    import('../reports/heap-map-view.js'),
  ]);
  const source = sourceOf(name);
  const trace =
    typeof source === 'string' && isWorkloadName(source)
      ? makeWorkload(source, events)
      : readTrace(source as Uint8Array, name);
  const columns = options.columns ?? (mallocs.length === 1 ? columnsAlone : columnsBeside);
  const panels = mallocs.map(mallocName => {
    const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start: firstAddress, limit });
    const malloc = createMalloc(mallocName, { memory, metadataBytes: limit, seed });
    return {
      title: `${trace.name} on ${mallocName}`,
      survey: surveyHeap(trace, malloc, memory, { columns }),
    };
  });
  const picture = heapMapView(panels, options.across);
  return { mallocs, svg: picture.text, picture };
}
