import { expect, test } from 'vitest';
import { compareGolden, differentWords, goldenFiles } from './golden.js';

const differ = new Set<string>();

test.each(goldenFiles)('%s', async file => {
  const { found, expected, differing } = await compareGolden(file);
  expect(found).toEqual(expected);
  expect(differing.filter(name => differentWords[name] === undefined)).toEqual([]);
  for (const name of differing) differ.add(name);
});

test('each reason for other words is needed', () => {
  expect(Object.keys(differentWords).filter(name => !differ.has(name))).toEqual([]);
});
