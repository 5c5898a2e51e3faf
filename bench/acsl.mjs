/**
 * Measures the cost of annotations: all_zeros of the hybrid-monitoring paper over 10^6 elements,
 * with its contract and its loop annotations, and a sort with a contract.
 *
 *     npm run bench:acsl
 *
 * Four runs of each program: plain (`--no-checks`), under check with annotations off, with
 * annotations only (`--only-acsl`), and with both. Times are those of the run without compilation,
 * the best of several; ratios are to the plain run.
 */

import { check } from '../dist/index.js';
import { allowV8Flags } from '../dist/platform/node.js';

allowV8Flags();

const rounds = Number(process.argv[2] ?? 5);
const programs = {
  'all-zeros.c': { title: 'all_zeros over 10^6 elements, 20 calls', argument: '20' },
  'bubble-sort.c': { title: 'bubble sort of 8000 elements', argument: '8000' },
};
/** @type {Record<string, Partial<import('../dist/index.js').CheckOptions>>} */
const variants = {
  'plain (--no-checks)': { noChecks: true },
  'check --acsl=off': { acsl: 'off' },
  'check --only-acsl': { onlyAcsl: true },
  check: {},
};

for (const [file, { title, argument }] of Object.entries(programs)) {
  const path = new URL(`programs/${file}`, import.meta.url).pathname;
  const best = Object.fromEntries(Object.keys(variants).map(name => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, options] of Object.entries(variants)) {
      const report = await check({ inputs: [path], arguments: [argument], ...options });
      if (report.verdict !== 'clean') throw new Error(`${name}: ${JSON.stringify(report.findings)}`);
      best[name] = Math.min(best[name], report.stats.runMs ?? Number.NaN);
    }
  }
  const plain = best['plain (--no-checks)'];
  console.log(`${title}; best of ${rounds}`);
  for (const [name, ms] of Object.entries(best))
    console.log(
      `  ${name.padEnd(22)} ${ms.toFixed(1).padStart(8)} ms   ${(ms / plain).toFixed(2).padStart(7)} x plain`,
    );
}
process.exit(0);
