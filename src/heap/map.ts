/**
 * A heap over time (the SRI report's Figures 1.1 and 1.2), as data: a trace is replayed on a malloc
 * and sampled about a hundred times. `reports/heap-map-view.ts` draws it.
 *
 *     rows         a row is a moment, a cell of it a part of the addresses: what most of its bytes are
 *     close-up     the moment with the most blocks, where most of them are: 16 bytes in a cell
 *     sites        which places of the program own what is alive at that moment
 */

import { PLACE_UNKNOWN, type Trace, TraceCall } from '../malloc/heap-trace-format.js';
import type { LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc, RegionKind } from '../malloc/malloc.js';
import { type CloseUpRow, closeUpOf, type Piece, unused } from './close-up.js';
import { type BlockPlaces, replayTrace } from './replay-calls.js';

export interface SurveyOptions {
  readonly rows?: number;
  readonly columns?: number;
}

/** One sample: the predominant kind of each cell, and the size of separate metadata. */
export interface SurveyRow {
  readonly cells: Uint8Array;
  readonly bytesApart: number;
  /** The number of calls so far. */
  readonly calls: number;
}

/** An allocation site of the program, and its live memory at the moment of the close-up. */
export interface SurveySite {
  readonly name: string;
  readonly blocks: number;
  readonly bytes: number;
}

export interface HeapSurvey {
  readonly rows: readonly SurveyRow[];
  readonly columns: number;
  /** Calls of the whole trace. */
  readonly calls: number;
  /** The range of all addresses of blocks and metadata. */
  readonly start: number;
  readonly end: number;
  /** The row of the close-up. */
  readonly moment: number;
  readonly closeUp: readonly CloseUpRow[];
  /** The sites with the most bytes; `site` of a cell is an index into it, from 1. */
  readonly sites: readonly SurveySite[];
  /** The total number of sites. */
  readonly knownSites: number;
}

/** The kind of a cell: those of `RegionKind`, and a kind for mostly free cells. */
export const Cell = { free: 0, client: 1, metadata: 2, guard: 3, sparse: 4, unused: 255 } as const;

const kinds: readonly RegionKind[] = ['free', 'client', 'metadata', 'guard'];
const closeUpRows = 24;
/** The number of distinguishable colours. */
const mostSites = 6;

interface Snapshot {
  readonly pieces: Piece[];
  readonly bytesApart: number;
  readonly calls: number;
}

export function surveyHeap(
  trace: Trace,
  malloc: Malloc,
  memory: LinearMemory,
  { rows: wanted = 100, columns = 320 }: SurveyOptions = {},
): HeapSurvey {
  const calls = trace.calls.length;
  const every = Math.max(1, Math.floor(calls / wanted));
  const snapshots: Snapshot[] = [];
  let most = -1;
  let moment = 0;
  let owners = new Map<number, number>();
  const look = (event: number, { addresses }: BlockPlaces): void => {
    const pieces: Piece[] = [];
    malloc.walk((kind, address, bytes) => void pieces.push({ kind, address, bytes }));
    const blocks = pieces.filter(({ kind }) => kind === 'client').length;
    if (blocks > most) {
      most = blocks;
      moment = snapshots.length;
      owners = new Map();
      addresses.forEach((address, block) => void (address !== 0 && owners.set(address, block)));
    }
    snapshots.push({ pieces, bytesApart: malloc.bytesApart, calls: event });
  };
  replayTrace(trace, malloc, memory, { every, onEvent: look });
  // Addresses that no block ever used are not shown: most of kdalloc's region.
  const inUse = snapshots.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind !== 'free'));
  const start = inUse.reduce((low, { address }) => Math.min(low, address), memory.limit);
  const end = inUse.reduce((high, { address, bytes }) => Math.max(high, address + bytes), start + 1);
  const rows = snapshots.map(({ pieces, bytesApart, calls }) => ({
    cells: cellsOf(pieces, start, end, columns),
    bytesApart,
    calls,
  }));
  const owned = withSites(snapshots[moment]!.pieces, owners, trace);
  const closeUp = closeUpOf(owned.pieces, { rows: closeUpRows, columns, cellsOf });
  const { sites, knownSites } = owned;
  return { rows, columns, calls, start, end, moment, closeUp, sites, knownSites };
}

/** Adds the allocation site of each block, if the trace has it. */
function withSites(
  pieces: readonly Piece[],
  owners: ReadonlyMap<number, number>,
  trace: Trace,
): { readonly pieces: readonly Piece[]; readonly sites: SurveySite[]; readonly knownSites: number } {
  const siteOfBlock: number[] = [0];
  trace.calls.forEach((call, i) => void (call !== TraceCall.free && siteOfBlock.push(trace.sites[i]!)));
  const siteOf = ({ kind, address }: Piece): number | undefined => {
    const block = kind === 'client' ? owners.get(address) : undefined;
    return block === undefined ? undefined : siteOfBlock[block];
  };
  const found = new Map<number, { blocks: number; bytes: number }>();
  for (const piece of pieces) {
    const site = siteOf(piece);
    if (site === undefined || (trace.siteNames[site] ?? PLACE_UNKNOWN) === PLACE_UNKNOWN) continue;
    const sum = found.get(site) ?? { blocks: 0, bytes: 0 };
    found.set(site, { blocks: sum.blocks + 1, bytes: sum.bytes + piece.bytes });
  }
  const sorted = [...found].sort(([, a], [, b]) => b.bytes - a.bytes).slice(0, mostSites);
  const rankOf = new Map(sorted.map(([site], i) => [site, i + 1]));
  return {
    pieces: pieces.map(piece => ({ ...piece, site: rankOf.get(siteOf(piece) ?? -1) ?? 0 })),
    sites: sorted.map(([site, sum]) => ({ name: trace.siteNames[site]!, ...sum })),
    knownSites: found.size,
  };
}

function cellsOf(pieces: readonly Piece[], start: number, end: number, columns: number): Uint8Array {
  const width = (end - start) / columns;
  const bytesIn = kinds.map(() => new Float64Array(columns));
  for (const { kind, address, bytes } of pieces) {
    const sums = bytesIn[kinds.indexOf(kind)]!;
    const from = Math.max(address, start) - start;
    const to = Math.min(address + bytes, end) - start;
    for (let cell = Math.floor(from / width); cell < columns && cell * width < to; cell++)
      sums[cell]! += Math.max(0, Math.min(to, (cell + 1) * width) - Math.max(from, cell * width));
  }
  return Uint8Array.from({ length: columns }, (_, cell) => {
    const [free, client, metadata, guard] = bytesIn.map(sums => sums[cell]!) as [
      number,
      number,
      number,
      number,
    ];
    if (free + client + metadata + guard === 0) return unused;
    if (metadata * 2 >= client + free + guard) return Cell.metadata;
    const most = Math.max(free, client, guard);
    if (most === client) return Cell.client;
    if (client > 0) return Cell.sparse;
    return most === free ? Cell.free : Cell.guard;
  });
}
