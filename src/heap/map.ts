/**
 * A picture of a heap over time (the SRI report's Figures 1.1 and 1.2), in two parts.
 *
 *     ┌─────────── address ───────────▶  apart
 *     │ ████████░░░░█████████              ▐     the whole heap: a row is a moment, a cell has the colour of most of its bytes;
 *   time ███░░██████░░░███████             ▐█    the bar tells how much metadata there is apart from the program's memory
 *     ▼
 *     close-up when most blocks are alive, where most of them are
 *       █▒████▒██▒█████▒██▒██                    some of the heap, 16 bytes in a cell, row below row: here
 *       ██▒██▒▒ …4 KiB… █████                    the metadata in line (red) show between the client data;
 *                                                free stretches of more than 1 KiB are left out, with a mark
 *
 * Cells of one colour in a row are drawn as one rectangle, so the picture stays small.
 */

import type { Trace } from '../malloc/heap-trace-format.js';
import type { LinearMemory } from '../malloc/linear-memory.js';
import type { Malloc, RegionKind } from '../malloc/malloc.js';
import { type CloseUpRow, closeUpCell, closeUpOf, markColumns, type Piece, unused } from './close-up.js';
import { replayTrace } from './replay-calls.js';

export interface MapOptions {
  readonly title: string;
  readonly rows?: number;
  readonly columns?: number;
}

/** One moment: what most of each cell is, and how much is kept apart. */
interface Row {
  readonly cells: Uint8Array;
  readonly bytesApart: number;
}

const kinds: readonly RegionKind[] = ['free', 'client', 'metadata', 'guard'];
/** By kind; and last, cells that are mostly free and not quite. */
const shades: readonly { readonly name: string; readonly color: string }[] = [
  { name: 'free', color: '#ffffff' },
  { name: 'client data', color: '#222222' },
  { name: 'metadata in line', color: '#d62728' },
  { name: 'guard pages', color: '#9ecae1' },
  { name: 'client data, sparse', color: '#aaaaaa' },
];
const METADATA = 2;
const GUARD = 3;
const SPARSE = 4;
const closeUpRows = 24;

export function drawHeapMap(trace: Trace, malloc: Malloc, memory: LinearMemory, options: MapOptions): string {
  const { title, rows: wanted = 100, columns = 320 } = options;
  const every = Math.max(1, Math.floor(trace.calls.length / wanted));
  const snapshots: { pieces: Piece[]; bytesApart: number }[] = [];
  const look = (): void => {
    const pieces: Piece[] = [];
    malloc.walk((kind, address, bytes) => void pieces.push({ kind, address, bytes }));
    snapshots.push({ pieces, bytesApart: malloc.bytesApart });
  };
  replayTrace(trace, malloc, memory, { every, onEvent: look });
  look();
  // What no block ever reached is not shown: kdalloc's region is mostly that.
  const inUse = snapshots.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind !== 'free'));
  const start = inUse.reduce((low, { address }) => Math.min(low, address), memory.limit);
  const end = inUse.reduce((high, { address, bytes }) => Math.max(high, address + bytes), start + 1);
  const rows = snapshots.map(
    ({ pieces, bytesApart }): Row => ({ cells: cellsOf(pieces, start, end, columns), bytesApart }),
  );
  const moment = busiest(
    snapshots.map(({ pieces }) => pieces.filter(({ kind }) => kind === 'client').length),
  );
  const closeUp = closeUpOf(snapshots[moment]!.pieces, { rows: closeUpRows, columns, cellsOf });
  return svgOf(rows, closeUp, { title, columns, start, end, moment });
}

/** Where the largest number is. */
function busiest(counts: readonly number[]): number {
  return counts.reduce((best, count, i) => (count > counts[best]! ? i : best), 0);
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
    if (metadata * 2 >= client + free + guard) return METADATA;
    const most = Math.max(free, client, guard);
    if (most === client) return 1;
    if (client > 0) return SPARSE;
    return most === free ? 0 : GUARD;
  });
}

interface Caption {
  readonly title: string;
  readonly columns: number;
  readonly start: number;
  readonly end: number;
  /** The row that the close-up shows. */
  readonly moment: number;
}

const cellWidth = 3;
const left = 10;
const top = 46;
const barWidth = 100;

function svgOf(rows: readonly Row[], closeUp: readonly CloseUpRow[], caption: Caption): string {
  const { title, columns, start, end, moment } = caption;
  const rowHeight = 4;
  const closeUpHeight = 10;
  const bars = left + columns * cellWidth + 20;
  const below = top + rows.length * rowHeight;
  const mostApart = Math.max(1, ...rows.map(row => row.bytesApart));
  const height = below + closeUp.length * closeUpHeight + 60;
  const legend = shades.map(({ name, color }, i) => {
    const x = left + i * 150;
    return `${rectangle(x, 26, 12, 12, color, ' stroke="#888"')}<text x="${x + 18}" y="36">${name}</text>`;
  });
  const shapes = rows.flatMap(({ cells, bytesApart }, y) => [
    ...strip(cells, top + y * rowHeight, rowHeight),
    ...(bytesApart === 0
      ? []
      : [
          rectangle(
            bars,
            top + y * rowHeight,
            Math.round((bytesApart / mostApart) * barWidth),
            rowHeight,
            shades[METADATA]!.color,
          ),
        ]),
  ]);
  const details = closeUp.flatMap(({ cells, marks }, row) => {
    const y = below + 40 + row * closeUpHeight;
    const texts = marks.map(
      ({ column, text }) =>
        `<text x="${left + (column + markColumns / 2) * cellWidth}" y="${y + 7}" font-size="7" text-anchor="middle" fill="#666">${text}</text>`,
    );
    return [...strip(cells, y, closeUpHeight - 1), ...texts];
  });
  const from = closeUp[0]?.at ?? start;
  const apart = `<text x="${bars}" y="36">apart, up to ${Math.ceil(mostApart / 1024)} KiB</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${bars + barWidth + 40}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#f4f4f4"/>
<text x="${left}" y="18" font-size="14">${escapeXml(title)}</text>
${legend.join('\n')}
${mostApart > 1 ? apart : ''}
${shapes.join('\n')}
<text x="${left}" y="${below + 14}">0x${start.toString(16)} to 0x${end.toString(16)}, time downwards</text>
<text x="${left}" y="${below + 32}">close-up of row ${moment + 1}, when most blocks are alive: from 0x${from.toString(16)}, ${closeUpCell} bytes in a cell; of free stretches only the length is shown</text>
${details.join('\n')}
</svg>
`;
}

/** A row of cells, those of one colour joined. */
function strip(cells: Uint8Array, y: number, height: number): string[] {
  const shapes: string[] = [];
  for (let x = 0; x < cells.length; ) {
    const kind = cells[x]!;
    let last = x;
    while (last < cells.length && cells[last] === kind) last++;
    if (kind !== unused)
      shapes.push(rectangle(left + x * cellWidth, y, (last - x) * cellWidth, height, shades[kind]!.color));
    x = last;
  }
  return shapes;
}

function rectangle(x: number, y: number, width: number, height: number, fill: string, more = ''): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${more}/>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
