// Measures the cost of `redzone check` on the nine programs of the hybrid-monitoring paper: `npm
// run bench:check [-- --quick] [--speed] [--memory] [--compile] [PROGRAM...]`. With `--real` it
// measures other programs instead: `check-real.mjs`.
//
// Runs without and with checks alternate in one run of this script, and the best of each is
// compared, in processor time, on which other work on the machine has little effect. If a C
// compiler is installed, native -O2, AddressSanitizer and Valgrind are measured as well. Then
// memory, in a separate process for each run (`touched-pages.mjs`), and the time to compile a new
// program while the library is in the cache.
//
// `spatial` is the classic check, the 1:8 shadow alone; the difference to `all` is the cost of all
// other checks.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';
import { allowV8Flags } from '../dist/platform/node.js';
import { reportReal } from './check-real.mjs';
import { canCountPages, touchedBytes } from './touched-pages.mjs';

allowV8Flags();

const folder = join(import.meta.dirname, 'check');
const command = join(import.meta.dirname, '../bin/redzone.js');
let nextChange = Date.now() % 1e9;
const only = process.argv.slice(2).filter(argument => !argument.startsWith('-'));
const isQuick = process.argv.includes('--quick');
const parts = ['speed', 'memory', 'compile'].filter(part => process.argv.includes(`--${part}`));
/** @type {(part: string) => boolean} */
const hasPart = part => parts.length === 0 || parts.includes(part);
const rounds = isQuick ? 2 : 4;
const programs = readdirSync(folder)
  .filter(file => file.endsWith('.c'))
  .map(file => file.replace(/\.c$/, ''))
  .filter(name => only.length === 0 || only.includes(name));

/**
 * @typedef {'plain' | 'spatial' | 'spatial+temporal' | 'all' | 'quick'} Configuration
 * @typedef {{ native?: number, asan?: number, valgrind?: number }} NativeTimes Milliseconds
 * @typedef {{ name: string, best: Record<Configuration, number>, native: NativeTimes }} Row
 * @typedef {(path: string, key: Configuration) => number | Promise<number>} CompileMs
 */

/** @type {Record<Configuration, Partial<import('../dist/index.js').CheckOptions>>} */
const configurations = {
  plain: { noChecks: true },
  spatial: { checks: ['spatial'], speed: 'optimised' },
  'spatial+temporal': { checks: ['spatial', 'temporal'], speed: 'optimised' },
  all: { speed: 'optimised' },
  quick: { speed: 'quick' },
};
const keys = /** @type {Configuration[]} */ (Object.keys(configurations));

if (process.argv[2] === '--one-run')
  await runOnce(/** @type {Configuration} */ (process.argv[3]), process.argv[4]);

if (process.argv.includes('--real')) {
  await reportReal({ only, isQuick, withMemory: process.argv.includes('--memory') });
  process.exit(0);
}

const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
if (hasPart('speed')) await reportSpeed();
if (hasPart('memory')) await reportMemory();
if (hasPart('compile')) await reportCompileTime();
rmSync(scratch, { recursive: true });
process.exit(0);

async function reportSpeed() {
  /** @type {Row[]} */
  const rows = [];
  for (const name of programs) {
    const path = join(folder, `${name}.c`);
    const infinite = Number.POSITIVE_INFINITY;
    const best = {
      plain: infinite,
      spatial: infinite,
      'spatial+temporal': infinite,
      all: infinite,
      quick: infinite,
    };
    for (let round = 0; round < rounds; round++) {
      for (const key of keys) {
        // The search of long runs for infinite loops would be counted on a loaded machine.
        const report = await check({ inputs: [path], watchesLoops: false, ...configurations[key] });
        if (report.findings.length > 0) throw new Error(`${name}: ${report.findings[0].message}`);
        best[key] = Math.min(best[key], report.runProcessorMs ?? Number.NaN);
      }
    }
    const row = { name, best, native: nativeTimes(name, path) };
    rows.push(row);
    const ratios = keys.slice(1).map(key => `${key} ${(best[key] / best.plain).toFixed(2)}×`);
    console.log(
      `${name.padEnd(22)} plain ${best.plain.toFixed(0)} ms   ${ratios.join('   ')}   ${describe(row)}`,
    );
  }

  console.log('\ngeometric means over the same program without checks:');
  /** @type {Partial<Record<Configuration, string>>} */
  const wanted = { 'spatial+temporal': 'wanted 1.8', all: 'wanted 2.5, worst 5' };
  for (const key of keys.slice(1)) {
    const ratios = rows.map(({ best }) => best[key] / best.plain);
    const worst = `worst ${Math.max(...ratios).toFixed(2)}×`;
    console.log(`  ${key.padEnd(18)} ${geometricMean(ratios).toFixed(2)}×   ${worst}   ${wanted[key] ?? ''}`);
  }
  const added = geometricMean(rows.map(({ best }) => best.all / best.spatial));
  console.log(`all checks take ${added.toFixed(2)} of the time of the 1:8 shadow alone (wanted 1.15)`);
}

