/** An exploration of many paths, as `explore` records it: a tree whose paths fork at every fork. */
import type { ExplorationDetails, PathLines } from '../../src/findings/exploration.js';
import { reportPage } from '../../src/reports/report-page.js';

export function manyPaths(count: number): ExplorationDetails {
  const parents: number[] = [];
  const holds: (0 | 1)[] = [];
  const ends: (0 | 1)[] = [];
  const tests: number[] = [];
  const labels: number[] = [];
  let paths = 0;
  // Each entry is an edge that has no node yet; the oldest is taken, so the tree grows in breadth.
  const open: [from: number, holds: 0 | 1][] = [[-1, 0]];
  for (let next = 0; next < open.length; next++) {
    const [from, side] = open[next]!;
    const isEnd = open.length - next + paths >= count;
    const node = parents.push(from) - 1;
    holds.push(side);
    ends.push(isEnd ? 1 : 0);
    tests.push(isEnd ? ++paths : 0);
    labels.push(isEnd ? (paths % 1000 === 0 ? 1 : 0) : 2 + (node % 40));
    if (!isEnd) open.push([node, 1], [node, 0]);
  }
  // Some 40 lines a path, in stretches; many paths share their lines.
  const lists = Array.from(
    { length: Math.min(20_000, Math.ceil(paths / 3)) },
    (_, list): PathLines => [
      ['parser.c', Array.from({ length: 60 }, (_, i) => i + 10).filter(line => (list * line) % 7 !== 3)],
    ],
  );
  const places = Array.from({ length: 40 }, (_, i) => `parser.c:${i + 10}`);
  return {
    forks: {
      parents,
      holds,
      ends,
      tests,
      labels,
      texts: ['exit 0', 'use-after-free', ...places],
      isCut: false,
    },
    paths: Array.from({ length: paths }, (_, i) => ({
      number: i + 1,
      inputs: `\`s\` = "(1+${i})/\\x00\\x00", \`n\` = ${i * 7}`,
      instructions: 100 + i,
      isError: (i + 1) % 1000 === 0,
      lines: lists[i % lists.length]!,
    })),
    coverage: [],
  };
}

export function pageOfManyPaths(count: number): Promise<string> {
  return reportPage({
    command: 'redzone explore',
    verdict: 'inconclusive',
    summary: `${count} paths explored`,
    version: '0',
    findings: [],
    readSource: () => undefined,
    exploration: manyPaths(count),
  });
}
