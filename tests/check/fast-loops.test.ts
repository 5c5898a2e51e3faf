/**
 * Errors that a loop meets after many rounds without one: the golden program of loops, case by
 * case, stopping at the first finding, because only then do loops have a fast copy. And the mode
 * without numbers, which has none.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../src/index.js';
import { places } from './check-c.js';

const path = join(import.meta.dirname, '../golden/loops.c');
const expected = readFileSync(path, 'utf8')
  .split('\n')
  .flatMap((line, i) => [...line.matchAll(/\/\/~ ERROR ([\w-]+)/g)].map(match => `${match[1]}:${i + 1}`));

/**
 * By number: an affine address, one that follows data, a partial granule, three kinds of gaps, a
 * constant, a list, counters that wrap around.
 */
test.each([1, 5, 8, 9, 10, 11, 13, 14, 18, 19, 20])(
  'case %i of loops.c is found where it is',
  async number => {
    const report = await check({ inputs: [path], arguments: [String(number)] });
    expect(places(report)).toEqual([expected[number - 1]]);
  },
);

test.each([1, 2, 7, 8])('case %i of loops.c is found by the shadow alone', async number => {
  const report = await check({ inputs: [path], arguments: [String(number)], checks: ['spatial'] });
  expect(places(report)).toEqual([expected[number - 1]]);
});

test('the shadow alone does not see a jump into a neighbour', async () => {
  const report = await check({ inputs: [path], arguments: ['6'], checks: ['spatial'] });
  expect(places(report)).toEqual([]);
});
