/**
 * A trace: every call of malloc and its family that a program made, with the place that made it.
 *
 * Blocks have numbers, not addresses: the n-th call that made a block made block n (from 1; 0 is
 * NULL). So a trace can be replayed on any malloc. In a file:
 *
 *     {"format":"redzone heap trace","version":1,"name":…,"events":N,"sites":["main a.c:3", …]} newline
 *     N events, each a byte for the call and then whole numbers, 7 bits in a byte, the lowest first:
 *       malloc    bytes site          calloc    bytes site
 *       realloc   old bytes site      memalign  alignment bytes site      free   old site
 *
 * `realloc` makes a new block number even if the block stays where it is; after `realloc(p, 0)`,
 * which frees, that number is never used.
 */

export const TraceCall = { malloc: 0, calloc: 1, realloc: 2, memalign: 3, free: 4 } as const;
export type TraceCall = (typeof TraceCall)[keyof typeof TraceCall];

export interface Trace {
  readonly name: string;
  /** One entry for each event. */
  readonly calls: Uint8Array;
  /** The block that is freed or resized, 0 if none. */
  readonly olds: Int32Array;
  readonly sizes: Int32Array;
  readonly alignments: Int32Array;
  readonly sites: Int32Array;
  readonly siteNames: readonly string[];
}

/** The place of every call in a run that was not monitored. */
export const PLACE_UNKNOWN = '(not recorded)';

/** Longer traces are replayed fewer times for a measurement. */
export const LONG_TRACE = 1_000_000;

export function blockCount({ calls }: Trace): number {
  let count = 0;
  for (const call of calls) if (call !== TraceCall.free) count++;
  return count;
}

/** Collects events by address, as they happen. */
export class TraceRecorder {
  readonly #events: number[] = [];
  readonly #blocks = new Map<number, number>();
  #made = 0;

  record(call: TraceCall, old: number, made: number, bytes: number, alignment: number, site: number): void {
    const block = this.#blocks.get(old) ?? 0;
    if (old !== 0 && (call === TraceCall.free || made !== 0 || bytes === 0)) this.#blocks.delete(old);
    if (call !== TraceCall.free) this.#blocks.set(made, ++this.#made);
    this.#blocks.delete(0);
    this.#events.push(call, block, bytes, alignment, site);
  }

  /** Whether it is the address of a recorded live block. */
  knows(address: number): boolean {
    return this.#blocks.has(address);
  }

  /** `nameOf` describes a site; sites with the same name are merged. */
  finish(name: string, nameOf: (site: number) => string): Trace {
    const events = this.#events;
    const count = events.length / 5;
    const places = new Map<number, number>();
    const siteNames = new Map<string, number>();
    const column = (at: number): Int32Array =>
      Int32Array.from({ length: count }, (_, i) => events[i * 5 + at]!);
    const placeOf = (site: number): number => {
      const name = nameOf(site);
      if (!siteNames.has(name)) siteNames.set(name, siteNames.size);
      return siteNames.get(name)!;
    };
    const sites = column(4).map(site => {
      if (!places.has(site)) places.set(site, placeOf(site));
      return places.get(site)!;
    });
    return {
      name,
      calls: Uint8Array.from(column(0)),
      olds: column(1),
      sizes: column(2),
      alignments: column(3),
      sites,
      siteNames: [...siteNames.keys()],
    };
  }
}

export function encodeTrace(trace: Trace): Uint8Array {
  const { name, calls, siteNames } = trace;
  const header = { format, version: 1, name, events: calls.length, sites: siteNames };
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const body = new Uint8Array(calls.length * 21);
  let at = 0;
  const put = (value: number): void => {
    let rest = value >>> 0;
    for (; rest >= 128; rest >>>= 7) body[at++] = (rest & 127) | 128;
    body[at++] = rest;
  };
  for (let i = 0; i < calls.length; i++) {
    const call = calls[i]!;
    body[at++] = call;
    if (call === TraceCall.realloc || call === TraceCall.free) put(trace.olds[i]!);
    if (call === TraceCall.memalign) put(trace.alignments[i]!);
    if (call !== TraceCall.free) put(trace.sizes[i]!);
    put(trace.sites[i]!);
  }
  const bytes = new Uint8Array(head.length + at);
  bytes.set(head);
  bytes.set(body.subarray(0, at), head.length);
  return bytes;
}

/** The trace, or the problem of the file. */
export function decodeTrace(bytes: Uint8Array): Trace | { readonly problem: string } {
  const newline = bytes.indexOf(10);
  const header = parseHeader(new TextDecoder().decode(bytes.subarray(0, Math.max(newline, 0))));
  if (header === undefined) return { problem: 'it does not begin like a heap trace' };
  const { events, name, sites: siteNames } = header;
  if (events > bytes.length) return { problem: `it is too short for ${events} events` };
  const columns = {
    calls: new Uint8Array(events),
    olds: new Int32Array(events),
    sizes: new Int32Array(events),
    alignments: new Int32Array(events),
    sites: new Int32Array(events),
  };
  let at = newline + 1;
  const take = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    return value;
  };
  let made = 0;
  for (let i = 0; i < events; i++) {
    const call = bytes[at++] ?? 255;
    if (call > TraceCall.free || at > bytes.length)
      return { problem: `event ${i} of ${events} cannot be read` };
    columns.calls[i] = call;
    if (call === TraceCall.realloc || call === TraceCall.free) columns.olds[i] = take();
    if (columns.olds[i]! > made) return { problem: `event ${i} names a block that was not made yet` };
    if (call === TraceCall.memalign) columns.alignments[i] = take();
    if (call !== TraceCall.free) {
      columns.sizes[i] = take();
      made++;
    }
    columns.sites[i] = take();
  }
  return { name, ...columns, siteNames };
}

const format = 'redzone heap trace';

function parseHeader(text: string): { name: string; events: number; sites: string[] } | undefined {
  try {
    const header = JSON.parse(text);
    const isOurs = header.format === format && header.version === 1 && Array.isArray(header.sites);
    return isOurs && Number.isSafeInteger(header.events) && header.events >= 0 ? header : undefined;
  } catch {
    return undefined;
  }
}
