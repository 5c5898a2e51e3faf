// Measures the cost of `redzone check` on programs that it was not tuned on: `npm run bench:check
// -- --real [--quick] [--memory] [PROGRAM...]`. `kinds/` are our own programs, one of each kind;
// `real/` are libraries from npm packages, which are installed on demand, each with a driver of
// ours.
//
// Runs without and with checks alternate, and the best of each is compared, in processor time of
// the run without compilation, for both kinds of builds (docs/decisions/0200). The first run of
// each build is printed beside the best one: only later runs find machine code that V8 has
// optimised (docs/decisions/0252), so what the cache has of it is removed first. For comparison,
// gcc's ASan with UBSan at -O1 and Valgrind are measured in processor time of the whole process, if
// they are installed. `--quick` skips the real programs, Valgrind and half of the rounds.
// `--memory` compares the peak memory of one process.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from '../dist/index.js';
import { cacheFolder } from '../dist/platform/files.js';
import { installPackages, sourcesOf } from './real/packages.mjs';

const folder = import.meta.dirname;
const real = join(folder, 'real');

/**
 * @typedef {{ name: string, inputs: string[], clangFlags: string[], suppressions: string,
 *   checks?: import('../dist/index.js').CheckOptions['checks'] }} Program
 * @typedef {{ all: number, quick: number }} FirstRuns
 * @typedef {{ plain: number, all: number, quick: number, first: FirstRuns, asan?: number,
 *   native?: number, valgrind?: number, sanitized?: string | undefined }} Times
 * @typedef {{ memory?: { plain: number, all: number, asan?: number } }} Memory
 */

const realPrograms = ['lz4', 'zlib', 'zopfli', 'expat', 'duktape', 'tree-sitter', 'sqlite'];

/**
 * What keeps these libraries from ending at a verified finding (`packages.mjs`). A program with
 * suppressions is built to continue after errors, and is slower than what is to be measured. The
 * blocks of zlib are zeroed by its driver.
 *
 * @type {Record<string, Pick<Program, 'checks'> & { flags?: string[] }>}
 */
const allowances = {
  zlib: {},
  zopfli: { checks: ['spatial', 'temporal', 'init', 'undefined', 'leaks', 'races'] },
  duktape: { flags: ['-fwrapv'] },
};

/** @type {Record<'plain' | 'all' | 'quick', Partial<import('../dist/index.js').CheckOptions>>} */
const configurations = { plain: { noChecks: true }, all: { speed: 'optimised' }, quick: { speed: 'quick' } };

if (process.argv[2] === '--one-real-run') {
  /** @type {{ name: string, key: keyof typeof configurations }} */
  const { name, key } = JSON.parse(process.argv[3]);
  const program = findPrograms(false).find(program => program.name === name);
  if (program === undefined) throw new Error(`there is no program '${name}'`);
  await check(optionsOf(program, configurations[key]));
  process.stdout.write(`${process.resourceUsage().maxRSS * 1024}`);
  process.exit(0);
}

/** @param {{ only: readonly string[], isQuick: boolean, withMemory: boolean }} request */
export async function reportReal({ only, isQuick, withMemory }) {
  const scratch = mkdtempSync(join(tmpdir(), 'redzone-bench-'));
  if (!isQuick) installPackages();
  const programs = findPrograms(isQuick).filter(({ name }) => only.length === 0 || only.includes(name));
  console.log(`load ${loadavg()[0].toFixed(1)}; milliseconds of processor time`);
  /** @type {(Program & Times & Memory)[]} */
  const rows = [];
  for (const program of programs) {
    /** @type {Program & Times & Memory} */
    const row = { ...program, ...(await timesOf(program, isQuick ? 2 : 4, scratch, isQuick)) };
    if (withMemory) Object.assign(row, memoryOf(row));
    rows.push(row);
    console.log(describe(row));
  }
  summarise('time over none', rows, ({ all, plain }) => all / plain, 'wanted 2.5, worst 4');
  summarise('time over ASan+UBSan', rows, ({ all, asan = NaN }) => all / asan, 'wanted 1.0, worst 1.5');
  summarise('first run over ASan+UBSan', rows, ({ first, asan = NaN }) => first.all / asan, '');
  summarise('first quick over them', rows, ({ first, asan = NaN }) => first.quick / asan, '');
  summarise('quick over optimised', rows, ({ all, quick }) => quick / all, '');
  summarise('time over Valgrind', rows, ({ all, valgrind = NaN }) => all / valgrind, '');
  summarise(
    'memory over none',
    rows,
    ({ memory }) => (memory ? memory.all / memory.plain : NaN),
    'wanted 1.5, worst 2.5',
  );
  summarise(
    'memory over ASan+UBSan',
    rows,
    ({ memory }) => (memory?.asan ? memory.all / memory.asan : NaN),
    '',
  );
  rmSync(scratch, { recursive: true });
}

/**
 * @param {boolean} isQuick
 * @returns {Program[]}
 */
function findPrograms(isQuick) {
  const kinds = readdirSync(join(folder, 'kinds'))
    .filter(file => file.endsWith('.c'))
    .map(file => ({
      name: file.replace(/\.c$/, ''),
      inputs: [join(folder, 'kinds', file)],
      clangFlags: [],
      suppressions: '',
    }));
  if (isQuick) return kinds;
  const found = realPrograms.map(name => {
    const sources = sourcesOf(name, join(real, `${name}.c`));
    const { checks, flags = [] } = allowances[name] ?? {};
    const suppressions = name in allowances ? '' : sources.suppressions;
    return { name, ...sources, checks, suppressions, clangFlags: [...sources.clangFlags, ...flags] };
  });
  return [...kinds, ...found.filter(({ inputs }) => inputs.every(path => existsSync(path)))];
}

