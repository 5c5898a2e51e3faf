/** The line coverage of a corpus. The hits of a line are the number of inputs that reach it. */
import type { FileCoverage } from '../findings/line-coverage.js';
import type { ProbeTable } from '../monitor/instrument/probes.js';

interface FileLines {
  readonly lines: Map<number, number>;
  readonly functions: Map<string, { readonly line: number; hits: number }>;
}

/**
 * Each run says which edges it takes. Several edges can lead to one line, and a run can take more
 * than one of them, so lines are counted by run, and not by edge.
 */
export function coverageOfCorpus(
  { edges }: ProbeTable,
  runs: Iterable<(edge: number) => boolean>,
): FileCoverage[] {
  const files = new Map<string, FileLines>();
  for (const { location, lines, entry } of edges) {
    const file = files.get(location.file) ?? { lines: new Map(), functions: new Map() };
    files.set(location.file, file);
    for (const line of lines) file.lines.set(line, 0);
    if (entry !== undefined) file.functions.set(entry.name, { line: entry.line, hits: 0 });
  }
  for (const isTaken of runs) {
    const counted = new Map([...files.keys()].map(file => [file, new Set<number>()]));
    edges.forEach(({ location, lines, entry }, edge) => {
      if (!isTaken(edge)) return;
      const file = files.get(location.file)!;
      if (entry !== undefined) file.functions.get(entry.name)!.hits++;
      const seen = counted.get(location.file)!;
      for (const line of lines) {
        if (!seen.has(line)) file.lines.set(line, file.lines.get(line)! + 1);
        seen.add(line);
      }
    });
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { lines, functions }]) => ({
      file,
      functions: [...functions].map(([name, { line, hits }]) => ({ name, line, hits })),
      lines: [...lines].sort(([a], [b]) => a - b),
    }));
}
