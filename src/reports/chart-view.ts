/** Small charts of counters over time. */
import { type Markup, markup } from './markup.js';
import type { Sample } from './samples.js';
import { decimalTicks, inShort } from './scale.js';

const width = 340;
const height = 150;
const left = 46;
const bottom = 22;
const top = 26;
const right = 8;

/** The names of the counters; others are not drawn. */
const names: Readonly<Record<string, string>> = {
  paths: 'paths ended',
  states: 'live states',
  errors: 'errors',
  coveredBlocks: 'basic blocks covered',
  instructions: 'instructions',
  solverMs: 'time in the solver (ms)',
  runs: 'inputs run',
  edges: 'edges covered',
};

/** Empty for fewer than two samples. */
export function chartsOf(samples: readonly Sample[]): Markup[] {
  if (samples.length < 2) return [];
  return Object.entries(names)
    .filter(([key]) => samples.some(({ counts }) => (counts[key] ?? 0) > 0))
    .map(([key, name]) =>
      chartView(
        name,
        samples.flatMap(({ ms, counts }) => (counts[key] === undefined ? [] : [[ms, counts[key]] as const])),
      ),
    );
}

function chartView(name: string, points: readonly (readonly [ms: number, value: number])[]): Markup {
  const first = points[0]![0];
  const span = Math.max(1, points.at(-1)![0] - first);
  const most = points.reduce((high, [, value]) => Math.max(high, value), 1);
  const x = (ms: number): number => round(left + ((ms - first) / span) * (width - left - right));
  const y = (value: number): number => round(height - bottom - (value / most) * (height - bottom - top));
  const line = points.map(([ms, value]) => `${x(ms)},${y(value)}`).join(' ');
  const last = points.at(-1)![1];
  return markup`<svg class="chart" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${name}: ${last} after ${seconds(span)}">
<text class="name" x="${left}" y="14">${name}: ${Math.round(last).toLocaleString('en')}</text>
${decimalTicks(most, 4).map(value => markup`<line class="grid" x1="${left}" x2="${width - right}" y1="${y(value)}" y2="${y(value)}"/><text class="tick" x="${left - 5}" y="${y(value) + 4}" text-anchor="end">${inShort(value)}</text>`)}
${timeTicks(span).map(ms => markup`<line class="grid" x1="${x(first + ms)}" x2="${x(first + ms)}" y1="${height - bottom}" y2="${height - bottom + 4}"/><text class="tick" x="${x(first + ms)}" y="${height - 6}" text-anchor="${x(first + ms) > width - 30 ? 'end' : 'middle'}">${seconds(ms)}</text>`)}
<polyline class="curve" points="${line}"/></svg>`;
}

/** Ticks in milliseconds that are round in the unit in which they are shown. */
function timeTicks(span: number): number[] {
  const unit = span < 2000 ? 1 : span < 120_000 ? 1000 : span < 7_200_000 ? 60_000 : 3_600_000;
  return decimalTicks(span / unit, 4).map(ticks => ticks * unit);
}

function seconds(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 2000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1000)} s`;
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
