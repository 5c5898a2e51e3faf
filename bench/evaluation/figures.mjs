/**
 * The figures of `docs/evaluation.md` as SVG: a scatter plot with logarithmic axes and its diagonal
 * for each searcher, and bars for counts. Colours and labels are those of the paper: a point
 * above the diagonal is blue (KDALLOC needs less), one below it is red, and points with a
 * difference of at least 10 % are labelled.
 */

/**
 * @typedef {'dfs' | 'default'} Search
 * @typedef {'memory' | 'time' | 'solver'} FigureName
 * @typedef {{ name: string, x: number, y: number }} Point
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Box
 *
 * @typedef {object} Run Pairs are KDALLOC and the global allocator
 * @property {string} name
 * @property {Search} search
 * @property {boolean} isComparable
 * @property {number[]} memory
 * @property {number[]} time
 * @property {number[]} solver
 * @property {number[]} queries
 * @property {number[]} instructions
 * @property {Record<string, number>[]} paths
 * @property {number[]} allocations
 * @property {string[][]} diverged
 *
 * @typedef {{ unit: string, of: (run: Run) => number[], least?: number }} Axis
 *
 * @typedef {object} Measured
 * @property {string} date
 * @property {string} machine
 * @property {number} rounds
 * @property {Run[]} runs
 * @property {{ quarantine: number | string, found: number, of: number, listing: boolean }[]} stale
 * @property {{ how: string, found: number, of: number }[]} loops
 */

const SIDE = 330;
const LEFT = 62;
const TOP = 34;
const GAP = 90;

/** @type {Record<Search, string>} */
export const searcherTitles = { dfs: 'DFS', default: 'default search' };

export const searchers = /** @type {Search[]} */ (Object.keys(searcherTitles));

/**
 * Runs that can be compared, and whose value exceeds `least` under both allocators.
 *
 * @type {(runs: readonly Run[], search: Search, axis: Pick<Axis, 'of' | 'least'>) => Point[]}
 */
export function pointsOf(runs, search, { of, least = 0 }) {
  return runs
    .filter(run => run.search === search && run.isComparable)
    .map(run => {
      const [x, y] = of(run);
      return { name: run.name, x, y };
    })
    .filter(({ x, y }) => Math.min(x, y) > least);
}

/** @param {readonly Pick<Point, 'x' | 'y'>[]} points */
export function countSides(points) {
  return {
    above: points.filter(({ x, y }) => y > x).length,
    below: points.filter(({ x, y }) => y < x).length,
    on: points.filter(({ x, y }) => y === x).length,
  };
}

/** @param {number} value */
const tickText = value => (value >= 1000 ? `${value / 1000}k` : String(value));

/**
 * Round numbers; equal steps if the axis covers less than one power of ten.
 *
 * @param {number} low
 * @param {number} high
 */
function ticks(low, high) {
  /** @type {number[]} */
  const values = [];
  if (high / low < 6) {
    const rough = (high - low) / 6;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find(factor => factor * power >= rough) ?? 10);
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) values.push(value);
    return values;
  }
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const factor of [1, 2, 5]) values.push(factor * 10 ** power);
  const inside = values.filter(value => value >= low && value <= high);
  return inside.length > 7 ? inside.filter(value => Number.isInteger(Math.log10(value))) : inside;
}

/**
 * Finds a position where the label overlaps nothing: close, or farther away with a line.
 *
 * @param {string} name
 * @param {number} cx
 * @param {number} cy
 * @param {readonly Box[]} taken
 * @param {Box} frame
 */
