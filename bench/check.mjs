// The price of `redzone check` on the nine programs of the hybrid-monitoring paper: `npm run bench:check [-- --quick]`.
//
// Each program is run without checks and with them in the same run of this script, several times in turn, and the best of each is
// compared. With a C compiler on the machine, native -O2, AddressSanitizer and Valgrind are measured beside it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';

const folder = join(import.meta.dirname, 'check');
const only = process.argv.slice(2).filter(argument => !argument.startsWith('-'));
const isQuick = process.argv.includes('--quick');
const rounds = isQuick ? 2 : 5;
const programs = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.replace(/\.c$/, ''))
  .filter(name => only.length === 0 || only.includes(name));

const configurations = {
  plain: { noChecks: true },
  spatial: { checks: ['spatial'] },
  'spatial+temporal': { checks: ['spatial', 'temporal'] },
  all: {},
};

const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
const rows = [];
for (const name of programs) {
  const path = join(folder, `${name}.c`);
  const best = Object.fromEntries(Object.keys(configurations).map(key => [key, Number.POSITIVE_INFINITY]));
  const compile = {};
  for (let round = 0; round < rounds; round++) {
    for (const [key, options] of Object.entries(configurations)) {
      const report = await check({ inputs: [path], stdoutToStderr: true, ...options });
      if (report.findings.length > 0) throw new Error(`${name}: ${report.findings[0].message}`);
      best[key] = Math.min(best[key], report.stats.runMs);
      compile[key] ??= report.stats.compileMs;
    }
  }
  rows.push({ name, best, native: nativeTimes(name, path) });
  const ratios = Object.keys(configurations)
    .slice(1)
    .map(key => `${key} ${(best[key] / best.plain).toFixed(2)}×`);
  console.log(
    `${name.padEnd(22)} plain ${best.plain.toFixed(0)} ms   ${ratios.join('   ')}   ${describe(rows.at(-1))}`,
  );
}
rmSync(scratch, { recursive: true });

console.log('\ngeometric means over the same program without checks:');
for (const key of Object.keys(configurations).slice(1)) {
  const ratios = rows.map(({ best }) => best[key] / best.plain);
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`  ${key.padEnd(18)} ${mean.toFixed(2)}×   worst ${Math.max(...ratios).toFixed(2)}×`);
}
process.exit(0);

/** Milliseconds of the native program, with ASan, under Valgrind; what is not there is left out. */
function nativeTimes(name, path) {
  if (isQuick) return {};
  const build = (suffix, flags) => {
    const output = join(scratch, name + suffix);
    return spawnSync('gcc', ['-O2', ...flags, path, '-o', output]).status === 0 ? output : undefined;
  };
  const plain = build('', []);
  if (plain === undefined) return {};
  const asan = build('-asan', ['-g', '-fsanitize=address']);
  const time = (program, args = []) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      execFileSync(program, args, { stdio: 'ignore' });
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  const hasValgrind = spawnSync('valgrind', ['--version']).status === 0;
  return {
    native: time(plain),
    ...(asan === undefined ? {} : { asan: time(asan) }),
    ...(hasValgrind ? { valgrind: time('valgrind', ['-q', plain]) } : {}),
  };
}

function describe({ native, best }) {
  if (native.native === undefined) return '';
  const ratio = (ms, to) => `${(ms / to).toFixed(1)}×`;
  return [
    `native -O2 ${native.native.toFixed(0)} ms (all checks ${ratio(best.all, native.native)} of it)`,
    native.asan && `ASan ${ratio(native.asan, native.native)}`,
    native.valgrind && `Valgrind ${ratio(native.valgrind, native.native)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
