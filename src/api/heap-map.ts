/** `redzone heap map`: a trace replayed on one or more mallocs, drawn side by side. */

import { isWorkloadName, makeWorkload } from '../heap/workloads.js';
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
  /** Cells in a row of each map: as many as suit a wide screen unless given. */
  readonly columns?: number;
}

export interface HeapPicture {
  readonly mallocs: readonly MallocName[];
  readonly svg: string;
  /** The same, to be put into a page. */
  readonly picture: Markup;
}

const start = 65_536;
const limit = 256 << 20;
/** How long generated workloads are: enough to see what they do. */
const events = 40_000;
/** Cells in a row: of one malloc, and of each of several. */
const columnsAlone = 320;
const columnsBeside = 200;

export async function heapMap(options: MapOptions): Promise<HeapPicture> {
  const { trace: name, mallocs, seed } = settingsOf(mapOptions, options);
  const [{ createMalloc }, { surveyHeap }, { LinearMemory }, { heapMapView }] = await Promise.all([
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
    const memory = new LinearMemory({ buffer: new ArrayBuffer(limit) }, { start, limit });
    const malloc = createMalloc(mallocName, { memory, metadataBytes: limit, seed });
    return {
      title: `${trace.name} on ${mallocName}`,
      survey: surveyHeap(trace, malloc, memory, { columns }),
    };
  });
  const picture = heapMapView(panels);
  return { mallocs, svg: picture.text, picture };
}
