/**
 * The figures of `docs/evaluation.md` as SVG: a scatter plot with logarithmic axes and its diagonal
 * for each searcher, and bars for quarantines. Colours and labels are those of the paper: a point
 * above the diagonal is blue, KDALLOC needs less there; one below it is red; points with a
 * difference of at least 10 % have a name.
 */

const SIDE = 330;
const LEFT = 62;
const TOP = 34;
const GAP = 90;

export const searcherTitles = { dfs: 'DFS', default: 'default search' };

/** Runs that can be compared, and in which both took any of it. */
export function pointsOf(runs, search, of) {
  return runs
    .filter(run => run.search === search && run.isComparable)
    .map(run => {
      const [x, y] = of(run);
      return { name: run.name, x, y };
    })
    .filter(({ x, y }) => x > 0 && y > 0);
}

export function countSides(points) {
  return {
    above: points.filter(({ x, y }) => y > x).length,
    below: points.filter(({ x, y }) => y < x).length,
    on: points.filter(({ x, y }) => y === x).length,
  };
}

const tickText = value => (value >= 1000 ? `${value / 1000}k` : String(value));

function ticks(low, high) {
  const values = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const factor of [1, 2, 5]) values.push(factor * 10 ** power);
  const inside = values.filter(value => value >= low && value <= high);
  return inside.length > 7 ? inside.filter(value => Number.isInteger(Math.log10(value))) : inside;
}

function panel(points, left, title, unit) {
  const values = points.flatMap(({ x, y }) => [x, y]);
  const low = Math.min(...values, 1e9) / 1.3;
  const high = Math.max(...values, low * 2) * 1.3;
  const place = value => (Math.log(value / low) / Math.log(high / low)) * SIDE;
  const x = value => left + place(value);
  const y = value => TOP + SIDE - place(value);
  const { above, below, on } = countSides(points);
  const axis = ticks(low, high).map(
    value => `<line x1="${x(value)}" x2="${x(value)}" y1="${TOP}" y2="${TOP + SIDE}" class="grid"/>
<line x1="${left}" x2="${left + SIDE}" y1="${y(value)}" y2="${y(value)}" class="grid"/>
<text x="${x(value)}" y="${TOP + SIDE + 16}" text-anchor="middle">${tickText(value)}</text>
<text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${tickText(value)}</text>`,
  );
  const taken = [];
  const marks = points
    .toSorted((a, b) => a.y - b.y)
    .map(({ name, x: one, y: other }) => {
      const kind = other > one ? 'above' : other < one ? 'below' : 'on';
      const circle = `<circle cx="${x(one)}" cy="${y(other)}" r="4" class="${kind}"><title>${name}: ${one.toFixed(1)} / ${other.toFixed(1)} ${unit}</title></circle>`;
      if (Math.abs(other / one - 1) < 0.1) return circle;
      // Labels that would lie on each other are moved up.
      const isLeft = place(one) > SIDE * 0.7;
      const labelX = x(one) + (isLeft ? -7 : 7);
      let labelY = y(other) + 4;
      while (taken.some(spot => Math.abs(spot.x - labelX) < 90 && Math.abs(spot.y - labelY) < 12))
        labelY -= 4;
      taken.push({ x: labelX, y: labelY });
      return `${circle}<text x="${labelX}" y="${labelY}" text-anchor="${isLeft ? 'end' : 'start'}" class="${kind} name">${name}</text>`;
    });
  return `<text x="${left + SIDE / 2}" y="18" text-anchor="middle" class="title">${title}: ${above} above, ${below} below, ${on} on the diagonal</text>
<rect x="${left}" y="${TOP}" width="${SIDE}" height="${SIDE}" class="frame"/>
${axis.join('\n')}
<line x1="${left}" y1="${TOP + SIDE}" x2="${left + SIDE}" y2="${TOP}" class="diagonal"/>
${marks.join('\n')}
<text x="${left + SIDE / 2}" y="${TOP + SIDE + 34}" text-anchor="middle">KDALLOC, ${unit}</text>
<text transform="translate(${left - 44} ${TOP + SIDE / 2}) rotate(-90)" text-anchor="middle">global allocator, ${unit}</text>`;
}

function figure(width, height, body) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<style>
.grid { stroke: #ddd } .frame { fill: white; stroke: #444 } .diagonal { stroke: #444; stroke-dasharray: 4 3 }
.title { font-size: 12px; font-weight: bold } .above { fill: #1f5fbf } .below { fill: #c0392b } .on { fill: black } .name { font-size: 10px }
.bar { fill: #1f5fbf } .other { fill: #c0392b }
</style>
<rect width="${width}" height="${height}" fill="white"/>
${body}
</svg>
`;
}

export function scatterFigure(runs, { unit, of }) {
  const panels = Object.entries(searcherTitles).map(([search, title], i) =>
    panel(pointsOf(runs, search, of), LEFT + i * (SIDE + GAP), title, unit),
  );
  return figure(2 * SIDE + GAP + LEFT + 20, TOP + SIDE + 46, panels.join('\n'));
}

export function quarantineFigure(stale) {
  const width = 70 * stale.length + 90;
  const height = 260;
  const most = Math.max(...stale.map(({ of }) => of));
  const bars = stale.map(({ quarantine, found }, i) => {
    const tall = (found / most) * 180;
    const left = 70 + 70 * i;
    return `<rect x="${left}" y="${210 - tall}" width="44" height="${tall}" class="${quarantine === 'global' ? 'other' : 'bar'}"/>
<text x="${left + 22}" y="${204 - tall}" text-anchor="middle">${found}</text>
<text x="${left + 22}" y="226" text-anchor="middle">${quarantine}</text>`;
  });
  const body = `<line x1="56" x2="${width - 20}" y1="210" y2="210" stroke="#444"/>
${bars.join('\n')}
<text x="${width / 2}" y="248" text-anchor="middle">freed slots that are kept out of use; the last bar is the global allocator</text>
<text transform="translate(30 120) rotate(-90)" text-anchor="middle">errors found, of ${most}</text>`;
  return figure(width, height, body);
}
