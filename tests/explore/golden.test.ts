/** Some programs for all; the others are in the long tests. */
import { expect, test } from 'vitest';
import { compareGolden, differentWords } from './golden.js';

test.each([
  'golden/uninitialized.c',
  'golden/stale-stack.c',
  'golden/unwritten-but-unused.c',
  'golden/missing-results.c',
])('%s', async file => {
  const { found, expected, differing } = await compareGolden(file);
  expect(found).toEqual(expected);
  expect(differing.filter(name => differentWords[name] === undefined)).toEqual([]);
});
