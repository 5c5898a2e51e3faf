/** The line coverage of a corpus. The hits of a line are the number of inputs that reach it. */
import type { FileCoverage } from '../findings/line-coverage.js';
import type { ProbeTable } from '../monitor/instrument/probes.js';

interface FileLines {
  readonly lines: Map<number, number>;
  readonly functions: Map<string, { readonly line: number; readonly hits: number }>;
}

/** `counts` has the number of inputs for each edge. */
export function coverageOfCorpus({ edges }: ProbeTable, counts: Uint32Array): FileCoverage[] {
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
    .map(([file, { lines, functions }]) => ({
      file,
      functions: [...functions].map(([name, { line, hits }]) => ({ name, line, hits })),
      lines: [...lines].sort(([a], [b]) => a - b),
    }));
}
