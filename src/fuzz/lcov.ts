/**
 * Which lines the inputs of a corpus run, in the format of lcov (`genhtml coverage.info`). A line
 * has as many hits as inputs come to it.
 */
import type { ProbeTable } from '../monitor/instrument/probes.js';

interface FileLines {
  readonly lines: Map<number, number>;
  readonly functions: Map<string, { readonly line: number; readonly hits: number }>;
}

/** `counts` says of each edge how many inputs take it. */
export function lcov({ edges }: ProbeTable, counts: Uint32Array): string {
  const files = new Map<string, FileLines>();
  edges.forEach(({ location, lines, entry }, edge) => {
    const hits = counts[edge] ?? 0;
    const file = files.get(location.file) ?? { lines: new Map(), functions: new Map() };
    files.set(location.file, file);
    for (const line of lines) file.lines.set(line, Math.max(hits, file.lines.get(line) ?? 0));
    if (entry !== undefined) file.functions.set(location.function ?? entry, { line: location.line, hits });
  });
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, file]) => record(name, file))
    .join('');
}

function record(name: string, { lines, functions }: FileLines): string {
  const sorted = [...lines].sort(([a], [b]) => a - b);
  return [
    'TN:redzone',
    `SF:${name}`,
    ...[...functions].map(([called, { line }]) => `FN:${line},${called}`),
    ...[...functions].map(([called, { hits }]) => `FNDA:${hits},${called}`),
    `FNF:${functions.size}`,
    `FNH:${[...functions.values()].filter(({ hits }) => hits > 0).length}`,
    ...sorted.map(([line, hits]) => `DA:${line},${hits}`),
    `LF:${sorted.length}`,
    `LH:${sorted.filter(([, hits]) => hits > 0).length}`,
    'end_of_record\n',
  ].join('\n');
}