/** @param {readonly number[]} ratios */
function geometricMean(ratios) {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}

/** The pages that the program touched, separately for the program and the monitor. */
async function reportMemory() {
  if (!canCountPages) return;
  console.log(
    '\nmemory that is touched (wanted: the program at most 2 × plain wasm, and the shadow on top):',
  );
  const ratios = [];
  for (const name of programs) {
    const path = join(folder, `${name}.c`);
    const [plain, all] = [await memoryOf('plain', path), await memoryOf('all', path)];
    const ratio = all.program / plain.program;
    ratios.push(ratio);
    console.log(
      `  ${name.padEnd(22)} plain ${megabytes(plain.program)}   all ${megabytes(all.program)}: ${ratio.toFixed(2)}×, ` +
        `shadow ${megabytes(all.shadow)}`,
    );
  }
  console.log(
    `  geometric mean ${geometricMean(ratios).toFixed(2)}×, worst ${Math.max(...ratios).toFixed(2)}×`,
  );
}

/**
 * Runs the program twice, the second time in a separate process that finds it in the cache, so that
 * clang is not involved.
 *
 * @type {(key: Configuration, path: string) => Promise<{ program: number, shadow: number }>}
 */
async function memoryOf(key, path) {
  await check(lingering(key, path));
  const args = [import.meta.filename, '--one-run', key, path];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

/** @type {(key: Configuration, path: string) => Promise<void>} */
async function runOnce(key, path) {
  const gigabyte = 2 ** 30;
  /** @type {readonly number[]} */
  let touched = [];
  const sampling = setInterval(() => {
    touched =
      touchedBytes([
        [0, gigabyte],
        [gigabyte, 4 * gigabyte],
      ]) ?? touched;
  }, 50);
  await check(lingering(key, path));
  clearInterval(sampling);
  if (touched.length === 0) throw new Error(`${path} ended before its memory was measured`);
  const [program, shadow] = touched;
  process.stdout.write(JSON.stringify({ program, shadow, process: process.resourceUsage().maxRSS * 1024 }));
  process.exit(0);
}

/** @type {(key: Configuration, path: string) => import('../dist/index.js').CheckOptions} */
function lingering(key, path) {
  const clangFlags = ['-include', join(folder, 'linger.h')];
  return { inputs: [path], clangFlags, ...configurations[key] };
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MB`;
}

async function reportCompileTime() {
  cpSync(join(folder, 'random.h'), join(scratch, 'random.h'));
  await compare(
    'compiling a program that was never seen before, from the command line:',
    rounds,
    compileAlone,
  );
  await compare('the same once clang is running, in time of the processor:', 2 * rounds, compileHere);
}

/**
 * Compares each program plain and with all checks, alternating; the best of each.
 *
 * @type {(title: string, rounds: number, compileMs: CompileMs) => Promise<void>}
 */
async function compare(title, rounds, compileMs) {
  console.log(`\n${title}`);
  const ratios = [];
  // The first round is not counted: clang is WebAssembly itself, and V8 optimises it for a while.
  for (const name of programs) {
    await compileMs(unseen(name), 'plain');
    await compileMs(unseen(name), 'all');
  }
  for (const name of programs) {
    let [plain, all] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < rounds; round++) {
      plain = Math.min(plain, await compileMs(unseen(name), 'plain'));
      all = Math.min(all, await compileMs(unseen(name), 'all'));
    }
    const ratio = all / plain;
    ratios.push(ratio);
    console.log(
      `  ${name.padEnd(22)} clang ${plain.toFixed(0)} ms   all ${all.toFixed(0)} ms: ${ratio.toFixed(2)}×`,
    );
  }
  const worst = Math.max(...ratios).toFixed(2);
  console.log(
    `compiling and instrumenting takes ${geometricMean(ratios).toFixed(2)} times what clang alone takes, worst ${worst} (wanted 2)`,
  );
}

/** @type {CompileMs} */
function compileAlone(path, key) {
  const options = key === 'plain' ? ['--no-checks'] : [];
  const run = spawnSync(process.execPath, [command, 'check', '--json', ...options, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(`${run.stdout}`).stats.compileMs;
}

/** @type {CompileMs} */
async function compileHere(path, key) {
  const start = process.cpuUsage();
  let compiled = { user: Number.NaN, system: Number.NaN };
  const controller = new AbortController();
  /** @type {import('../dist/index.js').RunControl['onEvent']} */
  const onEvent = event => {
    if (event.kind !== 'phase' || event.text !== 'running') return;
    compiled = process.cpuUsage(start);
    // Only the compiler is measured here.
    controller.abort();
  };
  await check({ inputs: [path], ...configurations[key] }, { onEvent, signal: controller.signal });
  return (compiled.user + compiled.system) / 1000;
}

/**
 * The program with a unique change.
 *
 * @param {string} name
 */
function unseen(name) {
  const path = join(scratch, `${name}-${nextChange}.c`);
  const source = readFileSync(join(folder, `${name}.c`), 'utf8');
  writeFileSync(path, `${source}\n${unseenCode(nextChange++)}\n`);
  return path;
}

/**
 * Code that the program needs, because otherwise it would be removed before compilation and the
 * rest found in the cache.
 *
 * @param {number} number
 */
function unseenCode(number) {
  return `__attribute__((constructor)) static void unseen(void) { volatile int x = ${number}; (void)x; }`;
}

/**
 * Milliseconds of the native program, with ASan, under Valgrind; missing tools are left out.
 *
 * @type {(name: string, path: string) => NativeTimes}
 */
function nativeTimes(name, path) {
  if (isQuick) return {};
  /** @type {(suffix: string, flags: readonly string[]) => string | undefined} */
  const build = (suffix, flags) => {
    const output = join(scratch, name + suffix);
    return spawnSync('gcc', ['-O2', ...flags, path, '-o', output]).status === 0 ? output : undefined;
  };
  const plain = build('', []);
  if (plain === undefined) return {};
  const asan = build('-asan', ['-g', '-fsanitize=address']);
  /** @type {(program: string, args?: readonly string[], times?: number) => number} */
  const time = (program, args = [], times = rounds) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < times; round++) {
      best = Math.min(best, processorMsOf(program, args));
    }
    return best;
  };
  const hasValgrind = spawnSync('valgrind', ['--version']).status === 0;
  return {
    native: time(plain),
    ...(asan === undefined ? {} : { asan: time(asan) }),
    ...(hasValgrind ? { valgrind: time('valgrind', ['-q', plain], 1) } : {}),
  };
}

/** @type {(program: string, args: readonly string[]) => number} */
function processorMsOf(program, args) {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null 2>&1';
  const { stderr } = spawnSync('bash', ['-c', script, program, ...args], { encoding: 'utf8' });
  const [user, system] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

/** @param {Row} row */
function describe({ native, best }) {
  if (native.native === undefined) return '';
  /** @type {(ms: number, to: number) => string} */
  const ratio = (ms, to) => `${(ms / to).toFixed(1)}×`;
  return [
    `native -O2 ${native.native.toFixed(0)} ms (all checks ${ratio(best.all, native.native)} of it)`,
    native.asan && `ASan ${ratio(native.asan, native.native)}`,
    native.valgrind && `Valgrind ${ratio(native.valgrind, native.native)}`,
  ]
    .filter(Boolean)
    .join(', ');
}
