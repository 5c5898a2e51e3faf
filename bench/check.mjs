// The price of `redzone check` on the nine programs of the hybrid-monitoring paper: `npm run bench:check [-- --quick]`.
//
// Each program is run without checks and with them in the same run of this script, several times in turn, and the best of each is
// compared. With a C compiler on the machine, native -O2, AddressSanitizer and Valgrind are measured beside it. Then memory, in a process of
// its own for each run, and the time to compile a program that was never seen before, the library being in the cache.
//
// `spatial` is the classic check, the 1:8 shadow alone; what `all` adds to it is the price of everything else.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

if (process.argv[2] === '--one-run') await runOnce(process.argv[3], process.argv[4]);

const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
const rows = [];
for (const name of programs) {
  const path = join(folder, `${name}.c`);
  const best = Object.fromEntries(Object.keys(configurations).map(key => [key, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < rounds; round++) {
    for (const [key, options] of Object.entries(configurations)) {
      const report = await check({ inputs: [path], stdoutToStderr: true, ...options });
      if (report.findings.length > 0) throw new Error(`${name}: ${report.findings[0].message}`);
      best[key] = Math.min(best[key], report.stats.runMs);
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

console.log('\ngeometric means over the same program without checks:');
const wanted = { 'spatial+temporal': 'wanted 1.8', all: 'wanted 2.5, worst 5' };
for (const key of Object.keys(configurations).slice(1)) {
  const ratios = rows.map(({ best }) => best[key] / best.plain);
  const worst = `worst ${Math.max(...ratios).toFixed(2)}×`;
  console.log(`  ${key.padEnd(18)} ${geometricMean(ratios).toFixed(2)}×   ${worst}   ${wanted[key] ?? ''}`);
}
const added = geometricMean(rows.map(({ best }) => best.all / best.spatial));
console.log(`all checks take ${added.toFixed(2)} of the time of the 1:8 shadow alone (wanted 1.15)`);
await reportMemory();
await reportCompileTime();
rmSync(scratch, { recursive: true });
process.exit(0);

function geometricMean(ratios) {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** What a program adds to the memory of a process that runs an empty one. The shadow has 6 bytes for 8 of the program. */
async function reportMemory() {
  const empty = join(scratch, 'empty.c');
  writeFileSync(empty, 'int main(void) { return 0; }\n');
  for (const key of ['plain', 'all']) await check({ inputs: [empty], ...configurations[key] });
  const peak = (key, path) =>
    Number(
      execFileSync(process.execPath, [import.meta.filename, '--one-run', key, path], { encoding: 'utf8' }),
    );
  const [plainEmpty, allEmpty] = [peak('plain', empty), peak('all', empty)];
  console.log('\nmemory that the program adds, without the shadow (wanted: at most 2 × that of plain wasm):');
  for (const name of programs) {
    const path = join(folder, `${name}.c`);
    const plain = peak('plain', path) - plainEmpty;
    const all = peak('all', path) - allEmpty;
    const megabytes = kilobytes => `${(kilobytes / 1024).toFixed(1)} MB`;
    const own = all / 1.75;
    console.log(
      `  ${name.padEnd(22)} plain ${megabytes(plain)}   all ${megabytes(all)}, without shadow ${megabytes(own)}: ${(own / plain).toFixed(2)}×`,
    );
  }
}

/** In a process of its own, with the program in the cache: prints the most memory that the process had, in KiB. */
async function runOnce(key, path) {
  await check({ inputs: [path], stdoutToStderr: true, ...configurations[key] });
  process.stdout.write(String(process.resourceUsage().maxRSS));
  process.exit(0);
}

async function reportCompileTime() {
  cpSync(join(folder, 'random.h'), join(scratch, 'random.h'));
  const ratios = [];
  let unseen = Date.now() % 1e9;
  for (const name of programs) {
    const compileMs = async options => {
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < rounds; round++) {
        const path = join(scratch, `${name}-${unseen}.c`);
        writeFileSync(
          path,
          `${readFileSync(join(folder, `${name}.c`), 'utf8')}\nint unseen = ${unseen++};\n`,
        );
        // Ends the run at once: only the compiler is asked here.
        const report = await check({ inputs: [path], stdoutToStderr: true, maxTimeMs: 1, ...options });
        best = Math.min(best, report.stats.compileMs);
      }
      return best;
    };
    const plain = await compileMs(configurations.plain);
    ratios.push((await compileMs(configurations.all)) / plain);
  }
  const worst = Math.max(...ratios).toFixed(2);
  console.log(
    `\ncompiling and instrumenting takes ${geometricMean(ratios).toFixed(2)} times what clang alone takes, worst ${worst} (wanted 2)`,
  );
}

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
