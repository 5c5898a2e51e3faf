// Compares the stores of `redzone check`, and measures what the pre-analysis saves: `npm run
// bench:stores [-- PROGRAM...]`.
//
// The nine programs of the hybrid-monitoring paper run with all checks and with their records in
// the hybrid store, in the shadow alone and in the trie alone; then in the hybrid store without the
// pre-analysis, and without the removal of redundant checks. For a run of more than 60 s the ratio
// is a lower bound. Then the trie itself: insertions and lookups with three searches for the common
// prefix.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';
import { allowV8Flags } from '../dist/platform/node.js';

allowV8Flags();

const folder = join(import.meta.dirname, 'check');
const only = process.argv.slice(2);
const programs = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.replace(/\.c$/, ''))
  .filter(name => only.length === 0 || only.includes(name));
const limitMs = 60_000;

/** @type {Record<string, Partial<import('../dist/index.js').CheckOptions>>} */
const configurations = {
  hybrid: {},
  shadow: { store: 'shadow' },
  trie: { store: 'trie' },
  'no pre-analysis': { preAnalysis: false },
  'no check removal': { removesChecks: false },
};

/** @type {Record<string, number[]>} */
const ratios = Object.fromEntries(Object.keys(configurations).map(key => [key, []]));
console.log('all checks; time of the processor, as multiples of the hybrid store');
for (const name of programs) {
  /** @type {Record<string, Awaited<ReturnType<typeof best>>>} */
  const times = {};
  for (const [key, options] of Object.entries(configurations)) times[key] = await best(name, options, key);
  const columns = Object.entries(times).map(([key, { ms, atLeast }]) => {
    const ratio = ms / times.hybrid.ms;
    ratios[key].push(ratio);
    return key === 'hybrid'
      ? `${ms.toFixed(0).padStart(6)} ms`
      : `${key} ${atLeast ? '>' : ''}${ratio.toFixed(2)}×`;
  });
  console.log(`  ${name.padEnd(22)} ${columns.join('   ')}`);
}
for (const [key, values] of Object.entries(ratios).slice(1)) {
  const mean = Math.exp(values.reduce((sum, ratio) => sum + Math.log(ratio), 0) / values.length);
  console.log(`  geometric mean, ${key}: ${mean.toFixed(2)}×`);
}

console.log('\nthe trie: 200,000 blocks inserted, found and removed, nanoseconds for each');
const scratch = mkdtempSync(join(tmpdir(), 'redzone-stores-'));
for (const search of ['DICHOTOMIC', 'LINEAR', 'CLZ']) {
  const inputs = [join(import.meta.dirname, 'programs/trie.c')];
  await check({ inputs, clangFlags: [`-D${search}`], noChecks: true, folders: [scratch] });
  const figures = readFileSync(join(scratch, 'trie.txt'), 'utf8').trim();
  console.log(`  ${search.toLowerCase().padEnd(12)} ${figures}`);
}
rmSync(scratch, { recursive: true });
process.exit(0);

/**
 * @param {string} name
 * @param {Partial<import('../dist/index.js').CheckOptions>} options
 * @param {string} key
 */
async function best(name, options, key) {
  let ms = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (key === 'hybrid' || key === 'shadow' ? 3 : 1); round++) {
    const inputs = [join(folder, `${name}.c`)];
    /** @type {NodeJS.CpuUsage | undefined} */
    let started;
    /** @param {import('../dist/index.js').RunEvent} event */
    const onEvent = event => {
      if (event.kind === 'phase' && event.text === 'running') started = process.cpuUsage();
    };
    const report = await check({ inputs, maxTimeMs: limitMs, ...options }, { onEvent });
    if (report.findings.length > 0) throw new Error(`${name}: ${report.findings[0].message}`);
    if (report.runProcessorMs === undefined) {
      const { user, system } = process.cpuUsage(started);
      return { ms: (user + system) / 1000, atLeast: true };
    }
    ms = Math.min(ms, report.runProcessorMs);
  }
  return { ms, atLeast: false };
}
