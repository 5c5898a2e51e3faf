import { expect, test } from 'vitest';
import { templistDifferences, templistFiles } from './templist.js';

test.each(templistFiles)('%s', async file => {
  expect(await templistDifferences(file)).toEqual([]);
});
