/**
 * A picture of a heap over time (the report's Figures 1.1 and 1.2), in two parts.
 *
 *     ┌─────────── address ───────────▶  apart
 *     │ ████████░░░░█████████              ▐     the whole heap: a row is a moment, a cell has the colour of most of its bytes;
 *   time ███░░██████░░░███████             ▐█    the bar tells how much metadata there is apart from the program's memory
 *     ▼
 *     close-up at the end
 *       █▒████▒██▒█████▒██▒██                    some of the heap, 16 bytes in a cell, row below row: here
 *       ██▒██▒▒░░▒▒█████▒████                    the metadata in line (red) show between the client data
 *
 * Cells of one colour in a row are drawn as one rectangle, so the picture stays small.
 */
import type { LinearMemory } from './linear-memory.js';
import type { Malloc, RegionKind } from './malloc.js';
import { replay } from './replay.js';
import type { Trace } from './trace.js';

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
const names: Record<RegionKind, string> = {
  free: 'free',
  client: 'client data',
  metadata: 'metadata in line',
  guard: 'guard pages',
};
const colors: Record<RegionKind, string> = {
  free: '#ffffff',
  client: '#222222',
  metadata: '#d62728',
  guard: '#9ecae1',
};
const unused = 255;

const closeUpRows = 24;
/** Bytes in a cell of the close-up. */
const closeUpCell = 16;

export function drawHeapMap(trace: Trace, malloc: Malloc, memory: LinearMemory, options: MapOptions): string {
  const { title, rows: wanted = 100, columns = 320 } = options;
  const every = Math.max(1, Math.floor(trace.calls.length / wanted));
  const snapshots: { pieces: { kind: RegionKind; address: number; bytes: number }[]; bytesApart: number }[] =
    [];
  const look = (): void => {
    const pieces: { kind: RegionKind; address: number; bytes: number }[] = [];
    malloc.walk((kind, address, bytes) => void pieces.push({ kind, address, bytes }));
    snapshots.push({ pieces, bytesApart: malloc.bytesApart });
  };
  replay(trace, malloc, memory, { every, onEvent: look });
  look();
  // What no block ever reached is not shown: kdalloc's region is mostly that.
  const inUse = snapshots.flatMap(({ pieces }) => pieces.filter(({ kind }) => kind !== 'free'));
  const start = inUse.reduce((low, { address }) => Math.min(low, address), memory.limit);
  const end = inUse.reduce((high, { address, bytes }) => Math.max(high, address + bytes), start + 1);
  const rows = snapshots.map(
    ({ pieces, bytesApart }): Row => ({ cells: cellsOf(pieces, start, end, columns), bytesApart }),
  );
  const last = snapshots.at(-1)!.pieces;
  const window = closeUpRows * columns * closeUpCell;
  const from = Math.max(start, Math.min(end - window, start + ((end - start) >> 1))) & -closeUpCell;
  const closeUp = Array.from({ length: closeUpRows }, (_, i) => {
    const at = from + i * columns * closeUpCell;
    return cellsOf(last, at, at + columns * closeUpCell, columns);
  });
  return svgOf(rows, closeUp, { title, columns, start, end, from });
}

function cellsOf(
  pieces: readonly { kind: RegionKind; address: number; bytes: number }[],
  start: number,
  end: number,
  columns: number,
): Uint8Array {
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
    if (metadata * 2 >= client + free + guard) return 2;
    const most = Math.max(free, client, guard);
    return most === client ? 1 : most === free ? 0 : 3;
  });
}

interface Caption {
  readonly title: string;
  readonly columns: number;
  readonly start: number;
  readonly end: number;
  /** Where the close-up begins. */
  readonly from: number;
}

const cellWidth = 3;
const left = 10;
const top = 46;
const barWidth = 100;

function svgOf(rows: readonly Row[], closeUp: readonly Uint8Array[], caption: Caption): string {
  const { title, columns, start, end, from } = caption;
  const rowHeight = 4;
  const closeUpHeight = 6;
  const bars = left + columns * cellWidth + 20;
  const below = top + rows.length * rowHeight;
  const mostApart = Math.max(1, ...rows.map(row => row.bytesApart));
  const height = below + closeUp.length * closeUpHeight + 60;
  const legend = kinds.map((kind, i) => {
    const x = left + i * 150;
    return `${rectangle(x, 26, 12, 12, colors[kind], ' stroke="#888"')}<text x="${x + 18}" y="36">${names[kind]}</text>`;
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
            colors.metadata,
          ),
        ]),
  ]);
  const details = closeUp.flatMap((cells, y) =>
    strip(cells, below + 40 + y * closeUpHeight, closeUpHeight - 1),
  );
  const apart = `<text x="${bars}" y="36">apart, up to ${Math.ceil(mostApart / 1024)} KiB</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${bars + barWidth + 40}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#f4f4f4"/>
<text x="${left}" y="18" font-size="14">${escapeXml(title)}</text>
${legend.join('\n')}
${mostApart > 1 ? apart : ''}
${shapes.join('\n')}
<text x="${left}" y="${below + 14}">0x${start.toString(16)} to 0x${end.toString(16)}, time downwards</text>
<text x="${left}" y="${below + 32}">close-up at the end: from 0x${from.toString(16)}, ${closeUpCell} bytes in a cell</text>
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
      shapes.push(rectangle(left + x * cellWidth, y, (last - x) * cellWidth, height, colors[kinds[kind]!]));
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
