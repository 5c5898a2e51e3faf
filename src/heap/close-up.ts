/**
 * The close-up of a heap map: rows of cells of 16 bytes, without long free ranges between blocks.
 * The blocks of kdalloc are at least a page apart, so a complete picture would be mostly empty.
 *
 *     addresses   │██▒█│          free           │█▒│░│██│       free      │█│
 *     cells       │██▒█│ … 4 KiB … │█▒│░│██│ … 2 MiB … │█│        row below row
 *                 └ a stretch that is shown, in cells; a mark has `markColumns` of them and is never cut by the end of a row
 *
 * Positions are counted in cells, row after row, so a block's place follows from that of its
 * stretch, and only the rows that are shown are made.
 */
import type { RegionKind } from '../malloc/malloc.js';

/** A part of a heap, as `walk` reports it. */
export interface Piece {
  readonly kind: RegionKind;
  readonly address: number;
  readonly bytes: number;
  /** For client data: its allocation site, from 1; 0 if it is unknown or not listed. */
  readonly site?: number;
}

export interface CloseUpRow {
  readonly cells: Uint8Array;
  /** For cells with client data: the site of their block. */
  readonly sites: Uint8Array;
  /** The columns in which a block begins. */
  readonly starts: readonly number[];
  /** Where a range is left out, and its size. */
  readonly marks: readonly { readonly column: number; readonly text: string }[];
  /** The first address that the row shows. */
  readonly at: number;
}

export interface CloseUpOptions {
  readonly rows: number;
  readonly columns: number;
  /** The colours of cells between two addresses. */
  readonly cellsOf: (pieces: readonly Piece[], start: number, end: number, columns: number) => Uint8Array;
}

/** Bytes in a cell. */
export const closeUpCell = 16;
/** Cells of a mark. */
export const markColumns = 13;
/** Free ranges up to this size are shown. */
const longestShown = 1024;
/** A cell outside the heap. */
export const unused = 255;

/** A range of addresses without a long free range, and its pieces. */
interface Stretch {
  readonly from: number;
  to: number;
  readonly pieces: Piece[];
  /** The address of its first cell. */
  position: number;
  /** The number of bytes left out before it. */
  readonly leftOut: number;
}

const down = (address: number): number => address - (address % closeUpCell);
const up = (address: number): number => down(address + closeUpCell - 1);

/** The rows with the most blocks. */
export function closeUpOf(
  pieces: readonly Piece[],
  { rows, columns, cellsOf }: CloseUpOptions,
): CloseUpRow[] {
  const stretches = stretchesOf(pieces);
  place(stretches, columns);
  const first = busiestRow(stretches, rows, columns) * columns;
  const shown = Array.from({ length: rows }, () => ({
    cells: new Uint8Array(columns).fill(unused),
    sites: new Uint8Array(columns),
    starts: [] as number[],
    marks: [] as { column: number; text: string }[],
    at: 0,
  }));
  for (const { from, to, pieces: own, position, leftOut } of stretches) {
    const mark = position - markColumns - first;
    if (leftOut > 0 && mark >= 0 && mark < rows * columns)
      shown[Math.floor(mark / columns)]!.marks.push({
        column: mark % columns,
        text: `…${lengthOf(leftOut)}…`,
      });
    // The part of the stretch within the rows shown.
    const low = Math.max(position, first);
    const high = Math.min(position + (to - from) / closeUpCell, first + rows * columns);
    if (low >= high) continue;
    const addressOf = (cell: number): number => from + (cell - position) * closeUpCell;
    const cells = cellsOf(own, addressOf(low), addressOf(high), high - low);
    for (let cell = low; cell < high; cell++) {
      const row = shown[Math.floor((cell - first) / columns)]!;
      row.at ||= addressOf(cell);
      row.cells[(cell - first) % columns] = cells[cell - low]!;
    }
    for (const { kind, address, bytes, site = 0 } of own) {
      if (kind !== 'client') continue;
      const begin = position + Math.floor((address - from) / closeUpCell);
      const end = position + Math.ceil((address + bytes - from) / closeUpCell);
      if (begin >= low && begin < high)
        shown[Math.floor((begin - first) / columns)]!.starts.push((begin - first) % columns);
      for (let cell = Math.max(begin, low); cell < Math.min(end, high); cell++)
        shown[Math.floor((cell - first) / columns)]!.sites[(cell - first) % columns] = site;
    }
  }
  return shown.filter(({ cells }) => cells.some(cell => cell !== unused));
}

function stretchesOf(pieces: readonly Piece[]): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const piece of pieces.filter(({ kind }) => kind !== 'free').sort((a, b) => a.address - b.address)) {
    const free = down(piece.address) - up(end);
    let stretch = stretches.at(-1);
    if (stretch === undefined || free > longestShown) {
      const leftOut = stretch === undefined ? 0 : free;
      stretch = { from: down(piece.address), to: 0, pieces: [], position: 0, leftOut };
      stretches.push(stretch);
    } else if (piece.address > end) {
      stretch.pieces.push({ kind: 'free', address: end, bytes: piece.address - end });
    }
    stretch.pieces.push(piece);
    end = piece.address + piece.bytes;
    stretch.to = up(end);
  }
  return stretches;
}

/** Computes the position of each stretch: after the previous one and a mark. */
function place(stretches: readonly Stretch[], columns: number): void {
  let position = 0;
  for (const stretch of stretches) {
    if (stretch.leftOut > 0) {
      const isCut = (position % columns) + markColumns > columns;
      position = (isCut ? Math.ceil(position / columns) * columns : position) + markColumns;
    }
    stretch.position = position;
    position += (stretch.to - stretch.from) / closeUpCell;
  }
}

/** The first row of the range of rows with the most blocks. */
function busiestRow(stretches: readonly Stretch[], rows: number, columns: number): number {
  const blocks: number[] = [0];
  for (const { from, pieces, position } of stretches)
    for (const { kind, address } of pieces) {
      if (kind !== 'client') continue;
      const row = Math.floor((position + (address - from) / closeUpCell) / columns);
      while (blocks.length <= row) blocks.push(0);
      blocks[row]!++;
    }
  let count = blocks.slice(0, rows).reduce((sum, own) => sum + own, 0);
  let [best, most] = [0, count];
  for (let row = 1; row + rows <= blocks.length; row++) {
    count += blocks[row + rows - 1]! - blocks[row - 1]!;
    if (count > most) [best, most] = [row, count];
  }
  return best;
}

/** In the largest unit that divides the number. */
export function lengthOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const count = bytes / 1024 ** power;
  return `${Number(count.toFixed(count < 10 ? 1 : 0))} ${units[power]}`;
}
