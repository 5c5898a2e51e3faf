/**
 * Real workers, at length: more threads than the machine has cores, so that they stop each other at
 * odd places.
 */
import { expect, test } from 'vitest';
import { stress } from './stress.js';

test('10^8 operations of four workers lose no entry, and the memory stays bounded', async () => {
  const report = await stress({ threads: 4, operations: 25_000_000, window: 20_000 });
  console.log(report);
  expect(report.lost).toBe(0);
  expect(report.recycled).toBeGreaterThan(100);
  expect(report.usedBlocks).toBeLessThanOrEqual(3);
  // Each thread may hold two tables while others continue; far more would be a leak.
  expect(report.poolBytes).toBeLessThan(12 * report.biggestTable);
});
