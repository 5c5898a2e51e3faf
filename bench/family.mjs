// The price of the sanitizer family over `redzone check` alone: `npm run bench:family [-- --quick]
// [PROGRAM...]`, on the programs of `bench/check`.
//
// Each configuration is run in turn with `check` as it is, several times, and the best of each is
// compared, in time of the processor. A row is a name, the options, and what is wanted of it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../dist/index.js';
import { allowV8Flags } from '../dist/platform/node.js';

allowV8Flags();

const folder = join(import.meta.dirname, 'check');
const only = process.argv.slice(2).filter(argument => !argument.startsWith('-'));
const rounds = process.argv.includes('--quick') ? 2 : 4;

/**
 * @typedef {Partial<import('../dist/index.js').CheckOptions>} Options
 * @type {readonly { name: string, options: Options, wanted: number }[]}
 */
const configurations = [
  { name: '--taint', options: { taint: ['stdin', 'args', 'files', 'env'] }, wanted: 2 },
  { name: '--secret', options: { secret: ['stdin'] }, wanted: 2 },
];

const programs = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.replace(/\.c$/, ''))
  .filter(name => only.length === 0 || only.includes(name));

/** @type {Map<string, number[]>} */
const ratios = new Map(configurations.map(({ name }) => [name, []]));
for (const program of programs) {
  const inputs = [join(folder, `${program}.c`)];
  const best = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const { name, options } of [{ name: 'check', options: {} }, ...configurations]) {
      const report = await check({ inputs, keepGoing: false, ...options });
      if (report.findings.length > 0) throw new Error(`${program}: ${report.findings[0].message}`);
      best.set(name, Math.min(best.get(name) ?? Number.POSITIVE_INFINITY, report.runProcessorMs ?? 0));
    }
  }
  const shown = configurations.map(({ name }) => {
    const ratio = best.get(name) / best.get('check');
    ratios.get(name)?.push(ratio);
    return `${name} ${ratio.toFixed(2)}×`;
  });
  console.log(`${program.padEnd(22)} check ${best.get('check').toFixed(0)} ms   ${shown.join('   ')}`);
}

console.log('\ngeometric means over `check`:');
for (const { name, wanted } of configurations) {
  const all = ratios.get(name) ?? [];
  const mean = Math.exp(all.reduce((sum, ratio) => sum + Math.log(ratio), 0) / all.length);
  console.log(
    `  ${name.padEnd(12)} ${mean.toFixed(2)}×   worst ${Math.max(...all).toFixed(2)}×   wanted ${wanted}`,
  );
}
process.exit(0);
