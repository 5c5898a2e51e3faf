/** Source code in a page: excerpts with carets, and whole files with their line coverage. */
import { displayLine } from '../findings/display-line.js';
import type { AccessKind, SourceLocation } from '../findings/finding.js';
import type { FileCoverage } from '../findings/line-coverage.js';
import { indexOfColumn, type SourceFiles } from '../findings/source-text.js';
import { smallestSpan } from '../findings/span.js';
import { type Markup, markup, nothing } from './markup.js';

/** A label for a location. */
export interface SourceMark {
  readonly location: SourceLocation;
  readonly role: 'primary' | 'allocated' | 'freed' | 'note';
  readonly label: string;
  readonly access?: AccessKind;
}

/** The number of lines shown before and after a marked one. */
const context = 3;
/** The number of characters of a line that are shown. */
const longestLine = 400;

/** The lines around marks of one file; nothing if it cannot be read. */
export function excerptView(marks: readonly SourceMark[], sources: SourceFiles): Markup {
  const readable = marks.filter(
    ({ location: { file, line } }) => line > 0 && sources.line(file, line) !== undefined,
  );
  const file = readable[0]?.location.file;
  if (file === undefined) return nothing;
  const shown = new Set<number>();
  for (const { location } of readable)
    for (let line = location.line - context; line <= location.line + context; line++)
      if (line > 0 && sources.line(file, line) !== undefined) shown.add(line);
  const lines = [...shown].sort((a, b) => a - b);
  const rows = lines.map((line, i) => {
    const gap = i > 0 && lines[i - 1] !== line - 1 ? markup`<span class="gap">⋯</span>` : nothing;
    const here = readable.filter(mark => mark.location.line === line);
    const role = here[0]?.role ?? 'context';
    const text = sources.line(file, line)!;
    return markup`${gap}<span class="line ${role}"><span class="number">${line}</span>${displayLine(text).text.slice(0, longestLine)}
</span>${here.map(mark => caretRow(mark, text))}`;
  });
  return markup`<pre class="source" tabindex="0">${rows}</pre>`;
}

/** Carets are positioned by cells, as on a terminal. */
function caretRow({ location, role, label, access }: SourceMark, text: string): Markup {
  const { cellOf } = displayLine(text);
  const span = smallestSpan(text, indexOfColumn(text, location.column), access);
  const start = Math.min(cellOf[Math.min(span.start, text.length)] ?? 0, longestLine);
  const end = Math.min(cellOf[Math.min(span.end, text.length)] ?? start + 1, longestLine + 1);
  const sign = role === 'primary' ? '^' : '-';
  const carets = location.column === 0 ? '' : sign.repeat(Math.max(1, end - start));
  const indent = ' '.repeat(location.column === 0 ? 0 : start);
  return markup`<span class="caret ${role}"><span class="number"></span>${indent}${carets} ${label}
</span>`;
}

/** Longer files are not shown whole. */
const mostLines = 20_000;

/** The files, each with a bar and its lines; unreadable files only with their numbers. */
export function coverageView(files: readonly FileCoverage[], sources: SourceFiles): Markup {
  const all = files.flatMap(({ lines }) => lines);
  if (all.length === 0) return nothing;
  const isOpen = files.length === 1;
  return markup`<p>${percentOf(all)} of the lines with code were run.
Green lines were run, red ones were not; lines without colour hold no code.</p>
${files.map(file => fileView(file, sources, isOpen))}`;
}

function fileView({ file, lines, functions }: FileCoverage, sources: SourceFiles, isOpen: boolean): Markup {
  const missed = functions.filter(({ hits }) => hits === 0).map(({ name }) => name);
  const hitsOf = new Map(lines);
  const rows: Markup[] = [];
  for (let line = 1; line <= mostLines; line++) {
    const text = sources.line(file, line);
    if (text === undefined) break;
    const hits = hitsOf.get(line);
    const role = hits === undefined ? 'context' : hits > 0 ? 'run' : 'missed';
    const count = hits === undefined ? '' : hits > 0 ? `${hits}×` : 'not run';
    rows.push(
      markup`<span class="line ${role}" title="${count}"><span class="number">${line}</span>${displayLine(text).text.slice(0, longestLine)}
</span>`,
    );
  }
  const isReadable = rows.length > 1 || sources.line(file, 1) !== undefined;
  return markup`<details data-file="${file}"${isOpen ? markup` open` : nothing}><summary><code>${file}</code> ${bar(lines)} ${percentOf(lines)}</summary>
${missed.length === 0 ? nothing : markup`<p>Functions that were never entered: ${missed.map((name, i) => markup`${i === 0 ? '' : ', '}<code>${name}</code>`)}</p>`}
${isReadable ? markup`<pre class="source" tabindex="0">${rows}</pre>` : markup`<p>The file cannot be read.</p>`}
</details>`;
}

type Lines = FileCoverage['lines'];

function percentOf(lines: Lines): string {
  const run = lines.filter(([, hits]) => hits > 0).length;
  return `${run} of ${lines.length} (${Math.round((100 * run) / Math.max(1, lines.length))} %)`;
}

function bar(lines: Lines): Markup {
  const run = lines.filter(([, hits]) => hits > 0).length;
  const width = Math.round((100 * run) / Math.max(1, lines.length));
  return markup`<svg class="bar" width="102" height="10" role="img" aria-label="${width} percent"><rect class="missed" x="0.5" y="0.5" width="101" height="9"/><rect class="run" x="1" y="1" width="${width}" height="8"/></svg>`;
}
