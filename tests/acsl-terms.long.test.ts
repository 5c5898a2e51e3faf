/** Hundreds of random integer terms in each of a few programs: see `acsl-terms.ts`. */
import { expect, test } from 'vitest';
import { check } from '../src/index.js';
import { termProgram } from './acsl-terms.js';

test.each([11, 12, 13])(
  '300 terms from seed %i have the values that BigInt gives them',
  async seed => {
    const { text } = termProgram(300, seed, 0n);
    const report = await check({
      inputs: [{ name: 'terms.c', text }],
      keepGoing: true,
    });
    expect(report).toMatchObject({ verdict: 'clean', findings: [] });
  },
  600_000,
);
