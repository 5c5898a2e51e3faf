/**
 * Draws source lines with marks under them, in the style of rustc and clang.
 *
 *      9 |   int *p = malloc(8);
 *        |            --------- the 8-byte block is allocated here     a secondary mark
 *     ...                                                             lines left out
 *     12 |   free(p); return *p;
 *        |   -------         ^^ read of 4 bytes                       the primary mark, rightmost label on the same row
 *        |   |
 *        |   freed here                                               other labels below, from right to left
 *
 * Invariants: marks are drawn in the order of lines; a mark on a line that cannot be read is not
 * drawn (the caller still prints its location); no row is wider than `width` because of the source
 * line alone.
 */
import type { Colors } from 'picocolors/types.js';
import { displayLine, widthOf } from './display-line.js';
import type { AccessKind, SourceLocation } from './finding.js';
import { indexOfColumn, type SourceFiles } from './source-text.js';
import { type Span, smallestSpan, tokenSpan, tokensOf } from './span.js';

export type Paint = (text: string) => string;

export interface Mark {
  readonly location: SourceLocation;
  readonly primary: boolean;
  readonly label?: string;
  readonly access?: AccessKind;
  /** What to underline: the expression at the location (the default), or only its token. */
  readonly extent?: 'expression' | 'token';
}

export interface ExcerptStyle {
  readonly colors: Colors;
  /** Colours carets and their label. */
  readonly primary: Paint;
  /** The width of a row in cells. */
  readonly width: number;
}

/** A mark placed on its line, in cells. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly mark: Mark;
}

/**
 * The rows for the marks, all of one file; empty when none of their lines can be read. `gutter` is
 * the width of the line numbers.
 */
export function drawExcerpt(
  marks: readonly Mark[],
  sources: SourceFiles,
  style: ExcerptStyle,
  gutter: number,
): string[] {
  const byLine = new Map<number, Mark[]>();
  for (const mark of marks) {
    const { file, line } = mark.location;
    if (sources.line(file, line) === undefined) continue;
    byLine.set(line, [...(byLine.get(line) ?? []), mark]);
  }
  const rows: string[] = [];
  const bar = style.colors.blue('|');
  const numbered = (line: number, text: string): string =>
    `${style.colors.blue(String(line).padStart(gutter))} ${bar} ${text}`.trimEnd();
  const unnumbered = (text: string): string => `${' '.repeat(gutter)} ${bar} ${text}`.trimEnd();

  let previous: number | undefined;
  for (const [line, marksOfLine] of [...byLine].sort(([a], [b]) => a - b)) {
    const file = marksOfLine[0]!.location.file;
    if (previous === undefined) rows.push(unnumbered(''));
    else if (line === previous + 2)
      rows.push(numbered(line - 1, clip(sources.line(file, line - 1)!, [], style).text));
    else if (line > previous + 2) rows.push(style.colors.blue('...'));
    const drawn = clip(sources.line(file, line)!, marksOfLine, style);
    rows.push(numbered(line, drawn.text));
    for (const row of underline(drawn.placed, style)) rows.push(unnumbered(row));
    previous = line;
  }
  return rows;
}

/** The width that numbers of these lines need. */
export function gutterOf(marks: readonly Mark[]): number {
  return Math.max(1, ...marks.map(mark => String(mark.location.line).length));
}

/** Places the marks on the line, and cuts a long line to the part around them. */
function clip(line: string, marks: readonly Mark[], style: ExcerptStyle): { text: string; placed: Placed[] } {
  const { text, cellOf } = displayLine(line);
  const total = cellOf.at(-1)!;
  const placed = marks.map(mark => {
    const span = spanOf(line, mark);
    const start = cellOf[span.start] ?? total;
    return { start, end: Math.max(start + 1, cellOf[span.end] ?? total), mark };
  });
  const room = Math.max(20, style.width);
  if (total <= room) return { text, placed };

  const wanted = placed.find(({ mark }) => mark.primary) ?? placed[0];
  const from = wanted === undefined ? 0 : Math.min(Math.max(0, wanted.start - (room >> 2)), total - room);
  const [left, right] = [from > 0 ? '…' : '', from + room < total ? '…' : ''];
  const body = cells(text, from + left.length, from + room - right.length);
  // Marks outside the part are drawn at its edge.
  const inView = placed.map(({ start, end, mark }) => {
    const shifted = Math.min(Math.max(start - from, 0), room - 1);
    return { start: shifted, end: Math.max(shifted + 1, Math.min(end - from, room)), mark };
  });
  return { text: left + body + right, placed: inView };
}

/**
 * Without a column, the span is the name of the function, to which such debug information refers,
 * or else the whole line.
 */
function spanOf(line: string, { location, access, extent }: Mark): Span {
  if (location.column === 0) {
    const named = tokensOf(line).find(({ text }) => text === location.function);
    return named ?? { start: line.search(/\S|$/), end: line.trimEnd().length };
  }
  const index = indexOfColumn(line, location.column);
  return extent === 'token' ? tokenSpan(line, index) : smallestSpan(line, index, access);
}

/** The part of a text between two cells; a wide character cut in half becomes a space. */
function cells(text: string, from: number, to: number): string {
  let cell = 0;
  let part = '';
  for (const character of text) {
    const next = cell + widthOf(character);
    if (cell >= from && next <= to) part += character;
    else if (next > from && cell < to) part += ' ';
    cell = next;
  }
  return part;
}

function underline(placed: readonly Placed[], style: ExcerptStyle): string[] {
  const paintOf = ({ mark }: Placed): Paint => (mark.primary ? style.primary : style.colors.blue);
  const canvas = new Canvas();
  // Secondary marks are drawn first, so that carets win where spans overlap.
  for (const item of [...placed].sort((a, b) => Number(a.mark.primary) - Number(b.mark.primary))) {
    canvas.put(0, item.start, (item.mark.primary ? '^' : '-').repeat(item.end - item.start), paintOf(item));
  }
  const labelled = placed.filter(({ mark }) => mark.label).sort((a, b) => a.start - b.start);
  const rightmost = labelled.at(-1);
  const end = Math.max(0, ...placed.map(item => item.end));
  let row = 1;
  if (rightmost !== undefined && rightmost.end === end) {
    canvas.put(0, end + 1, rightmost.mark.label!, paintOf(rightmost));
    labelled.pop();
  }
  for (let item = labelled.pop(); item !== undefined; item = labelled.pop()) {
    for (const still of labelled) {
      canvas.put(row, still.start, '|', paintOf(still));
      canvas.put(row + 1, still.start, '|', paintOf(still));
    }
    canvas.put(row, item.start, '|', paintOf(item));
    canvas.put(row + 1, item.start, item.mark.label!, paintOf(item));
    row += 2;
  }
  return canvas.rows();
}

/** Painted text at cells of rows; later text overwrites earlier text. */
class Canvas {
  readonly #rows: { character: string; paint: Paint }[][] = [];

  put(row: number, cell: number, text: string, paint: Paint): void {
    while (this.#rows.length <= row) this.#rows.push([]);
    const cells = this.#rows[row]!;
    let at = cell;
    for (const character of text) cells[at++] = { character, paint };
  }

  rows(): string[] {
    return this.#rows.map(cells => {
      let text = '';
      for (let at = 0; at < cells.length; ) {
        const paint = cells[at]?.paint;
        let run = '';
        while (at < cells.length && cells[at]?.paint === paint) run += cells[at++]?.character ?? ' ';
        text += paint === undefined ? run : paint(run);
      }
      return text;
    });
  }
}
