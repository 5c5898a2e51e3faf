/**
 * strtod and strtof against the machine's own, bit for bit; `strtod.long.test.ts` has many more
 * cases.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { build, hasGcc, nativeRun, run } from './harness.js';
import { comparable, strtodCases } from './strtod-cases.js';

describe.runIf(hasGcc)('generated numbers', () => {
  test('have the bits, the end and the errno that they have natively', async () => {
    const driver = readFileSync(join(import.meta.dirname, 'programs/strtod-driver.c'), 'utf8');
    const cases = strtodCases(1, 800);
    const stdin = `${cases.join('\n')}\n`;
    const here = run(await build(driver), { stdin });
    expect(here.reason).toBe('');
    const answers = (stdout: string) => comparable(cases, stdout.split('\n'));
    const ours = answers(here.stdout);
    const theirs = answers(nativeRun(driver, { stdin }).stdout);
    const wrong = cases
      .map((line, i) => [line, ours[i], theirs[i]])
      .filter(([, our, their]) => our !== their);
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});
