/** 20,000 generated regular expressions, here and by glibc. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/support/random.js';
import { build, hasGcc, nativeRun, run } from './harness.js';
import { regexCase, writeCases } from './regex-cases.js';

describe.runIf(hasGcc)('regcomp and regexec agree with glibc', () => {
  test.each([1, 2, 3, 4])('seed %d, 5,000 cases', async seed => {
    const driver = readFileSync(join(import.meta.dirname, 'programs/regex-driver.c'), 'utf8');
    const random = new Random(seed);
    const cases = Array.from({ length: 5000 }, () => regexCase(random));
    const stdin = writeCases(cases);
    const ours = run(await build(driver), { stdin });
    expect(ours.reason).toBe('');
    const theirs = nativeRun(driver, { stdin }).stdout.split('\n');
    const different = ours.stdout
      .split('\n')
      .flatMap((line, i) => (line === theirs[i] ? [] : [{ case: cases[i], ours: line, theirs: theirs[i] }]));
    expect(different).toEqual([]);
  });
});
