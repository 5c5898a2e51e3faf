import { expect, test } from 'vitest';
import { compareGolden, goldenFiles } from './golden.js';

test.each(goldenFiles)('%s', async file => {
  const { found, expected } = await compareGolden(file);
  expect(found).toEqual(expected);
});
