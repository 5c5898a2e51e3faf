import { expect, test } from 'vitest';
import { coverageOfCorpus } from './corpus-coverage.js';

test('a line has as many hits as inputs that reach it, by whatever edges', () => {
  const at = (line: number, lines: number[], entry?: { name: string; line: number }) => ({
    ...{ location: { file: 'a.c', line, column: 1, function: 'f' }, lines },
    ...(entry === undefined ? {} : { entry }),
  });
  // Both ways of the branch in line 3 lead to line 5.
  const edges = [at(3, [3], { name: 'f', line: 2 }), at(4, [4, 5]), at(5, [5]), at(7, [7])];
  const runs = [[0, 1], [0, 2], [0, 1, 2], []].map(taken => (edge: number) => taken.includes(edge));
  expect(coverageOfCorpus({ edges, comparisons: [] }, runs)).toEqual([
    {
      file: 'a.c',
      functions: [{ name: 'f', line: 2, hits: 3 }],
      lines: [
        [3, 3],
        [4, 2],
        [5, 3],
        [7, 0],
      ],
    },
  ]);
});
