import { expect, test } from 'vitest';
import { templistDifferences, templistFiles, templistProgram } from './templist.js';

const isFixed = (file: string) => file.endsWith('.fixed.c');

test('15 programs, 23 errors, a fixed twin for each', () => {
  const buggy = templistFiles.filter(file => !isFixed(file));
  expect(buggy).toHaveLength(15);
  expect(templistFiles.filter(isFixed)).toEqual(buggy.map(file => file.replace(/\.c$/, '.fixed.c')));
  expect(buggy.flatMap(file => templistProgram(file).expectations)).toHaveLength(23);
});

// A few; the long test runs all.
test.each(templistFiles.filter(file => /^(02|05|13)/.test(file)))('%s', async file => {
  expect(await templistDifferences(file)).toEqual([]);
});
