/**
 * scanf against the machine's own: a few hundred generated cases; `scanf.long.test.ts` has many
 * more.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, hasGcc, nativeRun, run } from './harness.js';
import { scanfCases } from './scanf-cases.js';

describe.runIf(hasGcc)('generated formats and texts', () => {
  test('are scanned as they are natively', async () => {
    const driver = readFileSync(join(import.meta.dirname, 'programs/scanf-driver.c'), 'utf8');
    const cases = scanfCases(1, 600);
    const stdin = `${cases.join('\n')}\n`;
    const here = run(await build(driver), { stdin });
    expect(here.reason).toBe('');
    const ours = here.stdout.split('\n');
    const theirs = nativeRun(driver, { stdin }).stdout.split('\n');
    const wrong = cases
      .map((line, i) => [line, ours[i], theirs[i]])
      .filter(([, our, their]) => our !== their);
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