function labelPlace(name, cx, cy, taken, frame) {
  const width = name.length * 5.8 + 3;
  const height = 13;
  /** @type {{ box: Box, isFar: boolean } | undefined} */
  let fallback;
  for (const distance of [7, 14, 24, 36, 50, 70])
    for (const angle of [0, 180, -45, 45, -135, 135, -90, 90]) {
      const [dx, dy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
      const middle = cx + dx * (distance + (Math.abs(dx) * width) / 2);
      const centre = cy + dy * (distance + height / 3);
      const box = {
        left: middle - width / 2,
        right: middle + width / 2,
        top: centre - height / 2,
        bottom: centre + height / 2,
      };
      const isInside =
        box.left >= frame.left &&
        box.right <= frame.right &&
        box.top >= frame.top &&
        box.bottom <= frame.bottom;
      /** @param {Box} other */
      const overlaps = other =>
        box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top;
      fallback ??= { box, isFar: false };
      if (isInside && !taken.some(overlaps)) return { box, isFar: distance > 14 };
    }
  if (fallback === undefined) throw new Error('no position was tried');
  return fallback;
}

/** @type {(points: readonly Point[], left: number, title: string, unit: string) => string} */
function panel(points, left, title, unit) {
  const values = points.flatMap(({ x, y }) => [x, y]);
  const low = Math.min(...values, 1e9) / 1.3;
  const high = Math.max(...values, low * 2) * 1.3;
  /** @param {number} value */
  const place = value => (Math.log(value / low) / Math.log(high / low)) * SIDE;
  /** @param {number} value */
  const x = value => left + place(value);
  /** @param {number} value */
  const y = value => TOP + SIDE - place(value);
  const { above, below, on } = countSides(points);
  const axis = ticks(low, high).map(
    value => `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${TOP + SIDE}" class="grid"/>
<line x1="${left}" x2="${left + SIDE}" y1="${y(value)}" y2="${y(value)}" class="grid"/>
<text x="${x(value)}" y="${TOP + SIDE + 16}" text-anchor="middle">${tickText(value)}</text>
<text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${tickText(value)}</text>`,
  );
  const circles = points.map(point => ({ ...point, cx: x(point.x), cy: y(point.y) }));
  /** Occupied positions: circles first, then labels. */
  const taken = circles.map(({ cx, cy }) => ({ left: cx - 5, right: cx + 5, top: cy - 5, bottom: cy + 5 }));
  const frame = { left, right: left + SIDE, top: TOP, bottom: TOP + SIDE };
  const marks = circles.map(({ name, x: one, y: other, cx, cy }) => {
    const kind = other > one ? 'above' : other < one ? 'below' : 'on';
    const circle = `<circle cx="${cx}" cy="${cy}" r="4" class="${kind}"><title>${name}: ${one.toFixed(1)} / ${other.toFixed(1)} ${unit}</title></circle>`;
    if (Math.abs(other / one - 1) < 0.1) return circle;
    const { box, isFar } = labelPlace(name, cx, cy, taken, frame);
    taken.push(box);
    const middle = (box.left + box.right) / 2;
    const end = cx < box.left ? box.left : cx > box.right ? box.right : middle;
    const line = isFar
      ? `<line x1="${cx}" y1="${cy}" x2="${end}" y2="${(box.top + box.bottom) / 2}" class="leader"/>`
      : '';
    return `${line}${circle}<text x="${box.left + 1}" y="${box.bottom - 3}" class="${kind} name">${name}</text>`;
  });
  return `<text x="${left + SIDE / 2}" y="18" text-anchor="middle" class="title">${title}: ${above} above, ${below} below, ${on} on the diagonal</text>
<rect x="${left}" y="${TOP}" width="${SIDE}" height="${SIDE}" class="frame"/>
${axis.join('\n')}
<line x1="${left}" y1="${TOP + SIDE}" x2="${left + SIDE}" y2="${TOP}" class="diagonal"/>
${marks.join('\n')}
<text x="${left + SIDE / 2}" y="${TOP + SIDE + 34}" text-anchor="middle">KDALLOC, ${unit}</text>
<text transform="translate(${left - 44} ${TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">global allocator, ${unit}</text>`;
}

/** @type {(width: number, height: number, body: string) => string} */
function figure(width, height, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<style>
.grid { stroke: #ddd } .frame { fill: white; stroke: #444 } .diagonal { stroke: #444; stroke-dasharray: 4 3 }
.title { font-size: 12px; font-weight: bold } .above { fill: #1f5fbf } .below { fill: #c0392b } .on { fill: black } .name { font-size: 10px }
.leader { stroke: #999; stroke-width: 0.7 } .bar { fill: #1f5fbf } .other { fill: #c0392b }
</style>
<rect width="${width}" height="${height}" fill="white"/>
${body}
</svg>
`;
}

/** @type {(runs: readonly Run[], axis: Axis) => string} */
export function scatterFigure(runs, axis) {
  const panels = searchers.map((search, i) =>
    panel(pointsOf(runs, search, axis), LEFT + i * (SIDE + GAP), searcherTitles[search], axis.unit),
  );
  const entries = [
    ['above', 'KDALLOC needs less'],
    ['below', 'KDALLOC needs more'],
    ['on', 'equal'],
  ];
  const y = TOP + SIDE + 58;
  const legend = entries.map(
    ([kind, text], i) =>
      `<circle cx="${LEFT + 6 + i * 150}" cy="${y - 4}" r="4" class="${kind}"/><text x="${LEFT + 16 + i * 150}" y="${y}">${text}</text>`,
  );
  const note = `<text x="${LEFT + 16 + 2 * 150 + 60}" y="${y}">names: a difference of at least 10 %</text>`;
  return figure(2 * SIDE + GAP + LEFT + 20, TOP + SIDE + 70, [...panels, ...legend, note].join('\n'));
}

/**
 * Bars with a number above and a name below each; a bar of KDALLOC is blue, another is red.
 *
 * @param {{ name: string, value: number, isKdalloc: boolean }[]} bars
 * @param {{ most: number, below: string, beside: string, room?: number }} texts
 */
export function barFigure(bars, { most, below, beside, room = 70 }) {
  const width = room * bars.length + 90;
  const height = 260;
  const drawn = bars.map(({ name, value, isKdalloc }, i) => {
    const tall = (value / most) * 180;
    const middle = 70 + room * i + room / 2 - 13;
    return `<rect x="${middle - 22}" y="${210 - tall}" width="44" height="${tall}" class="${isKdalloc ? 'bar' : 'other'}"/>
<text x="${middle}" y="${204 - tall}" text-anchor="middle">${value}</text>
<text x="${middle}" y="226" text-anchor="middle">${name}</text>`;
  });
  const step = [1, 2, 5, 10, 20, 50].find(candidate => most / candidate <= 5) ?? most;
  const marks = Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
  const scale = marks.map(mark => {
    const y = 210 - (mark / most) * 180;
    return `<line x1="56" x2="${width - 20}" y1="${y}" y2="${y}" class="grid"/><text x="50" y="${y + 4}" text-anchor="end">${mark}</text>`;
  });
  const body = `${scale.join('\n')}
<line x1="56" x2="${width - 20}" y1="210" y2="210" stroke="#444"/>
${drawn.join('\n')}
<text x="${width / 2}" y="248" text-anchor="middle">${below}</text>
<text transform="translate(22 120) rotate(-90)" text-anchor="middle">${beside}</text>`;
  return figure(width, height, body);
}
