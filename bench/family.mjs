// Measures the cost of the sanitizer family over `redzone check` alone, on the programs of
// `bench/check` and on libraries from npm packages, which are installed on demand: `npm run
// bench:family [-- --quick] [--calls] [--labels] [PROGRAM...]`; then the cost of one call into a
// plug-in, or only that. `--labels` compares `--taint` with labels on the interface of plug-ins.
//
// Each configuration runs in turn with plain `check`, several times, and the best of each is
// compared, in processor time. All are optimised builds: by default, a program of which the cache
// has no optimised build would run quick code. The search for infinite loops is off, because it
// begins when a run has lasted two seconds, and would be counted on a loaded machine. A row is a
// name, the options, and the target.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';
import { allowV8Flags } from '../dist/platform/node.js';
import { installPackages, sourcesOf } from './real/packages.mjs';

allowV8Flags();

const folder = join(import.meta.dirname, 'check');
const only = process.argv.slice(2).filter(argument => !argument.startsWith('-'));
const rounds = process.argv.includes('--quick') ? 2 : 4;
/** @param {string} name */
const plugin = name => join(import.meta.dirname, 'plugins', `${name}.mjs`);

/** @typedef {Partial<import('../dist/index.js').CheckOptions>} Options */
/** @type {{ name: string, options: Options, wanted: number }[]} */
const configurations = [
  { name: '--taint', options: { taint: ['stdin', 'args', 'files', 'env'] }, wanted: 2 },
  { name: '--secret', options: { secret: ['stdin'] }, wanted: 2 },
  { name: 'nothing compiled in', options: { plugins: [plugin('unused')] }, wanted: 1 },
  { name: 'condition on every store', options: { plugins: [plugin('inline-store')] }, wanted: 1.5 },
  { name: 'cell set at every store', options: { plugins: [plugin('inline-set')] }, wanted: 1.5 },
  { name: '--init-globals', options: { initGlobals: true }, wanted: 2 },
];

if (process.argv.includes('--labels'))
  configurations.splice(1, Number.POSITIVE_INFINITY, {
    name: 'labels as a plug-in',
    options: { plugins: [plugin('labels')] },
    wanted: 2,
  });

const onlyCalls = process.argv.includes('--calls');
/** Libraries of others. */
const real = ['lz4', 'zlib', 'zopfli', 'expat'];
const own = readdirSync(folder).filter(file => file.endsWith('.c'));
const programs = [
  ...own.map(file => ({
    name: file.replace(/\.c$/, ''),
    inputs: [join(folder, file)],
    clangFlags: [],
    suppressions: '',
  })),
  ...real.map(name => ({ name, ...sourcesOf(name, join(import.meta.dirname, 'real', `${name}.c`)) })),
].filter(({ name }) => !onlyCalls && (only.length === 0 || only.includes(name)));
if (programs.some(({ name }) => real.includes(name))) installPackages();

/** @type {Map<string, number[]>} */
const ratios = new Map(configurations.map(({ name }) => [name, []]));
for (const { name: program, ...source } of programs) {
  const best = new Map();
  for (let round = 0; round < rounds; round++) {
    for (const { name, options } of [{ name: 'check', options: {} }, ...configurations]) {
      const report = await check({
        ...source,
        keepGoing: false,
        speed: 'optimised',
        watchesLoops: false,
        ...options,
      });
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

if (!onlyCalls) console.log('\ngeometric means over `check`:');
for (const { name, wanted } of onlyCalls ? [] : configurations) {
  const all = ratios.get(name) ?? [];
  const mean = Math.exp(all.reduce((sum, ratio) => sum + Math.log(ratio), 0) / all.length);
  console.log(
    `  ${name.padEnd(26)} ${mean.toFixed(2)}×   worst ${Math.max(...all).toFixed(2)}×   wanted ${wanted}`,
  );
}
if (only.length === 0) await reportCalls();
process.exit(0);

/** Measures the cost of a call into JavaScript, by kind of hook. */
async function reportCalls() {
  const times = 1_000_000;
  const text = `#include <stdlib.h>
    static volatile int cells[16];
    __attribute__((noinline)) static int step(int i) { __asm__(""); return i + 1; }
    int main(int argc, char **argv) {
      int sum = 0;
      for (int i = 0; i < ${times}; i++) {
        switch (argv[1][0]) {
          case 's': cells[i & 15] = i; break;
          case 'l': sum += cells[i & 15]; break;
          case 'e': case 'c': sum = step(sum); break;
          case 'a': free(malloc(16)); break;
        }
      }
      return sum == 1;
    }`;
  const count = '(_, { state }) => { state.count++; }';
  const hooks = {
    store: `store: ${count}`,
    load: `load: ${count}`,
    enter: `enter: { functions: 'step', run: ${count} }`,
    call: `call: { functions: 'step', before: ${count} }`,
    allocate: `allocate: ${count}`,
  };
  const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
  console.log('\na call into JavaScript, in nanoseconds:');
  for (const [kind, hook] of Object.entries(hooks)) {
    const counted = join(scratch, `${kind}.mjs`);
    writeFileSync(
      counted,
      `export default { name: 'counted', state: () => ({ count: 0 }), hooks: { ${hook} } };`,
    );
    const best = [[], [counted]].map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < rounds; round++) {
      for (const [i, plugins] of [[], [counted]].entries()) {
        const report = await check({ inputs: [{ name: 'calls.c', text }], arguments: [kind], plugins });
        best[i] = Math.min(best[i], report.runProcessorMs ?? 0);
      }
    }
    console.log(`  ${kind.padEnd(10)} ${(((best[1] - best[0]) * 1e6) / times).toFixed(0)}`);
  }
  rmSync(scratch, { recursive: true });
}