/**
 * @param {Program} program
 * @param {Partial<import('../dist/index.js').CheckOptions>} configuration
 */
function optionsOf({ inputs, clangFlags, suppressions, checks }, configuration) {
  const own = { inputs, clangFlags, suppressions, watchesLoops: false, ...configuration };
  return checks === undefined || configuration.noChecks ? own : { ...own, checks };
}

/**
 * @param {Program} program
 * @param {number} rounds
 * @param {string} scratch
 * @param {boolean} isQuick
 * @returns {Promise<Times>}
 */
async function timesOf(program, rounds, scratch, isQuick) {
  const { name, inputs, clangFlags } = program;
  /** @type {Times} */
  const best = { plain: Infinity, all: Infinity, quick: Infinity, first: { all: NaN, quick: NaN } };
  /** @type {(suffix: string, flags: readonly string[]) => string | undefined} */
  const build = (suffix, flags) => {
    const output = join(scratch, name + suffix);
    const args = [...flags, ...clangFlags, ...inputs, '-o', output, '-lm'];
    return spawnSync('gcc', args, { stdio: 'ignore' }).status === 0 ? output : undefined;
  };
  const sanitized = build('-asan', ['-g', '-O1', '-fsanitize=address,undefined']);
  rmSync(join(cacheFolder(), 'machine-code'), { recursive: true, force: true });
  for (let round = 0; round < rounds; round++) {
    for (const [key, options] of entriesOf(configurations)) {
      const report = await check(optionsOf(program, options));
      if (report.findings.length > 0) throw new Error(`${name}: ${report.findings[0].message}`);
      const time = report.runProcessorMs ?? Number.NaN;
      best[key] = Math.min(best[key], time);
      if (round === 0 && key !== 'plain') best.first[key] = time;
    }
    if (sanitized !== undefined) best.asan = Math.min(best.asan ?? Infinity, processorMsOf(sanitized, []));
  }
  if (isQuick) return { ...best, sanitized };
  const native = build('', ['-O2']);
  if (native === undefined) return best;
  best.native = processorMsOf(native, []);
  if (spawnSync('valgrind', ['--version']).status === 0)
    best.valgrind = processorMsOf('valgrind', ['-q', native]);
  return { ...best, sanitized };
}

/**
 * The entries of a record whose keys are known.
 * @template {string} K
 * @template V
 * @param {Readonly<Record<K, V>>} record
 */
function entriesOf(record) {
  return /** @type {[K, V][]} */ (Object.entries(record));
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 */
function processorMsOf(program, args) {
  const script = 'TIMEFORMAT="%U %S"; time "$0" "$@" > /dev/null 2>&1';
  const { stderr } = spawnSync('bash', ['-c', script, program, ...args], { encoding: 'utf8' });
  const [user, system] = stderr.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

/**
 * In a separate process, which finds the program compiled.
 *
 * @param {Program & Times} program
 * @returns {Memory}
 */
function memoryOf({ name, sanitized }) {
  /** @param {keyof typeof configurations} key */
  const held = key => {
    const args = [import.meta.filename, '--one-real-run', JSON.stringify({ name, key })];
    return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n').at(-1));
  };
  /** @type {Memory['memory']} */
  const memory = { plain: held('plain'), all: held('all') };
  const timed = spawnSync('/usr/bin/time', ['-f', '%M', sanitized ?? 'false'], { encoding: 'utf8' });
  if (timed.status === 0) memory.asan = Number(timed.stderr.trim().split('\n').at(-1)) * 1024;
  return { memory };
}

/** @param {Program & Times & Memory} row */
function describe({ name, plain, all, quick, first, asan, native, valgrind, memory }) {
  const columns = [
    name.padEnd(18),
    native === undefined ? '' : `native ${native.toFixed(0).padStart(4)}  `,
    asan === undefined ? '' : `ASan+UBSan ${asan.toFixed(0).padStart(5)}  `,
    valgrind === undefined ? '' : `Valgrind ${valgrind.toFixed(0).padStart(6)}  `,
    `none ${plain.toFixed(0).padStart(5)}  check ${runsOf(first.all, all)}  quick ${runsOf(first.quick, quick)}: `,
    `${(all / plain).toFixed(2).padStart(5)} × none`,
    asan === undefined ? '' : `, ${(all / asan).toFixed(2).padStart(5)} × ASan+UBSan`,
    memory === undefined ? '' : `, memory ${(memory.all / memory.plain).toFixed(2)} × none`,
  ];
  return columns.join('');
}

/**
 * The first run, and the best of all.
 *
 * @param {number} first
 * @param {number} best
 */
function runsOf(first, best) {
  return `${first.toFixed(0).padStart(6)} then ${best.toFixed(0).padStart(5)}`;
}

/**
 * @param {(row: Program & Times & Memory) => number} ratioOf
 * @param {string} title
 * @param {readonly (Program & Times & Memory)[]} rows
 * @param {string} wanted
 */
function summarise(title, rows, ratioOf, wanted) {
  const ratios = rows.map(ratioOf).filter(Number.isFinite);
  if (ratios.length === 0) return;
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const worst = Math.max(...ratios).toFixed(2);
  console.log(`${title.padEnd(26)} mean ${mean.toFixed(2)}, worst ${worst}, of ${ratios.length}   ${wanted}`);
}
