/** Real workers, for a short time. `stress.long.test.ts` has the 10^8 operations. */
import { expect, test } from 'vitest';
import { stress } from './stress.js';

test('two workers lose no entry while the table grows, and old tables are released', async () => {
  const report = await stress({ threads: 2, operations: 150_000, window: 3000 });
  expect(report.lost).toBe(0);
  expect(report.entries).toBeGreaterThan(1000);
  expect(report.recycled).toBeGreaterThan(5);
  // The descriptor, the current table, and one being migrated.
  expect(report.usedBlocks).toBeLessThanOrEqual(3);
});
