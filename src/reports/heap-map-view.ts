/**
 * A picture of heaps over time, as SVG: one panel for each malloc, side by side.
 *
 *     calls  ┌─────────── address ───────────▶  apart
 *        0 ─ │ ████████░░░░█████████              ▐     the whole heap: a row is a moment, a cell has the colour of most of its bytes;
 *      20k ─ │ ███░░██████░░░███████              ▐█    the bar shows how much metadata there is apart from the program's memory
 *            ▼
 *     close-up when most blocks are alive, where most of them are
 *       █▒████▒██▒█████▒██▒██                    some of the heap, 16 bytes in a cell, row below row: here
 *       ██▒██▒▒ …4 KiB… █████                    the metadata in line (red) show between blocks, which have the colour of the
 *                                                place that allocated them, and a line where one ends and the next begins
 *
 * Cells of one colour in a row are drawn as one rectangle, so the picture stays small. Colours are
 * attributes, so that the file needs no style sheet; a page's own style sheet overrules them by
 * class, for dark screens.
 *
 * Panels have one scale of addresses if their heaps are of a size, so that waste can be compared.
 */
import { type CloseUpRow, closeUpCell, lengthOf, markColumns } from '../heap/close-up.js';
import { Cell, type HeapSurvey } from '../heap/map.js';
import { type Markup, markup, nothing } from './markup.js';
import { binaryTicks, decimalTicks, inShort } from './scale.js';

export interface HeapPanel {
  readonly title: string;
  readonly survey: HeapSurvey;
}

interface Shade {
  readonly name: string;
  readonly color: string;
  readonly className: string;
}

const shades: Readonly<Record<number, Shade>> = {
  [Cell.free]: { name: 'free', color: '#ffffff', className: 'free' },
  [Cell.client]: { name: 'client data', color: '#222222', className: 'client' },
  [Cell.metadata]: { name: 'metadata in line', color: '#d62728', className: 'metadata' },
  [Cell.guard]: { name: 'guard pages', color: '#9ecae1', className: 'guard' },
  [Cell.sparse]: { name: 'client data, sparse', color: '#aaaaaa', className: 'sparse' },
};

/** The colours of the sites, which are distinguishable with any kind of colour vision. */
const siteColors = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#7a5230', '#6a4fb3'];

const cellWidth = 3;
/** The height of a row, and the height over which few rows are spread. */
const leastRowHeight = 4;
const leastHeight = 64;
const mostRowHeight = 16;
const closeUpHeight = 11;
const axisWidth = 64;
const barWidth = 90;
const gap = 30;
const lineHeight = 20;
const characterWidth = 6.6;
/** The width that the label of a tick needs. */
const tickWidth = 70;
/** Heaps whose sizes differ by more than this factor have separate scales. */
const mostRatio = 4;

/** The width of a panel with this number of columns. */
export function panelWidthOf(columns: number): number {
  return axisWidth + columns * cellWidth + 24 + barWidth + gap;
}

