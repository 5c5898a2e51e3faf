/**
 * Generated workloads: typical allocation patterns on which mallocs differ. A name always gives the
 * same workload.
 *
 *   larson      a server: a table of connections, of which random ones end and begin anew; sizes 10 … 500, lifetimes random (Larson and Krishnan)
 *   xalanc      a transformation of documents: trees of tiny objects, 16 … 64 bytes, built, and dropped whole. 483.xalancbmk is where the SRI report's
 *               psmalloc2 lost 185 %
 *   long-lived  a few blocks of all sizes live until the end, among many that do not: what fragments a heap
 */

import { type Trace, TraceCall } from '../malloc/heap-trace-format.js';
import { Random } from '../support/random.js';
import type { WorkloadName } from './workload-names.js';

export function makeWorkload(name: WorkloadName, events = 300_000): Trace {
  const list = new EventList();
  const random = new Random(42);
  switch (name) {
    case 'larson':
      larson(list, random, events);
      break;
    case 'xalanc':
      xalanc(list, random, events);
      break;
    case 'long-lived':
      longLived(list, random, events);
      break;
  }
  return list.finish(name);
}

class EventList {
  readonly #calls: number[] = [];
  readonly #olds: number[] = [];
  readonly #sizes: number[] = [];
  #made = 0;

  get length(): number {
    return this.#calls.length;
  }

  malloc(bytes: number): number {
    this.#push(TraceCall.malloc, 0, bytes);
    return ++this.#made;
  }

  realloc(block: number, bytes: number): number {
    this.#push(TraceCall.realloc, block, bytes);
    return ++this.#made;
  }

  free(block: number): void {
    this.#push(TraceCall.free, block, 0);
  }

  #push(call: number, old: number, bytes: number): void {
    this.#calls.push(call);
    this.#olds.push(old);
    this.#sizes.push(bytes);
  }

  finish(name: string): Trace {
    const count = this.#calls.length;
    return {
      name,
      calls: Uint8Array.from(this.#calls),
      olds: Int32Array.from(this.#olds),
      sizes: Int32Array.from(this.#sizes),
      alignments: new Int32Array(count),
      sites: new Int32Array(count),
      siteNames: [name],
    };
  }
}

function larson(events: EventList, random: Random, count: number): void {
  const connections = Array.from({ length: 5000 }, () => events.malloc(10 + random.below(491)));
  while (events.length < count) {
    const at = random.below(connections.length);
    events.free(connections[at]!);
    connections[at] = events.malloc(10 + random.below(491));
  }
}

function xalanc(events: EventList, random: Random, count: number): void {
  while (events.length < count) {
    const nodes: number[] = [];
    const size = 200 + random.below(3000);
    for (let i = 0; i < size; i++) {
      nodes.push(events.malloc(16 + random.below(7) * 8));
      // Strings that live during one visit.
      if (random.below(3) === 0) events.free(events.malloc(8 + random.below(40)));
    }
    for (const node of nodes) events.free(node);
  }
}

function longLived(events: EventList, random: Random, count: number): void {
  const kept: number[] = [];
  const passing: number[] = [];
  while (events.length < count) {
    const bytes = random.below(10) === 0 ? random.below(20_000) : 16 + random.below(400);
    const block = events.malloc(bytes);
    if (random.below(20) === 0) kept.push(block);
    else passing.push(block);
    if (passing.length > 2000) {
      const at = random.below(passing.length);
      events.free(passing[at]!);
      passing[at] = passing.at(-1)!;
      passing.pop();
    }
    if (kept.length > 0 && random.below(40) === 0) {
      const at = random.below(kept.length);
      kept[at] = events.realloc(kept[at]!, 16 + random.below(2000));
    }
  }
}