/** `across` panels are in a row; further ones are below. */
export function heapMapView(panels: readonly HeapPanel[], across = 2): Markup {
  const sizes = panels.map(({ survey: { start, end } }) => end - start);
  const isOfASize = Math.max(...sizes) <= mostRatio * Math.min(...sizes);
  const hasApart = panels.some(({ survey }) => survey.rows.some(({ bytesApart }) => bytesApart > 0));
  const panelWidth = panelWidthOf(panels[0]?.survey.columns ?? 0) - (hasApart ? 0 : barWidth);
  const width = Math.min(across, panels.length) * panelWidth;
  const drawn = panels.map(({ title, survey }) =>
    panelView(title, survey, isOfASize ? Math.max(...sizes) : survey.end - survey.start, panelWidth),
  );
  const { shapes: key, height } = legend(width);
  let y = height + 12;
  const rows: Markup[] = [];
  for (let i = 0; i < drawn.length; i += across) {
    const row = drawn.slice(i, i + across);
    rows.push(
      markup`${row.map(({ shapes }, k) => markup`<g transform="translate(${k * panelWidth},${y})">${shapes}</g>`)}`,
    );
    y += Math.max(...row.map(panel => panel.height));
  }
  const title = panels.map(panel => panel.title).join(' · ');
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="heap-map" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="sans-serif" font-size="12" shape-rendering="crispEdges" role="img" aria-label="${title}">
<title>${title}</title>
<desc>${panels.map(inWords).join(' ')}</desc>
<rect class="background" width="${width}" height="${y}" fill="#f7f7f7"/>
${key}
${rows}
</svg>
`;
}

/** A description of the picture for screen readers. */
function inWords({ title, survey }: HeapPanel): string {
  const { rows, start, end, calls, moment, sites } = survey;
  const apart = Math.max(0, ...rows.map(({ bytesApart }) => bytesApart));
  const owners = sites.map(
    ({ name, blocks, bytes }) => `${shortened(name)}, ${lengthOf(Math.max(1, bytes))} in ${counted(blocks)}`,
  );
  const sizes = [
    `${calls.toLocaleString('en')} calls`,
    `${lengthOf(Math.max(1, end - start))} of addresses`,
    ...(apart > 0 ? [`${lengthOf(apart)} of metadata apart from them`] : []),
  ];
  const at = rows[moment]?.calls.toLocaleString('en');
  const alive = owners.length === 0 ? '' : ` Most blocks are alive at call ${at}: ${owners.join('; ')}.`;
  return `${title}: ${sizes.join(', ')}.${alive}`;
}

const counted = (blocks: number): string =>
  `${blocks.toLocaleString('en')} ${blocks === 1 ? 'block' : 'blocks'}`;

/** In as many lines as it needs. */
function legend(width: number): { shapes: Markup[]; height: number } {
  let x = axisWidth;
  let y = 14;
  const shapes = Object.values(shades).map(({ name, color, className }) => {
    const own = 18 + Math.ceil(name.length * characterWidth) + 14;
    if (x + own > width && x > axisWidth) {
      x = axisWidth;
      y += lineHeight;
    }
    const at = x;
    x += own;
    return markup`<rect class="${className}" x="${at}" y="${y}" width="12" height="12" fill="${color}" stroke="#888888"/><text x="${at + 18}" y="${y + 10}" fill="#222222">${name}</text>
`;
  });
  return { shapes, height: y + lineHeight };
}

/** A text in lines that fit. */
function inLines(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length * characterWidth <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** `span` is the number of bytes that the width of the map stands for. */
function panelView(
  title: string,
  survey: HeapSurvey,
  span: number,
  panelWidth: number,
): { shapes: Markup; height: number } {
  const { rows, columns, start, end, calls, moment, closeUp, sites, knownSites } = survey;
  const mapTop = 28;
  const rowHeight = Math.max(leastRowHeight, Math.min(mostRowHeight, Math.floor(leastHeight / rows.length)));
  const below = mapTop + rows.length * rowHeight;
  const mapWidth = columns * cellWidth;
  const shown = (mapWidth * (end - start)) / span;
  const bars = axisWidth + mapWidth + 24;
  const mostApart = Math.max(...rows.map(row => row.bytesApart));
  const from = closeUp[0]?.at ?? start;
  const at = rows[moment]?.calls ?? 0;
  const words = [
    ...inLines(
      `close-up at call ${at.toLocaleString('en')} (◂), when most blocks are alive`,
      panelWidth - axisWidth,
    ),
    ...inLines(
      `from 0x${from.toString(16)}, ${closeUpCell} bytes in a cell; a thin line is where a block begins; of free stretches only the length is shown`,
      panelWidth - axisWidth,
    ),
  ];
  const closeTop = below + 52 + words.length * 16;
  const siteTop = closeTop + closeUp.length * closeUpHeight + 24;
  const listed = sites.length > 1 ? sites : [];
  const height = siteTop + (listed.length === 0 ? 0 : (listed.length + 1) * 18 + 8);
  const maps = rows.map(({ cells, bytesApart }, i) => {
    const y = mapTop + i * rowHeight;
    const apart =
      bytesApart === 0
        ? nothing
        : rectangle(
            shades[Cell.metadata]!,
            bars,
            y,
            Math.round((bytesApart / mostApart) * barWidth),
            rowHeight,
          );
    return markup`${strip(cells, y, rowHeight, shown / columns)}${apart}
`;
  });
  const shapes = markup`<text x="${axisWidth}" y="14" font-size="15" fill="#222222">${title}</text>
${maps}
${timeAxis(calls, rows.length * rowHeight, rowHeight, mapTop)}
${addressAxis(start, span, mapWidth, below)}
${mostApart === 0 ? nothing : apartAxis(mostApart, bars, below)}
${momentMark(mapTop + moment * rowHeight + rowHeight / 2, shown)}
${words.map((text, i) => markup`<text x="${axisWidth}" y="${closeTop - 8 - 16 * (words.length - 1 - i)}" fill="#222222">${text}</text>`)}
${closeUp.map((row, i) => closeUpRowView(row, closeTop + i * closeUpHeight, listed.length > 0))}
${listed.length === 0 ? nothing : siteLegend(survey, siteTop, knownSites)}`;
  return { shapes, height: height + 12 };
}

function siteLegend({ sites, closeUp }: HeapSurvey, top: number, known: number): Markup {
  const others = known - sites.length;
  const rows = sites.map(({ name, blocks, bytes }, i) => {
    const y = top + (i + 1) * 18;
    return markup`<rect class="site${i + 1}" x="${axisWidth}" y="${y - 10}" width="12" height="12" fill="${siteColors[i]}"/><text x="${axisWidth + 18}" y="${y}" fill="#222222">${shortened(name)}: ${lengthOf(Math.max(1, bytes))} in ${counted(blocks)}</text>
`;
  });
  const more = others > 0 ? ` (black: ${others} more)` : '';
  return closeUp.length === 0
    ? nothing
    : markup`<text x="${axisWidth}" y="${top}" fill="#222222">allocated by, alive then${more}</text>
${rows}`;
}

/** The largest number of characters of a site. */
const longestSite = 86;

/** A stack of calls: the innermost frame, and as many of the outermost ones as fit. */
function shortened(name: string): string {
  if (name.length <= longestSite) return name;
  const [inner = '', ...frames] = name.split(' < ');
  let text = '';
  for (const frame of frames.reverse()) {
    const longer = ` < ${frame}${text}`;
    if (inner.length + longer.length + 4 > longestSite && text !== '') break;
    text = longer;
  }
  return `${inner} < …${text}`.slice(0, 2 * longestSite);
}

function timeAxis(calls: number, height: number, rowHeight: number, top: number): Markup {
  const ticks = decimalTicks(calls, Math.min(6, height / 16)).map(tick => {
    const y = round(top + (tick / Math.max(1, calls)) * (height - rowHeight) + rowHeight / 2);
    return markup`<line class="axis" x1="${axisWidth - 5}" x2="${axisWidth - 1}" y1="${y}" y2="${y}" stroke="#666666"/><text class="tick" x="${axisWidth - 8}" y="${y + 4}" text-anchor="end" font-size="11" fill="#444444">${inShort(tick)}</text>
`;
  });
  return markup`<line class="axis" x1="${axisWidth - 1}" x2="${axisWidth - 1}" y1="${top}" y2="${top + height}" stroke="#666666"/>${ticks}<text class="tick" x="${axisWidth - 8}" y="${top - 8}" text-anchor="end" font-size="11" fill="#444444">calls</text>`;
}

function addressAxis(start: number, span: number, width: number, y: number): Markup {
  const most = Math.max(2, Math.min(7, Math.floor(width / tickWidth)));
  const offsets = binaryTicks(span, most).filter(
    offset => offset === 0 || (offset / span) * width > tickWidth,
  );
  const ticks = offsets.map((offset, i) => {
    const x = round(axisWidth + (offset / span) * width);
    const anchor = i === 0 ? 'start' : 'middle';
    const label = i === 0 ? `0x${start.toString(16)}` : `+${lengthOf(offset)}`;
    return markup`<line class="axis" x1="${x}" x2="${x}" y1="${y + 1}" y2="${y + 6}" stroke="#666666"/><text class="tick" x="${x}" y="${y + 18}" text-anchor="${anchor}" font-size="11" fill="#444444">${label}</text>
`;
  });
  return markup`<line class="axis" x1="${axisWidth - 1}" x2="${axisWidth + width}" y1="${y + 1}" y2="${y + 1}" stroke="#666666"/>${ticks}<text class="tick" x="${axisWidth + width}" y="${y + 34}" text-anchor="end" font-size="11" fill="#444444">address</text>`;
}

function apartAxis(most: number, x: number, y: number): Markup {
  return markup`<line class="axis" x1="${x}" x2="${x + barWidth}" y1="${y + 1}" y2="${y + 1}" stroke="#666666"/>
<line class="axis" x1="${x}" x2="${x}" y1="${y + 1}" y2="${y + 6}" stroke="#666666"/><line class="axis" x1="${x + barWidth}" x2="${x + barWidth}" y1="${y + 1}" y2="${y + 6}" stroke="#666666"/>
<text class="tick" x="${x}" y="${y + 18}" font-size="11" fill="#444444">0</text><text class="tick" x="${x + barWidth}" y="${y + 18}" text-anchor="middle" font-size="11" fill="#444444">${lengthOf(most)}</text>
<text class="tick" x="${x}" y="${y + 34}" font-size="11" fill="#444444">metadata apart</text>`;
}

function momentMark(y: number, width: number): Markup {
  return markup`<text class="tick" x="${axisWidth + Math.round(width) + 3}" y="${y + 4}" font-size="11" fill="#444444">◂</text>`;
}

function closeUpRowView({ cells, sites, starts, marks }: CloseUpRow, y: number, hasSites: boolean): Markup {
  const height = closeUpHeight - 2;
  const texts = marks.map(
    ({ column, text }) =>
      markup`<text class="tick" x="${axisWidth + (column + markColumns / 2) * cellWidth}" y="${y + 8}" font-size="8" text-anchor="middle" fill="#444444">${text}</text>`,
  );
  // Next to something other than a block, the colour already shows where a block begins.
  const borders = starts
    .filter(column => column > 0 && cells[column] === Cell.client && cells[column - 1] === Cell.client)
    .map(column => {
      const x = axisWidth + column * cellWidth;
      return markup`<line class="border" x1="${x}" x2="${x}" y1="${y}" y2="${y + height}" stroke="#f7f7f7"/>`;
    });
  return markup`${strip(cells, y, height, cellWidth, hasSites ? sites : undefined)}${borders}${texts}
`;
}

/** A row of cells; adjacent cells of one colour are joined. */
function strip(cells: Uint8Array, y: number, height: number, width: number, sites?: Uint8Array): Markup[] {
  const shapes: Markup[] = [];
  const colorOf = (x: number): number =>
    cells[x] === Cell.client && sites !== undefined ? 1000 + sites[x]! : cells[x]!;
  for (let x = 0; x < cells.length; ) {
    const color = colorOf(x);
    let last = x;
    while (last < cells.length && colorOf(last) === color) last++;
    if (color !== Cell.unused)
      shapes.push(rectangle(shadeOf(color), axisWidth + x * width, y, (last - x) * width, height));
    x = last;
  }
  return shapes;
}

function shadeOf(color: number): Shade {
  const site = color - 1000;
  if (site <= 0) return shades[site === 0 ? Cell.client : color]!;
  return { name: '', color: siteColors[site - 1]!, className: `site${site}` };
}

function rectangle(shade: Shade, x: number, y: number, width: number, height: number): Markup {
  return markup`<rect class="${shade.className}" x="${round(x)}" y="${y}" width="${round(width)}" height="${height}" fill="${shade.color}"/>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
